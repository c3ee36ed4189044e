/** A chart with its legend, which reads out values, and its downloads. */
import { nearest } from "../data";
import { button, el } from "../dom";
import { saveCsv, savePng, saveSvg, type Cell } from "../export";
import { axisLabel, svgOf, type Figure } from "../figure";
import { count, number, READOUT_DIGITS, single } from "../numbers";
import { color, lineColor } from "../theme";
import { PALE } from "./band";
import { Chart, linearRange, soft, type Shared } from "./chart";
import { unitsOf, type ChartSpec, type Line } from "./line";

/** Digits of a band in the readout. */
const BAND_DIGITS = 2;
/** Longest list of channels in a file's name. */
const FILE_NAME = 60;
const SVG = "http://www.w3.org/2000/svg";
/** A piece of the line as it is drawn. */
export function swatch(line: { color: number; dash: number[] }, area = false): SVGElement {
  const s = document.createElementNS(SVG, "svg"),
    p = document.createElementNS(SVG, area ? "rect" : "path");
  s.setAttribute("width", "22");
  s.setAttribute("height", "10");
  s.setAttribute("aria-hidden", "true");
  if (area) {
    for (const [k, v] of [
      ["width", "14"],
      ["height", "10"],
      ["x", "4"],
      ["rx", "2"],
    ])
      p.setAttribute(k, v);
    p.style.fill = soft(line.color);
  } else {
    p.setAttribute("d", "M1 5h20");
    p.style.stroke = lineColor(line.color);
    p.setAttribute("stroke-width", "2.4");
    p.setAttribute("stroke-dasharray", line.dash.join(" "));
  }
  s.append(p);
  return s;
}

export class Framed {
  readonly root = el("div", { class: "framed" });
  readonly chart: Chart;
  protected legend = el("ul", { class: "legend" });
  protected when = el("span", { class: "when quiet" });
  protected tools = el("span", { class: "tools" });
  protected heading = el("span", { class: "heading" });
  /** Whether all lines have the same sample times: then one is said for all, else each says its own. */
  private oneTime = true;
  private readouts: { line: Line; value: HTMLElement; at: HTMLElement }[] = [];
  constructor(
    public spec: ChartSpec,
    protected shared: Shared,
    protected file: string,
    rightAxis: () => boolean = () => false,
  ) {
    this.chart = new Chart(spec, shared, rightAxis, () => this.readout());
    this.tools.append(
      button("CSV", () => this.csv(), { class: "small", title: "What is shown, as CSV" }),
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
    );
    this.root.append(
      el("div", { class: "row bar" }, this.heading, this.when, this.tools),
      this.legend,
      this.chart.root,
    );
    this.heading.textContent = spec.title;
    if (spec.stacked) {
      const zero = el("input", {
        type: "checkbox",
        checked: !!spec.zero,
        change: () => {
          this.spec = { ...this.spec, zero: zero.checked };
          this.draw();
        },
      });
      this.tools.prepend(
        el("label", { title: "Without it the axis shows only where the upper edges move" }, zero, " from zero"),
      );
    }
  }
  /** Called once it is in the page, and after every change of lines or colours. */
  draw() {
    this.fillLegend();
    this.chart.show(this.spec);
    this.readout();
  }
  private fileName() {
    return `${this.file} ${
      this.spec.title ||
      this.spec.lines
        .map(l => l.label)
        .join(" ")
        .slice(0, FILE_NAME)
    }`.trim();
  }
  /** More of a legend entry, put in by the pane. */
  protected entry(_line: Line): Node[] {
    return [];
  }
  private fillLegend() {
    this.readouts = [];
    this.oneTime = this.spec.lines.every(l => l.t === this.spec.lines[0].t);
    this.legend.classList.toggle("own-times", !this.oneTime || this.spec.lines.some(l => l.band));
    this.legend.replaceChildren(
      ...this.spec.lines.map(line => {
        const value = el("b"),
          at = el("span", { class: "quiet at" });
        this.readouts.push({ line, value, at });
        const gaps = line.nan
          ? [
              el(
                "span",
                { class: "gaps" },
                `${count(line.nan)} ${line.nan === 1 ? "value is" : "values are"} not numbers`,
              ),
            ]
          : [];
        return el(
          "li",
          {},
          swatch(line, this.spec.stacked),
          el("span", { class: "name" }, line.label),
          value,
          at,
          ...this.entry(line),
          ...gaps,
        );
      }),
    );
  }
  /** Values at the pointer or, without one, at the time of the animation: those of the nearest stored sample. */
  readout() {
    const t = this.chart.hover ?? this.shared.clock.t,
      unit = this.shared.timeUnit,
      moments: number[] = [];
    for (const r of this.readouts) {
      const { line } = r;
      if (!line.t.length) {
        r.value.textContent = "–";
        continue;
      }
      const i = nearest(line.t, t),
        v = (line.own ?? line.y)[i];
      r.value.textContent = Number.isNaN(v)
        ? "not a number"
        : number(v, READOUT_DIGITS) +
          (Number.isFinite(line.band?.[i]) ? ` ± ${number(line.band![i], BAND_DIGITS)}` : "") +
          (line.unit && line.unit !== "1" ? " " + line.unit : "");
      moments.push(line.t[i]);
    }
    this.when.textContent = moments.length && this.oneTime ? `at ${number(moments[0], READOUT_DIGITS)} ${unit}` : "";
    this.readouts.forEach((r, i) => {
      r.at.textContent =
        this.oneTime || moments[i] === undefined ? "" : `at ${number(moments[i], READOUT_DIGITS)} ${unit}`;
    });
  }
  close() {
    this.chart.close();
  }
  tick() {
    this.chart.tick();
    if (this.chart.hover === null) this.readout();
  }

