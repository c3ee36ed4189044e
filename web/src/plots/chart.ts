/** One chart over time, drawn by uPlot: shares its window of time, its cursor and the clock with all others. */
import uPlot from "uplot";
import { byId, el } from "../dom";
import { decades, number, ticks } from "../numbers";
import { color, lineColor } from "../theme";
import type { Clock, Window } from "../time";
import { pale, pieces, seen, withBands } from "./band";
import { unitsOf, type ChartSpec, type Line } from "./line";

/** Widths of the axes (px): the same in all panes, so that their times stand above each other. */
const AXIS = 60,
  NO_AXIS = 14;
/** A press that moves less than this is a click (px). */
const CLICK = 4;
/** Height of the impact ticks, and how near to one a click on the top edge must be (px). */
const TICK = 7,
  NEAR_TICK = 6;
const FONT = "11px system-ui, sans-serif";

export interface Shared {
  clock: Clock;
  window: Window;
  timeUnit: string;
  /** What the page is about, for figures of panes that have no title of their own. */
  title: string;
  /** Times of impacts to mark; empty when they are switched off. */
  impacts: () => number[];
}

/** A gap of a merged line reaches to the samples beside it, over the times of other lines. */
const NULL_EXPAND = 2;

type Values = (number | null | undefined)[];

/** What is no number as null, which uPlot leaves out of the line; with a logarithmic axis also what has no logarithm. */
function drawable(y: ArrayLike<number>, nan: number, log: boolean): Values | ArrayLike<number> {
  if (!nan && !log) return y;
  const out: Values = new Array(y.length);
  for (let i = 0; i < y.length; i++) out[i] = !Number.isFinite(y[i]) || (log && !(y[i] > 0)) ? null : y[i];
  return out;
}
/** One table for uPlot: lines with other sample times are merged, with `undefined` where a line has no sample. */
function table(spec: ChartSpec): uPlot.AlignedData {
  const { lines, log } = spec,
    ys = lines.map(l => drawable(l.y, l.nan, log));
  if (!lines.length)
    return [
      [0, 1],
      [null, null],
    ] as unknown as uPlot.AlignedData;
  if (lines.every(l => l.t === lines[0].t)) return [lines[0].t, ...ys] as unknown as uPlot.AlignedData;
  return uPlot.join(
    lines.map((l, i) => [l.t, ys[i]] as unknown as uPlot.AlignedData),
    lines.map(() => [0, NULL_EXPAND]),
  );
}
/** Samples with a gap on both sides: no line goes to them, so they are points. */
function isolated(y: ArrayLike<number | null | undefined>): number[] {
  const out: number[] = [];
  let last = -1,
    sole = false;
  for (let i = 0; i < y.length; i++) {
    const v = y[i];
    if (v === undefined) continue;
    if (v === null) {
      if (sole) out.push(last);
      sole = false;
      last = -1;
    } else {
      sole = last < 0;
      last = i;
    }
  }
  if (sole) out.push(last);
  return out;
}
/** A tick's number with as many digits as the step between ticks needs. */
export function tickWord(v: number, step: number): string {
  if (Math.abs(v) < step * 1e-6) return "0";
  let own = 1;
  while (own < 4 && Math.abs(+step.toPrecision(own) - step) > 1e-9 * step) own++;
  const more = Math.floor(Math.log10(Math.abs(v)) + 1e-9) - Math.floor(Math.log10(step) + 1e-9);
  return number(v, Math.min(Math.max(more + own, 1), 12));
}
export function linearRange(min: number | null, max: number | null, zero = false): [number, number] {
  if (min === null || max === null || !isFinite(min) || !isFinite(max)) return [0, 1];
  if (max - min <= 1e-12 * Math.max(Math.abs(min), Math.abs(max))) {
    const d = Math.abs(min) * 0.1 || 1;
    return [min - d, max + d];
  }
  const pad = 0.06 * (max - min);
  return [zero && min === 0 ? 0 : min - pad, max + pad];
}
export function logRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null || !(min > 0)) return [0.1, 10];
  const a = Math.log10(min),
    b = Math.log10(max),
    pad = Math.max(0.06 * (b - a), 0.15);
  return [10 ** (a - pad), 10 ** (b + pad)];
}

