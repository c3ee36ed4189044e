/** A pane of one channel against another, with the moment marked. */
import uPlot from "uplot";
import { before, type Channel, type Run } from "../data";
import { button, choices, el } from "../dom";
import { saveCsv, savePng, saveSvg, type Cell } from "../export";
import { axisLabel, svgOf, type Figure } from "../figure";
import { number, READOUT_DIGITS, single } from "../numbers";
import { color, DASHES, lineColor } from "../theme";
import { linearRange, tickWord, unitWord } from "./chart";
import type { AnyPane, Panes } from "./pane";

const HEIGHT = 300;

interface Curve {
  run: Run;
  t: ArrayLike<number>;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
}

/** Both channels at every time that either has. */
function curve(run: Run, a: Channel, b: Channel): Curve {
  if (a.t === b.t) return { run, t: a.t, x: a.y, y: b.y };
  const t = Float64Array.from(new Set([...a.t, ...b.t])).sort();
  return { run, t, x: Float64Array.from(t, s => a.between(s)), y: Float64Array.from(t, s => b.between(s)) };
}
function extent(all: ArrayLike<number>[]): [number, number] {
  let min = Infinity,
    max = -Infinity;
  for (const a of all)
    for (let i = 0; i < a.length; i++)
      if (Number.isFinite(a[i])) {
        if (a[i] < min) min = a[i];
        if (a[i] > max) max = a[i];
      }
  return min <= max ? linearRange(min, max) : [0, 1];
}

