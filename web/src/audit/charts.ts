/** Drift, penetration, solver and step over time: one line per run. */
import type { Page } from "../data";
import { channelLines, type ChartSpec } from "../plots/line";

const HEIGHT = 170;

/** Whether any run has a value other than zero there. */
const live = (page: Page, name: string) => page.runs.some(r => r.channel(name)?.y.some(v => v > 0 || v < 0));

/** Those charts that have something to show, with words for those that have not. */
export function auditCharts(page: Page): { specs: ChartSpec[]; silent: string[] } {
  const specs: ChartSpec[] = [], silent: string[] = [];
  const add = (title: string, names: string[], log: boolean, nothing: string) => {
    const there = names.filter(n => live(page, n));
    if (there.length) specs.push({ title, lines: channelLines(page, there), log, height: HEIGHT });
    else if (nothing && names.some(n => page.runs.some(r => r.channel(n)))) silent.push(nothing);
  };
  add("Drift of joints", ["audit.drift_length", "audit.drift_angle"], true, "no joint drifted");
  add("Penetration", ["audit.penetration"], true, "nothing penetrated");
  add("Iterations of the solver", ["solver.newton_iterations", "solver.contact_iterations"], false, "no iterations");
  add("Residual of the contact problems", ["solver.residual"], true, "no contact residual");
  const varies = page.runs.some(r => { const y = r.channel("solver.step")?.y; if (!y) return false; let a = Infinity, b = 0; for (const v of y) if (v > 0) { if (v < a) a = v; if (v > b) b = v; } return b > a * (1 + 1e-6); });
  if (varies) add("Step size", ["solver.step"], true, "");
  return { specs, silent };
}