export class Chart {
  readonly root = el("div", { class: "chart" });
  private plot: uPlot | null = null;
  private now = el("div", { class: "now" });
  /** Time under the pointer, or null. */
  hover: number | null = null;
  private spec: ChartSpec;
  constructor(
    spec: ChartSpec,
    private shared: Shared,
    private rightAxis: () => boolean,
    private onCursor: () => void,
  ) {
    this.spec = spec;
    this.sized.observe(this.root);
  }
  private sized = new ResizeObserver(() => this.fit());
  /** Taken off the page: it follows the pointer of the others no more. */
  close() {
    this.sized.disconnect();
    this.plot?.destroy();
    this.plot = null;
  }
  /** Draws anew with other lines, colours or axes. */
  show(spec: ChartSpec) {
    this.spec = spec;
    this.root.setAttribute("role", "img");
    this.root.setAttribute("aria-label", `Plot over time: ${spec.lines.map(l => l.label).join(", ") || "empty"}`);
    this.plot?.destroy();
    this.plot = null;
    this.fit();
  }
  get lines(): Line[] {
    return this.spec.lines;
  }
  /** Ranges as they are drawn, for figures. */
  range(scale: "x" | "y" | "y2"): [number, number] | null {
    const s = this.plot?.scales[scale];
    return s && s.min != null && s.max != null ? [s.min, s.max] : null;
  }
  private fit() {
    const width = Math.floor(this.root.clientWidth);
    if (width < 80) return;
    if (this.plot) {
      if (this.plot.width !== width) this.plot.setSize({ width, height: this.spec.height });
    } else {
      this.plot = this.make(width);
      this.window();
    }
    this.tick();
  }
  /** The window of time changed. */
  window() {
    const w = this.shared.window;
    this.plot?.setScale("x", { min: w.min, max: w.max });
    this.tick();
  }
  /** The clock moved. */
  tick() {
    const u = this.plot;
    if (!u) return;
    const x = u.valToPos(this.shared.clock.t, "x"),
      inside = x >= -0.5 && x <= u.over.clientWidth + 0.5;
    this.now.style.display = inside ? "" : "none";
    if (inside) this.now.style.transform = `translateX(${x}px)`;
  }
  marks() {
    this.plot?.redraw(false);
  }

