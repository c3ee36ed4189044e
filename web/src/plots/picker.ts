/** The searchable list of channels. A tick puts a channel into the active pane or takes it out. */
import type { Page } from "../data";
import { byId, el } from "../dom";
import { count, plural } from "../numbers";

/** Most rows at once: a longer list is searched, not scrolled. */
const ROWS = 400;

/** Channels about the mechanism as a whole come last, each under its own word. */
const WHOLE = new Map([
  ["energy", "Energy"],
  ["work", "Work"],
  ["audit", "Audit"],
  ["solver", "Solver"],
]);

export class Picker {
  private list = byId("channels");
  private search = byId<HTMLInputElement>("search");
  private all: { name: string; unit: string; nan: number; group: string }[];
  private boxes = new Map<string, HTMLInputElement>();
  constructor(
    page: Page,
    private toggle: (name: string) => void,
  ) {
    const kinds = kindsOf(page);
    this.all = page.channelList().map(c => {
      const head = c.name.split(".")[0];
      return { ...c, group: WHOLE.get(head) ?? (kinds.has(head) ? `${head} (${kinds.get(head)})` : head) };
    });
    this.search.oninput = () => this.fill();
    this.search.onkeydown = e => {
      if (e.key === "ArrowDown") {
        e.preventDefault();
        this.list.querySelector("input")?.focus();
      } else if (e.key === "Enter") {
        const first = this.list.querySelector("input");
        if (first) {
          e.preventDefault();
          first.click();
        }
      } else if (e.key === "Escape") {
        this.search.value = "";
        this.fill();
        this.search.blur();
      }
    };
    this.list.onkeydown = e => {
      if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
      e.preventDefault();
      e.stopPropagation();
      const boxes = [...this.list.querySelectorAll("input")],
        i = boxes.indexOf(e.target as HTMLInputElement) + (e.key === "ArrowDown" ? 1 : -1);
      if (i < 0) this.search.focus();
      else boxes[Math.min(i, boxes.length - 1)]?.focus();
    };
    this.fill();
  }
  focus() {
    this.search.focus();
    this.search.select();
  }
  /** Every word typed must be in the name, the group or be the unit. */
  private fill() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.all.filter(c =>
      words.every(
        w => c.name.toLowerCase().includes(w) || c.group.toLowerCase().includes(w) || c.unit.toLowerCase() === w,
      ),
    );
    this.boxes.clear();
    const groups = new Map<string, HTMLElement>();
    for (const c of found.slice(0, ROWS)) {
      let group = groups.get(c.group);
      if (!group) {
        group = el("fieldset", {}, el("legend", {}, c.group));
        groups.set(c.group, group);
      }
      const box = el("input", { type: "checkbox", change: () => this.toggle(c.name) });
      this.boxes.set(c.name, box);
      const word = el("span", { class: "name" }, c.name),
        unit = el("span", { class: "quiet" }, c.unit === "1" ? "" : c.unit);
      group.append(
        el(
          "label",
          {},
          box,
          el("span", { class: "text" }, word, " ", unit),
          ...(c.nan
            ? [el("span", { class: "gaps" }, `${count(c.nan)} ${c.nan === 1 ? "value is" : "values are"} not numbers`)]
            : []),
        ),
      );
    }
    this.list.replaceChildren(...groups.values());
    if (!found.length) this.list.append(el("p", { class: "quiet" }, "No channel has these words in its name."));
    else if (found.length > ROWS)
      this.list.append(el("p", { class: "quiet" }, `${count(found.length - ROWS)} more: type to find them.`));
    byId("picker-hint").textContent = words.length
      ? `${count(found.length)} of ${plural(this.all.length, "channel")}`
      : `${plural(this.all.length, "channel")}; a tick adds to the marked pane`;
    this.mark(this.marked);
  }
  private marked: string[] = [];
  /** Ticks those that the active pane shows. */
  mark(names: string[]) {
    this.marked = names;
    const set = new Set(names);
    for (const [name, box] of this.boxes) box.checked = set.has(name);
  }
}
/** Which first word of a channel's name is a body, a joint or a contact. */
function kindsOf(page: Page): Map<string, string> {
  const kinds = new Map<string, string>();
  for (const run of page.runs) {
    const f = run.json.facts;
    for (const c of f?.contacts ?? []) kinds.set(c.name.split(".")[0], "contact");
    for (const j of f?.joints ?? []) kinds.set(j.name, "joint");
    for (const b of f?.bodies ?? []) kinds.set(b.name, "body");
    if (!f) for (const b of run.json.scene?.motion.bodies ?? []) kinds.set(b.name, "body");
  }
  return kinds;
}
