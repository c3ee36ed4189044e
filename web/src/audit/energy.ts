/** Where the energy is and went: parts stacked so that their sum is what was put in. */
import { before, type Run } from "../data";
import type { ChartSpec, Line } from "../plots/line";
import { number } from "../numbers";

/** Most times of the stack: more than the page has of any channel of a long run. */
const TIMES = 20000;

/** Parts from the bottom up: channel, words, number in the palette. */
const PARTS: [string, string, number][] = [
  ["energy.kinetic", "kinetic", 0],
  ["energy.potential", "potential", 5],
  ["energy.strain", "strain", 2],
  ["work.damping", "lost in dampers", 3],
  ["work.friction", "lost in friction", 1],
  ["work.impact", "lost in impacts", 7],
  ["work.numerical", "lost by the scheme", 6],
];

export interface EnergyStack {
  spec: ChartSpec;
  note: string;
}

/**
 * kinetic + potential + strain + losses = start + applied + prescribed. The potential has no natural zero: it is counted
 * from its lowest value, so that it stacks. Losses are channels that grow; what the scheme made counts as a negative loss.
 */
export function energyStack(run: Run): EnergyStack | null {
  const channels = PARTS.map(([name]) => run.channel(name));
  if (!channels[0] || !channels[1]) return null;
  const t = timesOf(channels.map(c => c?.t ?? []));
  let low = 0;
  const values = PARTS.map(([name], k) => {
    const c = channels[k],
      v = Float64Array.from(t, s => (c ? c.between(s) : 0));
    if (name === "energy.potential") {
      low = v.reduce((m, x) => (x < m ? x : m), Infinity);
      if (isFinite(low)) for (let i = 0; i < v.length; i++) v[i] -= low;
    }
    return v;
  });
  const sum = new Float64Array(t.length),
    lines: Line[] = [];
  PARTS.forEach(([, label, color], k) => {
    if (!channels[k] || values[k].every(v => v === 0)) return;
    for (let i = 0; i < t.length; i++) sum[i] += values[k][i];
    const nan = values[k].reduce((n, v) => n + (Number.isNaN(v) ? 1 : 0), 0);
    lines.push({ label, unit: channels[k]!.unit, color, dash: [], t, y: sum.slice(), own: values[k], nan });
  });
  const unit = channels[1].unit,
    shift =
      isFinite(low) && low !== 0
        ? `The potential energy is counted from its lowest value, ${number(low, 4)} ${unit}. `
        : "";
  return {
    spec: { title: "Energy balance", lines, log: false, stacked: true, zero: true, height: 260 },
    note: `${shift}The upper edge is the energy at the start plus the work put in: it is level where nothing is put in.`,
  };
}
/** All times that any channel has, thinned evenly if there are many. */
function timesOf(lists: ArrayLike<number>[]): Float64Array {
  const all = lists.every(l => l.length === 0 || l === lists[0])
    ? Float64Array.from(lists[0])
    : Float64Array.from(new Set(lists.flatMap(l => Array.from(l)))).sort();
  if (all.length <= TIMES) return all;
  const first = all[0],
    last = all[all.length - 1],
    out: number[] = [];
  for (let i = 0; i < TIMES; i++) {
    const s = all[before(all, first + ((last - first) * i) / (TIMES - 1))];
    if (s !== out[out.length - 1]) out.push(s);
  }
  return Float64Array.from(out);
}