  private make(width: number): uPlot {
    const { spec, shared } = this,
      units = unitsOf(spec.lines),
      right = units.length > 1;
    const axis = {
      font: FONT,
      stroke: () => color.quiet,
      grid: { stroke: () => color.grid, width: 1 },
      ticks: { show: false },
    };
    const words = (_: uPlot, splits: number[], __: number, ___: number, step: number) =>
      splits.map(v => tickWord(v, step || Math.abs(v) || 1));
    // uPlot's own logarithmic ticks never end below 1e-16, where residuals live.
    const logTicks = (u: uPlot, _: number, min: number, max: number) => {
      const room = u.bbox.height / 28,
        list = decades(min, max, room);
      return list.length > 1 ? list : ticks(min, max, room / 1.5).filter(v => v > 0);
    };
    const logWords = (_: uPlot, splits: number[]) =>
      splits.map(v => (Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-6 ? power(v) : number(v, 3)));
    const banded = spec.lines.some(l => l.band);
    // of a logarithmic axis the lines alone decide: the lower edge of a band may be anywhere below
    const room = (a: number | null, b: number | null, key: string): [number | null, number | null] => {
      if (!banded || a === null || b === null) return [a, b];
      const own = spec.lines.filter(l => (l.unit === units[0] ? "y" : "y2") === key);
      return withBands(own, [a, b], shared.window);
    };
    const y: uPlot.Scale = spec.log
      ? { distr: 3, log: 10, range: (_, a, b) => logRange(a, b) }
      : {
          range: (_, low, high, key) => {
            const [a, b] = room(low, high, key);
            return linearRange(spec.zero && a !== null ? Math.min(a, 0) : a, b, spec.zero);
          },
        };
    const yAxis: uPlot.Axis = {
      ...axis,
      size: AXIS,
      space: 30,
      gap: 6,
      values: (spec.log ? logWords : words) as uPlot.Axis["values"],
      ...(spec.log ? { splits: logTicks, filter: (_: uPlot, splits: number[]) => splits } : {}),
    };
    const series: uPlot.Series[] = [
      { label: "t" },
      ...spec.lines.map(
        (l): uPlot.Series =>
          ({
            label: l.label,
            scale: l.unit === units[0] ? "y" : "y2",
            stroke: () => lineColor(l.color),
            width: spec.stacked ? 0.6 : 1.6,
            dash: spec.stacked ? [] : l.dash,
            points:
              l.nan || spec.log
                ? {
                    show: true,
                    size: 4,
                    fill: () => lineColor(l.color),
                    filter: (g: uPlot, k: number) => isolated(g.data[k] as Values),
                  }
                : { show: false },
          }) as uPlot.Series,
      ),
    ];
    if (series.length === 1) series.push({ show: false, scale: "y" });
    const u = new uPlot(
      {
        width,
        height: spec.height,
        series,
        padding: [24, this.rightAxis() && !right ? AXIS : right ? 0 : NO_AXIS, 0, 0],
        scales: { x: { time: false, range: (_, a, b) => [a, b] }, y, y2: y },
        axes: [
          { ...axis, size: 26, space: 62, gap: 4, values: words },
          { ...yAxis, scale: "y" },
          ...(right ? [{ ...yAxis, scale: "y2", side: 1, grid: { show: false } }] : []),
        ],
        legend: { show: false },
        cursor: {
          y: false,
          points: { size: 7, width: 1.5 },
          drag: { x: true, y: false, setScale: false, dist: CLICK },
          sync: { key: "carom", setSeries: false, scales: ["x", null] },
          bind: {
            dblclick: () => () => {
              shared.window.all();
              return null;
            },
          },
        },
        hooks: {
          drawAxes: spec.stacked ? [g => this.areas(g)] : banded ? [g => this.bands(g)] : [],
          draw: [g => this.decorate(g, units)],
          setCursor: [
            g => {
              const left = g.cursor.left ?? -1;
              this.hover = left >= 0 ? g.posToVal(left, "x") : null;
              this.onCursor();
            },
          ],
          setSelect: [
            g => {
              if (g.select.width < CLICK) return;
              shared.window.set(g.posToVal(g.select.left, "x"), g.posToVal(g.select.left + g.select.width, "x"));
              g.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
            },
          ],
        },
      },
      table(spec),
      this.root,
    );
    u.over.append(this.now);
    let down = 0;
    u.over.addEventListener("mousedown", e => {
      down = e.clientX;
    });
    u.over.addEventListener("click", e => {
      if (Math.abs(e.clientX - down) < CLICK) this.click(u, e.offsetX, e.offsetY);
    });
    u.over.addEventListener(
      "wheel",
      e => {
        if (!e.ctrlKey && !e.shiftKey) return;
        e.preventDefault();
        shared.window.zoom((e.deltaY || e.deltaX) > 0 ? 1.25 : 0.8, u.posToVal(e.offsetX, "x"));
      },
      { passive: false },
    );
    u.over.title = "Drag: zoom. Click: go to that time. Shift and wheel: zoom. Double click: all.";
    return u;
  }
  private click(u: uPlot, x: number, y: number) {
    let t = u.posToVal(x, "x");
    if (y <= TICK + 2) {
      let near = NEAR_TICK;
      for (const s of this.shared.impacts()) {
        const d = Math.abs(u.valToPos(s, "x") - x);
        if (d < near) {
          near = d;
          t = s;
        }
      }
    }
    this.shared.clock.pause();
    this.shared.clock.seek(t);
  }
  /** The parts of a stack, each from the sum below it to its own; a negative part reaches down. */
  private areas(u: uPlot) {
    const g = u.ctx,
      { lines } = this.spec;
    g.save();
    g.beginPath();
    g.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    g.clip();
    lines.forEach((l, k) => {
      const under = (i: number) => (k ? lines[k - 1].y[i] : 0),
        X = (i: number) => u.valToPos(l.t[i], "x", true);
      g.fillStyle = soft(l.color);
      // One area from gap to gap.
      for (let a = 0; a < l.t.length; a++) {
        let b = a;
        while (b < l.t.length && Number.isFinite(l.y[b] + under(b))) b++;
        if (b === a) continue;
        g.beginPath();
        for (let i = a; i < b; i++) g.lineTo(X(i), u.valToPos(l.y[i], "y", true));
        for (let i = b - 1; i >= a; i--) g.lineTo(X(i), u.valToPos(under(i), "y", true));
        g.fill();
        a = b;
      }
    });
    g.restore();
  }
  /** The bands of certified runs, under all lines. */
  private bands(u: uPlot) {
    const g = u.ctx,
      { lines, log } = this.spec,
      { min, max } = this.shared.window,
      units = unitsOf(lines);
    g.save();
    g.beginPath();
    g.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    g.clip();
    for (const l of lines) {
      const scale = l.unit === units[0] ? "y" : "y2",
        least = log ? (u.scales[scale].min ?? 0) : -Infinity;
      g.fillStyle = pale(l.color);
      for (const piece of pieces(l, seen(l.t, min, max), least)) {
        g.beginPath();
        for (const [t, low] of piece) g.lineTo(u.valToPos(t, "x", true), u.valToPos(low, scale, true));
        for (const [t, , high] of piece.reverse()) g.lineTo(u.valToPos(t, "x", true), u.valToPos(high, scale, true));
        g.fill();
      }
    }
    g.restore();
  }
  /** Numbers at an axis for which uPlot finds no step: beyond about 1e16, or as small. */
  private rareTicks(u: uPlot, r: number) {
    const g = u.ctx,
      { left, top, width, height } = u.bbox;
    u.axes.forEach((axis, k) => {
      const found = (axis as { _found?: [number, number] })._found,
        range = this.range(k === 2 ? "y2" : "y");
      if (k === 0 || !found || found[1] !== 0 || !range) return;
      const list = ticks(...range, height / r / 36),
        step = list[1] - list[0];
      g.textBaseline = "middle";
      g.textAlign = k === 2 ? "left" : "right";
      for (const v of list) {
        const y = u.valToPos(v, k === 2 ? "y2" : "y", true);
        if (y < top - 1 || y > top + height + 1) continue;
        g.fillStyle = color.quiet;
        g.fillText(tickWord(v, step), k === 2 ? left + width + 6 * r : left - 6 * r, y);
      }
      g.textBaseline = "alphabetic";
    });
  }
  /** Units at the axes and impacts on the top edge. */
  private decorate(u: uPlot, units: string[]) {
    const g = u.ctx,
      r = devicePixelRatio || 1,
      { left, top, width, height } = u.bbox;
    g.save();
    g.fillStyle = color.quiet;
    g.font = `${11 * r}px system-ui, sans-serif`;
    g.textBaseline = "alphabetic";
    g.textAlign = "right";
    g.fillText(unitWord(units[0]), left - 6 * r, top - 11 * r);
    if (units[1] !== undefined) {
      g.textAlign = "left";
      g.fillText(unitWord(units[1]), left + width + 6 * r, top - 11 * r);
    }
    if (!this.spec.log) this.rareTicks(u, r);
    g.textAlign = "left";
    g.fillText(`t / ${this.shared.timeUnit}`, 6 * r, top + height + 17 * r);
    g.fillStyle = color.accent;
    g.globalAlpha = 0.6;
    let last = -2;
    for (const t of this.shared.impacts()) {
      const x = Math.round(u.valToPos(t, "x", true));
      if (x === last || x < left || x > left + width) continue;
      g.fillRect(x, top, Math.max(1, r), TICK * r);
      last = x;
    }
    g.restore();
  }
}
/** A unit as it stands at an axis; nothing for pure numbers. */
export const unitWord = (unit: string | undefined) => (unit === undefined || unit === "1" ? "" : unit);
/** 10⁻³ and so on. */
export function power(v: number): string {
  const p = Math.round(Math.log10(v));
  return p === 0 ? "1" : p === 1 ? "10" : "10" + String(p).replace(/./g, c => "⁰¹²³⁴⁵⁶⁷⁸⁹"[+c] ?? "⁻");
}
/** A part of a stack: the line's colour, laid on lightly. */
export const soft = (i: number) => lineColor(i) + "b0";

/** Says something to a screen reader. */
export const say = (text: string) => {
  byId("said").textContent = text;
};