  private csv() {
    const { min, max } = this.shared.window,
      lines = this.spec.lines,
      rows: Cell[][] = [];
    rows.push([
      `t / ${this.shared.timeUnit}`,
      ...lines.flatMap(l => {
        const unit = l.unit && l.unit !== "1" ? ` / ${l.unit}` : "";
        return l.band ? [l.label + unit, `± ${l.label}${unit}`] : [l.label + unit];
      }),
    ]);
    // Every stored time in the window once, with the values that are stored there.
    const times = Float64Array.from(
      new Set(lines.flatMap(l => Array.from(l.t).filter(t => t >= min && t <= max))),
    ).sort();
    const next = lines.map(() => 0);
    for (const t of times)
      rows.push([
        t,
        ...lines.flatMap((l, k): Cell[] => {
          while (next[k] < l.t.length && l.t[next[k]] < t) next[k]++;
          const there = next[k] < l.t.length && l.t[next[k]] === t,
            cell = (of: ArrayLike<number>) => (there ? Number(single(of[next[k]])) : null);
          return l.band ? [cell(l.own ?? l.y), cell(l.band)] : [cell(l.own ?? l.y)];
        }),
      ]);
    saveCsv(this.fileName(), rows);
  }
  protected figure(): Figure {
    const { spec, shared } = this,
      units = unitsOf(spec.lines),
      what = spec.lines.length === 1 ? spec.lines[0].label : "";
    const axis = (scale: "y" | "y2", i: number) => {
      const [min, max] = this.chart.range(scale) ?? linearRange(null, null);
      return { label: axisLabel(what, units[i] ?? ""), min, max, log: spec.log };
    };
    return {
      title: spec.title || shared.title,
      sorted: true,
      x: { label: axisLabel("t", shared.timeUnit), min: shared.window.min, max: shared.window.max },
      left: axis("y", 0),
      right: units.length > 1 ? axis("y2", 1) : undefined,
      areas: spec.stacked
        ? spec.lines.map((l, i) => ({
            label: l.label,
            fill: lineColor(l.color),
            x: l.t,
            top: l.y,
            bottom: i ? spec.lines[i - 1].y : null,
          }))
        : undefined,
      traces: spec.stacked
        ? []
        : spec.lines.map(l => ({
            label: l.label,
            stroke: lineColor(l.color) || color.ink,
            dash: l.dash,
            x: l.t,
            y: l.y,
            right: l.unit !== units[0],
            band: l.band && { line: l, opacity: PALE },
          })),
    };
  }
}
