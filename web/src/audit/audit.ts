/** How far the result can be trusted, with the numbers behind it. */
import { lossShare, type Maybe, type Page, type Run, type Worst } from "../data";
import { byId, el } from "../dom";
import type { Cell } from "../export";
import { count, number } from "../numbers";
import type { Shared } from "../plots/chart";
import { Framed } from "../plots/framed";
import { onTheme } from "../theme";
import { titled, type Row } from "../tables";
import { auditCharts } from "./charts";
import { energyStack } from "./energy";

export class AuditSection {
  private root = byId("audit");
  private tables = el("div", { class: "audit-tables" });
  private stack = el("div");
  private small = el("div", { class: "small-charts" });
  private frames: Framed[] = [];
  private chooser = el("span", { class: "row" });
  constructor(
    private page: Page,
    private shared: Shared,
    private file: string,
  ) {
    this.root.append(
      el("div", { class: "row bar" }, el("h2", {}, "How far to trust it"), this.chooser),
      el("div", { class: "audit-top" }, this.stack, this.tables),
      this.small,
    );
    shared.clock.onMove(() => {
      for (const f of this.frames) f.tick();
    });
    shared.window.onChange(() => {
      for (const f of this.frames) f.chart.window();
    });
    onTheme(() => {
      for (const f of this.frames) f.draw();
    });
  }
  /** The place for the choice of the run, in a comparison. */
  get head() {
    return this.chooser;
  }
  show(run: Run) {
    for (const f of this.frames) f.close();
    this.frames = [];
    this.stack.replaceChildren();
    this.small.replaceChildren();
    const energy = energyStack(run);
    if (energy) {
      this.frame(energy.spec, this.stack);
      this.stack.append(el("p", { class: "quiet" }, energy.note));
    }
    const { specs, silent } = auditCharts(this.page);
    for (const spec of specs) this.frame(spec, this.small);
    if (silent.length) this.small.after(this.silence(silent));
    this.tables.replaceChildren(...this.numbers(run));
  }
  private said: HTMLElement | null = null;
  private silence(words: string[]) {
    this.said?.remove();
    const text = words.join(", ");
    this.said = el("p", { class: "quiet" }, `Not drawn, for there is nothing to see: ${text}.`);
    return this.said;
  }
  private frame(spec: Framed["spec"], into: HTMLElement) {
    const f = new Framed(spec, this.shared, this.file);
    into.append(f.root);
    this.frames.push(f);
    f.draw();
  }
  private numbers(run: Run): HTMLElement[] {
    const s = run.json.summary;
    if (!s)
      return [
        el(
          "p",
          { class: "quiet" },
          "There is no summary of this run (summary.json is missing or damaged), so there are no worst values, counts and losses to show.",
        ),
      ];
    const a = s.audit,
      time = this.page.time,
      { clock } = this.shared;
    const worst = (what: string, w: Worst, unit: string): Row => {
      const t = run.seconds(w.t ?? NaN),
        somewhere = w.value !== 0 && w.t !== null;
      return {
        cells: [what, w.value, unit, w.subject || null, somewhere ? t : null],
        shown: [
          undefined,
          number(w.value, 4),
          undefined,
          w.subject || "–",
          somewhere ? `${number(t, 6)} ${time.unit}` : "–",
        ],
        go: somewhere
          ? () => {
              clock.pause();
              clock.seek(t);
            }
          : undefined,
      };
    };
    const rows = [
      worst("Joints open by", a.drift_length, "m"),
      worst("Joints turned by", a.drift_angle, "rad"),
      worst("Penetration", a.penetration, "m"),
      worst("Contact residual", a.contact_residual, ""),
    ];
    const counts: [string, Cell][] = [
      ["Lost by the scheme, share of the energy that moved", lossShare(a)],
      ["Steps", s.steps],
      ["Steps retried", s.retries],
      ["Steps rejected", s.rejected],
      ["Contact problems", a.contact_problems],
      ["… answered by a fallback solver", a.fallbacks],
      ["… not converged, then retried", a.failures],
      ["Impacts", s.impacts],
    ];
    const sheet: [string, Maybe][] = [
      ["Energy at the start", a.energy_start],
      ["+ work of applied forces", a.applied_work],
      ["+ work of prescribed motions", a.prescribed_work],
      ["− lost in dampers", a.damping_loss],
      ["− lost in friction", a.friction_loss],
      ["− lost in impacts", a.impact_loss],
      ["− lost by the scheme", a.numerical_loss],
      ["= energy at the end", a.energy_end],
    ];
    const out = [
      titled(
        "Worst values",
        `${this.file} worst values`,
        ["what", "largest", "unit", "where", `when / ${time.unit}`],
        rows,
      ),
      el(
        "div",
        { class: "pair" },
        titled(
          "Counts",
          `${this.file} counts`,
          ["what", "value"],
          counts.map(([k, v]) => ({
            cells: [k, v],
            shown: [undefined, typeof v === "number" && Number.isInteger(v) ? count(v) : undefined],
          })),
        ),
        titled(
          "Energy sheet",
          `${this.file} energy sheet`,
          ["what", "J"],
          sheet.map(([k, v]) => ({ cells: [k, v], shown: [undefined, number(v, 6)] })),
        ),
      ),
    ];
    const phases = s.phases.filter(p => p.steps);
    if (phases.length)
      out.push(
        titled(
          "Phases",
          `${this.file} phases`,
          ["phase", `time / ${time.unit}`, "steps", "began"],
          phases.map(p => ({
            cells: [
              p.name,
              run.seconds(p.time),
              p.steps,
              p.began.map(([why, n]) => (n > 1 ? `${why} (${n} times)` : why)).join(", "),
            ],
          })),
        ),
      );
    return out;
  }
}
/** The runs side by side. */
export function comparisonTable(page: Page): HTMLElement {
  const rows = page.runs.map((run): Row => {
    const s = run.json.summary,
      a = s?.audit;
    return {
      color: run.index,
      cells: [
        run.name,
        s?.scheme ?? null,
        run.seconds(run.json.step),
        s?.steps ?? null,
        s ? run.seconds(s.t) : null,
        run.json.wall_seconds,
        a ? lossShare(a) : null,
        a?.drift_length.value ?? null,
        a?.penetration.value ?? null,
        s?.impacts ?? null,
      ],
    };
  });
  const u = page.time.unit;
  return titled(
    "The runs side by side",
    "comparison",
    [
      "run",
      "scheme",
      `step / ${u}`,
      "steps",
      `end / ${u}`,
      "seconds on the clock",
      "lost by the scheme",
      "drift / m",
      "penetration / m",
      "impacts",
    ],
    rows,
    "h2",
  );
}
