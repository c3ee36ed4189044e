/** Bands of certified runs: the room between y − band and y + band. */
import { before } from "../data";
import { lineColor } from "../theme";
import type { Line } from "./line";

/** A band widens the axis by at most this many times the range of the lines on each side: one wide place flattens nothing. */
const ROOM = 0.5;
/** Bands narrower than this share of the line's largest value are round-off: no axis is made for them. */
const ROUND_OFF = 1e-7;
/** Opacity on the screen and in figures. */
export const PALE = 0.22;
export const pale = (i: number) => lineColor(i) + Math.round(255 * PALE).toString(16);

/** First and last sample of a line to be drawn between two times, with one more on each side. */
export function seen(t: ArrayLike<number>, min: number, max: number): [number, number] {
  return [before(t, min), Math.min(before(t, max) + 1, t.length - 1)];
}
/** The range of lines, and as much of their bands as there is room for. `known` is the range of the lines alone. */
export function withBands(lines: Line[], known: [number, number], window: { min: number; max: number }): [number, number] {
  let [low, high] = known;
  for (const { t, y, band } of lines) {
    if (!band) continue;
    const [a, b] = seen(t, window.min, window.max);
    let least = 0;
    for (let i = 0; i < y.length; i++) if (Math.abs(y[i]) > least) least = Math.abs(y[i]);
    least *= ROUND_OFF;
    for (let i = a; i <= b; i++) {
      if (!Number.isFinite(y[i] + band[i]) || band[i] < least || t[i] < window.min || t[i] > window.max) continue;
      low = Math.min(low, y[i] - band[i]);
      high = Math.max(high, y[i] + band[i]);
    }
  }
  const room = known[1] > known[0] ? ROOM * (known[1] - known[0]) : Infinity;
  return [Math.max(low, known[0] - room), Math.min(high, known[1] + room)];
}
/** Unbroken pieces of a band between two samples: [x, lower, upper] in order; with a logarithmic axis from `least` on. */
export function pieces(line: Line, [a, b]: [number, number], least: number): [number, number, number][][] {
  const { t, y, band } = line,
    out: [number, number, number][][] = [];
  if (!band) return out;
  let open: [number, number, number][] = [];
  for (let i = a; i <= b; i++)
    if (Number.isFinite(y[i] + band[i]))
      open.push([t[i], Math.max(y[i] - band[i], least), Math.max(y[i] + band[i], least)]);
    else if (open.length) {
      out.push(open);
      open = [];
    }
  if (open.length) out.push(open);
  return out;
}
