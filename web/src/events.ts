/** The table of events: filtered, and only the rows in sight are in the page. */
import type { Page, Run } from "./data";
import { button, byId, choices, el } from "./dom";
import { saveCsv, type Cell } from "./export";
import { count, number } from "./numbers";
import type { Clock } from "./time";

/** Height of a row (px), as in the style; rows kept above and below what is seen. */
const ROW = 28, SPARE = 8;
const COLUMNS = ["t", "kind", "subject", "before", "after", "impulse"];

export class EventsTable {
  private root = byId("events");
  private found: number[] = [];
  private body = el("tbody");
  private box = el("div", { class: "events-box", tabindex: "0", role: "region", "aria-label": "Events, a list that scrolls" });
  private counted = el("span", { class: "quiet", id: "event-count" });
  private kind = el("select", { "aria-label": "Kind of event" });
  private subject = el("input", { type: "search", placeholder: "subject", "aria-label": "Subject contains", autocomplete: "off", spellcheck: "false" });
  private run: Run;
  constructor(page: Page, private clock: Clock) {
    this.run = page.runs[0];
    const head = el("tr", {}, ...COLUMNS.map(c => el("th", { scope: "col" }, c === "t" ? `t / ${page.time.unit}` : c)));
    this.box.append(el("table", {}, el("thead", {}, head), this.body));
    this.root.append(
      el("div", { class: "row bar" }, el("h2", {}, "Events"), this.counted, el("span", { class: "push" }), this.kind, this.subject, button("CSV", () => this.csv(), { class: "small", title: "The events shown, as CSV" })),
      this.box);
    this.box.onscroll = () => this.rows();
    this.kind.onchange = () => this.filter();
    this.subject.oninput = () => this.filter();
    this.show(this.run);
  }
  show(run: Run) {
    this.run = run;
    const kinds = new Map<string, number>();
    for (const k of run.json.events.kind) kinds.set(k, (kinds.get(k) ?? 0) + 1);
    choices(this.kind, [["", "all kinds"], ...[...kinds].map(([k, n]) => [k, `${k} (${count(n)})`] as [string, string])], "");
    this.filter();
  }
  private filter() {
    const e = this.run.json.events, word = this.subject.value.toLowerCase(), kind = this.kind.value;
    this.found = [];
    for (let i = 0; i < e.t.length; i++) if ((!kind || e.kind[i] === kind) && e.subject[i].toLowerCase().includes(word)) this.found.push(i);
    const there = e.t.length < e.total ? `${count(e.t.length)} of ${count(e.total)} listed; all are in events.csv` : count(e.total);
    this.counted.textContent = e.total === 0 ? "Nothing but smooth motion." : kind || word ? `${count(this.found.length)} of ${there}` : there;
    this.box.hidden = e.total === 0;
    this.kind.hidden = this.subject.hidden = e.total === 0;
    this.box.scrollTop = 0;
    this.rows();
  }
  private rows() {
    const e = this.run.json.events, seen = Math.ceil((this.box.clientHeight || 320) / ROW);
    const a = Math.max(0, Math.floor(this.box.scrollTop / ROW) - SPARE), b = Math.min(this.found.length, a + seen + 2 * SPARE);
    const gap = (n: number) => { const tr = el("tr", { class: "gap", "aria-hidden": "true" }, el("td", { colspan: String(COLUMNS.length) })); tr.style.height = `${n * ROW}px`; return tr; };
    const rows = this.found.slice(a, b).map(i => el("tr", {},
      el("td", { class: "n" }, button(number(this.run.fileTime(e.t[i]), 8), () => { this.clock.pause(); this.clock.seek(this.run.fileTime(e.t[i])); }, { class: "link", title: "Go there" })),
      el("td", {}, e.kind[i]), el("td", { class: "subject", title: e.subject[i] }, e.subject[i]), ...[e.before[i], e.after[i], e.impulse[i]].map(v => el("td", { class: "n" }, number(v, 5)))));
    this.body.replaceChildren(...(a > 0 ? [gap(a)] : []), ...rows, ...(b < this.found.length ? [gap(this.found.length - b)] : []));
  }
  private csv() {
    const e = this.run.json.events;
    saveCsv(`${this.run.json.model || "carom"} events`, [COLUMNS, ...this.found.map((i): Cell[] => [e.t[i], e.kind[i], e.subject[i], e.before[i], e.after[i], e.impulse[i]])]);
  }
}
