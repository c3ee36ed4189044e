/** What a chart shows, said once: the screen, the SVG and the CSV are made from it. */
import type { Channel, Page } from "../data";
import { DASHES, LINE_COLORS } from "../theme";

export interface Line {
  label: string;
  unit: string;
  /** Number in the palette; the theme gives the colour. */
  color: number;
  dash: number[];
  t: ArrayLike<number>;
  /** What is drawn; NaN is a gap. */
  y: ArrayLike<number>;
  /** What is read out and saved, where that is not what is drawn (a part of a stack). */
  own?: ArrayLike<number>;
  nan: number;
  /** Half-widths of the band around y; NaN where there is none. */
  band?: ArrayLike<number>;
}
export interface ChartSpec {
  title: string;
  lines: Line[];
  log: boolean;
  /** The lines are sums from the bottom up, and the room between two is the part. */
  stacked?: boolean;
  /** The axis begins at zero, so that areas can be compared. */
  zero?: boolean;
  height: number;
}

/** Lines after this many differ by dash as well. */
const SOLID = 4;

/** The lines of channels, one per run that has them: a colour for each line, a dash for each run. */
export function channelLines(page: Page, names: string[]): Line[] {
  const lines: Line[] = [],
    many = page.runs.length;
  names.forEach((name, k) => {
    for (const run of page.shown) {
      const c = run.channel(name);
      if (!c) continue;
      const i = k * many + run.index;
      lines.push(lineOf(c, many > 1 ? `${name} · ${run.name}` : name, i, many > 1 ? run.index : Math.floor(k / SOLID)));
    }
  });
  return lines;
}
export function lineOf(c: Channel, label: string, color: number, dash: number): Line {
  return {
    label,
    unit: c.unit,
    color: color % LINE_COLORS,
    dash: DASHES[dash % DASHES.length],
    t: c.t,
    y: c.y,
    nan: c.nan,
    ...(c.band ? { band: c.band } : {}),
  };
}
/** Units in the order they come; the first has the axis on the left, the second that on the right. */
export const unitsOf = (lines: Line[]) => [...new Set(lines.map(l => l.unit))];
