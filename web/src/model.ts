/** What was simulated, and how: bodies, joints, contacts; scheme, parameters and the command to repeat it. */
import type { Page, Run } from "./data";
import { button, byId, el } from "./dom";
import { count, number, plural } from "./numbers";
import { titled, type Row } from "./tables";

/** Rows of a table before the rest is folded away. */
const MANY = 12;

function folded(title: string, file: string, head: string[], rows: Row[]): HTMLElement {
  if (rows.length <= MANY) return titled(title, file, head, rows);
  return el("details", {}, el("summary", {}, `${title} (${count(rows.length)})`), titled("", file, head, rows));
}
export function showModel(run: Run) {
  const f = run.json.facts, root = byId("model"), file = run.json.model || "carom";
  root.replaceChildren(el("h2", {}, "Model"));
  if (!f) { root.append(el("p", { class: "quiet" }, "This result does not say what the model was made of.")); return; }
  const redundant = f.redundant.length ? `${plural(f.redundant.length, "redundant constraint")}: ${f.redundant.join(", ")}` : "no redundant constraints";
  root.append(el("p", {}, `${plural(f.bodies.length, "body", "bodies")}, ${plural(f.joints.length, "joint")}, ${plural(f.contacts.reduce((n, c) => n + c.count, 0), "possible contact")}. ${plural(f.degrees_of_freedom, "degree")} of freedom in ${plural(f.coordinates, "coordinate")}; ${redundant}. Size about ${number(f.size, 3)} m.`));
  if (f.bodies.length) root.append(folded("Bodies", `${file} bodies`, ["name", "kind", "mass / kg", "inertia / kg m²"], f.bodies.map(b => ({ cells: [b.name, b.kind, b.mass, b.inertia] }))));
  if (f.joints.length) root.append(folded("Joints", `${file} joints`, ["name", "kind", "between", "constraints"], f.joints.map(j => ({ cells: [j.name, j.kind, j.between.join(" – "), j.rows] }))));
  if (f.contacts.length) root.append(folded("Contacts", `${file} contacts`, ["name", "places", "restitution", "friction"], f.contacts.map(c => ({ cells: [c.name, c.count, c.restitution, c.friction] }))));
}
const setting = (v: unknown) => typeof v === "number" ? number(v, 6) : String(v);

export function showRun(run: Run, page: Page) {
  const root = byId("run"), j = run.json, s = j.summary, u = page.time.unit, file = j.model || "carom";
  const rows: [string, string][] = [["Model", j.model]];
  if (s) rows.push(["Scheme", s.scheme]);
  if (j.scheme_choice) rows.push(["Why this scheme", j.scheme_choice]);
  for (const [k, v] of Object.entries(j.scheme_parameters)) rows.push([`Scheme: ${k}`, setting(v)]);
  rows.push(["Step", `${number(run.seconds(j.step), 6)} ${u}`], ["Contact solver", j.solver]);
  if (s) {
    if (s.step_range[0] < s.step_range[1] * (1 - 1e-6)) rows.push(["Steps from … to", `${number(run.seconds(s.step_range[0]), 4)} … ${number(run.seconds(s.step_range[1]), 4)} ${u}`]);
    rows.push([s.tangent_factorisations ? "Newton iterations" : "Iterations (no tangents)", count(s.newton_iterations)], ["Factorisations / with tangents", `${count(s.factorisations)} / ${count(s.tangent_factorisations)}`], ["Contact problems / iterations", `${count(s.contact_problems)} / ${count(s.contact_iterations)}`]);
  }
  rows.push(["Samples stored", count(j.samples)], ["Seconds on the clock", number(j.wall_seconds, 3)]);
  if (s) rows.push(["Trajectory digest", s.digest]);
  if (j.folder) rows.push(["Folder", j.folder]);
  rows.push(["Carom", page.carom]);
  const copied = el("span", { class: "quiet", role: "status" });
  const copy = button("copy", () => {
    const done = () => { copied.textContent = "copied"; }, failed = () => { getSelection()?.selectAllChildren(code); copied.textContent = "marked: copy it with the keyboard"; };
    if (navigator.clipboard) navigator.clipboard.writeText(j.command).then(done, failed); else failed();
  }, { class: "small" });
  const code = el("code", {}, j.command), parameters = Object.entries(j.parameters);
  root.replaceChildren(
    titled("Run", `${file} run`, ["", ""], rows.map(r => ({ cells: r })), "h2"),
    el("h3", {}, "Again"), el("div", { class: "command" }, code, copy, copied),
    ...(parameters.length ? [folded("Parameters", `${file} parameters`, ["name", "value"], parameters.map(([k, v]) => ({ cells: [k, typeof v === "number" ? v : String(v)] })))] : []),
    ...(j.left_out.length ? [el("p", { class: "quiet" }, sentence(j.left_out.join(". ")))] : []));
}
export const sentence = (s: string) => s && s[0].toUpperCase() + s.slice(1) + (/[.!?]$/.test(s) ? "" : ".");