export class PhasePane implements AnyPane {
  readonly kind = "phase";
  readonly usesRight = false;
  readonly root = el("div", { class: "framed pane phase" });
  private across = el("select", { "aria-label": "Channel across" });
  private up = el("select", { "aria-label": "Channel up" });
  private place = el("div", { class: "chart" });
  private when = el("span", { class: "when quiet" });
  private plot: uPlot | null = null;
  private dots: HTMLElement[] = [];
  private curves: Curve[] = [];
  constructor(
    private panes: Panes,
    x: string,
    y: string,
  ) {
    const all = panes.page.channelList().map(c => [c.name, c.name] as [string, string]);
    choices(this.across, all, x);
    choices(this.up, all, y);
    for (const s of [this.across, this.up])
      s.onchange = () => {
        this.draw();
        panes.changed();
      };
    this.root.addEventListener("pointerdown", () => panes.activate(this));
    this.root.addEventListener("focusin", () => panes.activate(this));
    this.root.append(
      el(
        "div",
        { class: "row bar" },
        el("span", { class: "heading row" }, this.up, el("span", { class: "quiet" }, "against"), this.across),
        this.when,
        el(
          "span",
          { class: "tools" },
          button("CSV", () => this.csv(), { class: "small", title: "This curve as CSV" }),
          button("SVG", () => saveSvg(this.fileName(), svgOf(this.figure()).svg), {
            class: "small",
            title: "This plot as SVG",
          }),
          button(
            "PNG",
            () => {
              const f = svgOf(this.figure());
              savePng(this.fileName(), f.svg, f.width, f.height);
            },
            { class: "small", title: "This plot as PNG" },
          ),
          button("×", () => panes.remove(this), {
            class: "small close",
            "aria-label": "Remove this pane",
            title: "Remove this pane",
          }),
        ),
      ),
      this.place,
    );
    this.sized.observe(this.place);
  }
  private sized = new ResizeObserver(() => {
    if (this.plot && this.plot.width !== Math.floor(this.place.clientWidth))
      this.plot.setSize({ width: Math.floor(this.place.clientWidth), height: HEIGHT });
    this.tick();
  });
  close() {
    this.sized.disconnect();
    this.plot?.destroy();
    this.plot = null;
  }
  names() {
    return [this.across.value, this.up.value];
  }
  /** A channel picked from the list becomes the one that goes up. */
  toggle(name: string) {
    this.up.value = name;
    this.draw();
    this.panes.changed();
  }
  private fileName() {
    return `${this.panes.file} ${this.up.value} against ${this.across.value}`;
  }
  private units(): [string, string] {
    const of = (name: string) => this.panes.page.runs.map(r => r.channel(name)).find(Boolean)?.unit ?? "";
    return [of(this.across.value), of(this.up.value)];
  }
  draw() {
    this.plot?.destroy();
    this.plot = null;
    this.curves = this.panes.page.shown.flatMap(run => {
      const a = run.channel(this.across.value),
        b = run.channel(this.up.value);
      return a && b ? [curve(run, a, b)] : [];
    });
    const width = Math.floor(this.place.clientWidth);
    if (width < 80) return;
    const x = extent(this.curves.map(c => c.x)),
      y = extent(this.curves.map(c => c.y)),
      [ux, uy] = this.units();
    const axis = {
      font: "11px system-ui, sans-serif",
      stroke: () => color.quiet,
      grid: { stroke: () => color.grid, width: 1 },
      ticks: { show: false },
    };
    const words = (_: uPlot, splits: number[], __: number, ___: number, step: number) =>
      splits.map(v => tickWord(v, step || Math.abs(v) || 1));
    this.plot = new uPlot(
      {
        mode: 2,
        width,
        height: HEIGHT,
        padding: [24, 16, 0, 0],
        scales: { x: { time: false, range: () => x }, y: { range: () => y } },
        axes: [
          {
            ...axis,
            size: 40,
            space: 62,
            values: words,
            label: axisLabel(this.across.value, ux),
            labelSize: 16,
            labelFont: axis.font,
            labelGap: 0,
          },
          { ...axis, size: 60, space: 30, values: words },
        ],
        series: [
          {},
          ...this.curves.map(
            (c): uPlot.Series =>
              ({
                label: c.run.name,
                facets: [
                  { scale: "x", auto: false },
                  { scale: "y", auto: false },
                ],
                paths: u => {
                  this.stroke(u, c);
                  return null;
                },
              }) as uPlot.Series,
          ),
        ],
        legend: { show: false },
        cursor: { show: false },
        hooks: {
          draw: [
            u => {
              const g = u.ctx,
                r = devicePixelRatio || 1;
              g.save();
              g.fillStyle = color.quiet;
              g.font = `${11 * r}px system-ui, sans-serif`;
              g.textAlign = "right";
              g.fillText(unitWord(uy), u.bbox.left - 6 * r, u.bbox.top - 11 * r);
              g.restore();
            },
          ],
        },
      },
      [null, ...this.curves.map(c => [c.x, c.y])] as unknown as uPlot.AlignedData,
      this.place,
    );
    this.dots = this.curves.map(c => {
      const d = el("div", { class: "dot" });
      d.style.background = lineColor(c.run.index);
      this.plot!.over.append(d);
      return d;
    });
    this.plot.over.addEventListener("click", e => this.click(e.offsetX, e.offsetY));
    this.plot.over.title = "Click: go to the nearest moment on the curve";
    this.tick();
  }
  private stroke(u: uPlot, c: Curve) {
    const g = u.ctx,
      r = devicePixelRatio || 1;
    g.save();
    g.beginPath();
    g.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    g.clip();
    g.strokeStyle = lineColor(c.run.index);
    g.lineWidth = 1.4 * r;
    g.lineJoin = "round";
    g.setLineDash(DASHES[c.run.index % DASHES.length].map(d => d * r));
    g.beginPath();
    let pen = false;
    for (let i = 0; i < c.x.length; i++) {
      if (!Number.isFinite(c.x[i] + c.y[i])) {
        pen = false;
        continue;
      }
      const px = u.valToPos(c.x[i], "x", true),
        py = u.valToPos(c.y[i], "y", true);
      if (pen) g.lineTo(px, py);
      else g.moveTo(px, py);
      pen = true;
    }
    g.stroke();
    g.restore();
  }
  private click(px: number, py: number) {
    const u = this.plot!;
    let best = Infinity,
      t = NaN;
    for (const c of this.curves)
      for (let i = 0; i < c.t.length; i++) {
        const d = Math.hypot(u.valToPos(c.x[i], "x") - px, u.valToPos(c.y[i], "y") - py);
        if (d < best) {
          best = d;
          t = c.t[i];
        }
      }
    this.panes.shared.clock.pause();
    this.panes.shared.clock.seek(t);
  }
  tick() {
    const u = this.plot,
      t = this.panes.shared.clock.t;
    if (!u) return;
    this.curves.forEach((c, k) => {
      const i = before(c.t, t),
        dot = this.dots[k],
        gone = !c.t.length || !Number.isFinite(c.x[i] + c.y[i]);
      dot.style.display = gone ? "none" : "";
      if (!gone) dot.style.transform = `translate(${u.valToPos(c.x[i], "x")}px, ${u.valToPos(c.y[i], "y")}px)`;
      if (k === 0)
        this.when.textContent = gone
          ? ""
          : `${number(c.x[i], READOUT_DIGITS)} | ${number(c.y[i], READOUT_DIGITS)} at ${number(c.t[i], READOUT_DIGITS)} ${this.panes.shared.timeUnit}`;
    });
  }
  window() {
    /* shows all times */
  }
  marks() {
    /* has no time axis */
  }
  private csv() {
    const [ux, uy] = this.units(),
      many = this.curves.length > 1,
      rows: Cell[][] = [];
    rows.push([
      ...(many ? ["run"] : []),
      `t / ${this.panes.shared.timeUnit}`,
      axisLabel(this.across.value, ux),
      axisLabel(this.up.value, uy),
    ]);
    for (const c of this.curves)
      for (let i = 0; i < c.t.length; i++)
        rows.push([...(many ? [c.run.name] : []), c.t[i], Number(single(c.x[i])), Number(single(c.y[i]))]);
    saveCsv(this.fileName(), rows);
  }
  private figure(): Figure {
    const [ux, uy] = this.units(),
      x = extent(this.curves.map(c => c.x)),
      y = extent(this.curves.map(c => c.y));
    return {
      title: `${this.up.value} against ${this.across.value}`,
      sorted: false,
      x: { label: axisLabel(this.across.value, ux), min: x[0], max: x[1] },
      left: { label: axisLabel(this.up.value, uy), min: y[0], max: y[1] },
      traces: this.curves.map(c => ({
        label: c.run.name,
        stroke: lineColor(c.run.index),
        dash: DASHES[c.run.index % DASHES.length],
        x: c.x,
        y: c.y,
      })),
    };
  }
}
