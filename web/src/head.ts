/** Title, what was run, what is wrong, and how far to trust it. */
import { lossShare, type Page, type Run } from "./data";
import { byId, el } from "./dom";
import { count, number } from "./numbers";
import { DASHES } from "./theme";
import { swatch } from "./plots/framed";
import { sentence } from "./model";

/** Errors relative to the size: above the first it is rough, above the second not to be trusted. */
const ROUGH = 0.01,
  WRONG = 0.1;

export type Grade = "good" | "warn" | "bad";
export function grade(run: Run): Grade {
  const s = run.json.summary;
  if (!s) return "warn";
  if (run.failure) return "bad";
  const { penetration, drift_length } = s.audit,
    size = run.json.facts?.size ?? Infinity,
    places = Math.max(penetration.value ?? Infinity, drift_length.value ?? Infinity) / size,
    // the estimate, where there is one; else what is plainly wrong
    share = s.estimate ? (s.estimate.error ?? Infinity) : Math.max(Math.abs(lossShare(s.audit) ?? Infinity), places),
    lost = s.estimate ? s.estimate.horizon !== null : false;
  return share > WRONG ? "bad" : share > ROUGH || lost || s.audit.failures > 0 || s.stop !== "done" ? "warn" : "good";
}
function facts(run: Run, page: Page): string {
  const s = run.json.summary,
    u = page.time.unit,
    parts: string[] = [];
  const parameters = Object.entries(run.json.scheme_parameters)
    .map(([k, v]) => `${k} ${typeof v === "number" ? number(v) : String(v)}`)
    .join(", ");
  if (s) parts.push(s.scheme + (parameters && !s.scheme.includes("(") ? ` (${parameters})` : ""));
  if (s && s.step_range[0] < s.step_range[1] * (1 - 1e-6))
    parts.push(`steps ${number(run.seconds(s.step_range[0]))} to ${number(run.seconds(s.step_range[1]))} ${u}`);
  else if (s && run.banded) parts.push(`step ${number(run.seconds(s.step_range[1]))} ${u}`);
  else if (run.json.step > 0) parts.push(`step ${number(run.seconds(run.json.step))} ${u}`);
  if (s) parts.push(`${count(s.steps)} steps to ${number(run.seconds(s.t), 5)} ${u}`);
  if (s) parts.push(`${number(run.json.wall_seconds, 3)} s on the clock`);
  return parts.join("  ·  ");
}
/** What was certified: how far two runs agree, in the units of the run. */
function certified(run: Run): string {
  const e = run.json.summary?.estimate;
  if (!run.banded || !e) return "";
  const { unit, factor } = run.json.length,
    far = e.is_length ? `${number(e.absolute === null ? null : e.absolute / factor, 2)} ${unit}` : `${number(e.absolute, 2)} rad`;
  const bands = "Bands around the lines show how far each channel may be off.";
  if (e.missed !== null) return `Not certified: the last two runs agree to ${far} only. ${bands}`;
  return `Certified: two runs agree to ${far}. ${bands}`;
}
/** `changed` is told when a run is shown or hidden. */
export function showHead(page: Page, changed: () => void) {
  const first = page.runs[0],
    many = page.runs.length > 1;
  byId("title").textContent =
    (first?.json.title || first?.json.model || "Carom") + (many ? ` – ${page.runs.length} runs compared` : "");
  byId("facts").textContent = !first ? "" : many ? page.runs.map(r => r.name).join("  ·  ") : facts(first, page);
  const problems = byId("problems"),
    verdicts = byId("verdicts");
  for (const run of page.runs) {
    const words = [...run.json.problems];
    if (run.failure && !words.length)
      words.push(
        `The run stopped at ${number(run.span[1], 6)} ${page.time.unit} of ${number(run.seconds(run.json.end), 6)} ${page.time.unit}; what there is until then is shown. ${sentence(run.failure)}`,
      );
    if (words.length)
      problems.append(
        el(
          "div",
          { class: "problem", role: "alert" },
          ...(many ? [el("strong", {}, run.name)] : []),
          ...words.map(w => el("p", {}, sentence(w))),
        ),
      );
    const verdict =
      run.json.summary?.audit.verdict ??
      "There is no audit of this run, so nothing can be said about how far to trust it.";
    const stopped = run.json.summary?.stop === "interrupted" ? "Interrupted. " : "";
    const box = el("div", { class: `verdict ${grade(run)}` });
    if (many) {
      const tick = el("input", {
        type: "checkbox",
        checked: true,
        change: () => {
          run.visible = tick.checked;
          changed();
        },
      });
      box.append(
        el(
          "label",
          { class: "run-name" },
          tick,
          swatch({ color: run.index, dash: DASHES[run.index % DASHES.length] }),
          el("strong", {}, run.name),
        ),
      );
      box.append(el("p", { class: "quiet" }, facts(run, page)));
    }
    box.append(el("p", {}, sentence(stopped + verdict)));
    const agreed = certified(run);
    if (agreed) box.append(el("p", { class: "certified" }, agreed));
    if (!many && run.json.scheme_choice) box.append(el("p", { class: "quiet" }, sentence(run.json.scheme_choice)));
    verdicts.append(box);
  }
}
