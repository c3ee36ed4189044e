/** A figure as SVG text: axes, ticks, units, legend and lines, on white or on the dark card as the page is. */
import { before } from "./data";
import { decades, ticks } from "./numbers";
import { color } from "./theme";
import { power, tickWord, unitWord } from "./plots/chart";
import { pieces } from "./plots/band";
import type { Line } from "./plots/line";

export interface Trace {
  label: string;
  stroke: string;
  dash: number[];
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  right?: boolean;
  /** The band of a certified run, drawn under all lines. */
  band?: { line: Line; opacity: number };
}
export interface Area {
  label: string;
  fill: string;
  x: ArrayLike<number>;
  top: ArrayLike<number>;
  bottom: ArrayLike<number> | null;
}
export interface Axis {
  label: string;
  min: number;
  max: number;
  log?: boolean;
}
export interface Figure {
  title: string;
  x: Axis;
  left: Axis;
  right?: Axis;
  traces: Trace[];
  areas?: Area[];
  /** x grows along the trace */ sorted: boolean;
}

/** Sizes in px; the title in letters. */
const TITLE = 84,
  WIDTH = 760,
  PLOT = 320,
  LEFT = 76,
  TOP = 34,
  LEGEND_ROW = 20;
const escape = (s: string) =>
  s
    .replace(/[&<>"]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "");
const two = (x: number) => String(Math.round(x * 100) / 100);

export function svgOf(f: Figure): { svg: string; width: number; height: number } {
  const rightRoom = f.right ? 76 : 20,
    w = WIDTH - LEFT - rightRoom,
    bottom = TOP + PLOT;
  const entries = [
    ...(f.areas ?? []).map(a => ({ label: a.label, stroke: a.fill, dash: [] as number[], area: true })),
    ...f.traces.map(t => ({ label: t.label, stroke: t.stroke, dash: t.dash, area: false })),
  ];
  const columns = Math.max(1, Math.min(4, Math.floor(w / Math.max(90, ...entries.map(e => e.label.length * 7 + 44))))),
    rows = Math.ceil(entries.length / columns);
  const height = bottom + 48 + rows * LEGEND_ROW + 8;
  const X = (v: number) => LEFT + ((v - f.x.min) / (f.x.max - f.x.min)) * w;
  const scaleY = (a: Axis) =>
    a.log
      ? (v: number) => bottom - (Math.log(v / a.min) / Math.log(a.max / a.min)) * PLOT
      : (v: number) => bottom - ((v - a.min) / (a.max - a.min)) * PLOT;
  const out: string[] = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, Helvetica, Arial, sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="${color.card}"/>`,
    `<clipPath id="plot"><rect x="${LEFT}" y="${TOP}" width="${w}" height="${PLOT}"/></clipPath>`,
  ];
  const text = (x: number, y: number, s: string, anchor = "middle", more = "") =>
    out.push(
      `<text x="${two(x)}" y="${two(y)}" text-anchor="${anchor}" fill="${color.ink}"${more}>${escape(s)}</text>`,
    );
  const marks = (a: Axis, wanted: number): [number, string][] => {
    if (a.log) return decades(a.min, a.max, wanted).map(v => [v, power(v)]);
    const list = ticks(a.min, a.max, wanted),
      step = list.length > 1 ? list[1] - list[0] : 1;
    return list.map(v => [v, tickWord(v, step)]);
  };
  for (const [v, s] of marks(f.x, 8)) {
    const x = X(v);
    out.push(`<path d="M${two(x)} ${TOP}V${bottom}" stroke="${color.grid}"/>`);
    text(x, bottom + 17, s);
  }
  const axes: [Axis, boolean][] = f.right
    ? [
        [f.left, false],
        [f.right, true],
      ]
    : [[f.left, false]];
  for (const [axis, right] of axes) {
    const Y = scaleY(axis);
    for (const [v, s] of marks(axis, 6)) {
      const y = Y(v);
      if (!right) out.push(`<path d="M${LEFT} ${two(y)}H${LEFT + w}" stroke="${color.grid}"/>`);
      text(right ? LEFT + w + 8 : LEFT - 8, y + 4, s, right ? "start" : "end");
    }
    const x = right ? WIDTH - 12 : 16;
    text(x, TOP + PLOT / 2, axis.label, "middle", ` transform="rotate(-90 ${x} ${TOP + PLOT / 2})"`);
  }
  for (const a of f.areas ?? []) {
    const Y = scaleY(f.left),
      [i0, i1] = seen(a.x, f.x),
      up: string[] = [],
      down: string[] = [];
    for (let i = i0; i <= i1; i++)
      if (Number.isFinite(a.top[i] + (a.bottom ? a.bottom[i] : 0))) {
        up.push(`${two(X(a.x[i]))} ${two(Y(a.top[i]))}`);
        down.push(`${two(X(a.x[i]))} ${two(Y(a.bottom ? a.bottom[i] : 0))}`);
      }
    out.push(
      `<path clip-path="url(#plot)" d="M${up.join("L")}L${down.reverse().join("L")}Z" fill="${a.fill}" fill-opacity="0.7"/>`,
    );
  }
  for (const { band, stroke, right } of f.traces) {
    if (!band) continue;
    const axis = right && f.right ? f.right : f.left,
      Y = scaleY(axis),
      least = axis.log ? axis.min : -Infinity,
      place = (x: number, y: number) => `${two(X(x))} ${two(Y(y))}`;
    const outline = (piece: [number, number, number][]) =>
      `M${piece.map(([x, low]) => place(x, low)).join("L")}L${piece
        .map(([x, , high]) => place(x, high))
        .reverse()
        .join("L")}Z`;
    const d = pieces(band.line, seen(band.line.t, f.x), least).map(outline).join("");
    if (d) out.push(`<path class="band" clip-path="url(#plot)" d="${d}" fill="${stroke}" fill-opacity="${band.opacity}"/>`);
  }
  for (const t of f.traces) {
    const Y = scaleY(t.right && f.right ? f.right : f.left),
      log = (t.right && f.right ? f.right : f.left).log;
    out.push(
      `<path clip-path="url(#plot)" d="${path(t, f, X, Y, !!log)}" fill="none" stroke="${t.stroke}" stroke-width="1.6" stroke-linejoin="round"${t.dash.length ? ` stroke-dasharray="${t.dash.join(" ")}"` : ""}/>`,
    );
  }
  out.push(`<rect x="${LEFT}" y="${TOP}" width="${w}" height="${PLOT}" fill="none" stroke="${color.quiet}"/>`);
  text(
    LEFT,
    21,
    f.title.length > TITLE ? f.title.slice(0, TITLE - 1) + "…" : f.title,
    "start",
    ' font-weight="600" font-size="14"',
  );
  text(LEFT + w / 2, bottom + 37, f.x.label);
  entries.forEach((e, i) => {
    const x = LEFT + (i % columns) * (w / columns),
      y = bottom + 60 + Math.floor(i / columns) * LEGEND_ROW;
    out.push(
      e.area
        ? `<rect x="${two(x)}" y="${y - 9}" width="26" height="10" fill="${e.stroke}" fill-opacity="0.7"/>`
        : `<path d="M${two(x)} ${y - 4}h26" stroke="${e.stroke}" stroke-width="2"${e.dash.length ? ` stroke-dasharray="${e.dash.join(" ")}"` : ""}/>`,
    );
    text(x + 33, y, e.label, "start");
  });
  out.push("</svg>\n");
  return { svg: out.join("\n"), width: WIDTH, height };
}
/** Indices inside the x range, with one more on each side. */
function seen(x: ArrayLike<number>, axis: Axis): [number, number] {
  return [before(x, axis.min), Math.min(before(x, axis.max) + 1, x.length - 1)];
}
/** A line; of many samples in one column of pixels, the first, the lowest, the highest and the last. */
function path(t: Trace, f: Figure, X: (v: number) => number, Y: (v: number) => number, log: boolean): string {
  const [i0, i1] = f.sorted ? seen(t.x, f.x) : [0, t.x.length - 1];
  let d = "",
    pen = false;
  const put = (x: number, y: number) => {
    d += `${pen ? "L" : "M"}${two(x)} ${two(y)}`;
    pen = true;
  };
  if (!f.sorted) {
    for (let i = i0; i <= i1; i++) {
      if (!Number.isFinite(t.x[i] + t.y[i])) pen = false;
      else put(X(t.x[i]), Y(t.y[i]));
    }
    return d;
  }
  let column = NaN,
    low = 0,
    high = 0,
    last = 0;
  const flush = () => {
    if (!Number.isNaN(column)) {
      if (low !== last) put(column, low);
      if (high !== last && high !== low) put(column, high);
      put(column, last);
      column = NaN;
    }
  };
  for (let i = i0; i <= i1; i++) {
    const v = t.y[i];
    if (!Number.isFinite(v) || (log && !(v > 0))) {
      flush();
      pen = false;
      continue;
    }
    const x = Math.round(X(t.x[i]) * 2) / 2,
      y = Y(v);
    if (x !== column) {
      flush();
      put(x, y);
      column = x;
      low = high = last = y;
    } else {
      low = Math.min(low, y);
      high = Math.max(high, y);
      last = y;
    }
  }
  flush();
  return d;
}
export const axisLabel = (what: string, unit: string) => (!unitWord(unit) ? what : what ? `${what} / ${unit}` : unit);
