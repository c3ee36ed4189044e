/** All panes, the one that is active, and the tools they share. */
import type { Page, Run } from "../data";
import { button, byId, el } from "../dom";
import { onTheme } from "../theme";
import type { Clock, Window } from "../time";
import { say, type Shared } from "./chart";
import { Pane, type AnyPane, type Panes } from "./pane";
import { PhasePane } from "./phase";
import { Picker } from "./picker";

export class Plots implements Panes {
  readonly list: AnyPane[] = [];
  private active: AnyPane | null = null;
  readonly picker: Picker;
  readonly shared: Shared;
  readonly file: string;
  private showImpacts = true;
  private note = el("p", { class: "refused", role: "alert", hidden: true });
  private times: number[] | null = null;

  constructor(
    readonly page: Page,
    clock: Clock,
    view: Window,
  ) {
    this.file = page.runs[0]?.json.model || "carom";
    this.shared = {
      clock,
      window: view,
      timeUnit: page.time.unit,
      title: page.runs[0]?.json.title || this.file,
      impacts: () => (this.showImpacts ? this.impactTimes() : []),
    };
    this.picker = new Picker(page, name => this.toggle(name));
    const reset = button("whole time", () => view.all(), {
      class: "small",
      title: "Show all times (0)",
      disabled: true,
    });
    byId("plot-tools").append(
      el("h2", {}, "Plots"),
      button(
        "+ pane",
        () => {
          this.add([]);
          this.picker.focus();
        },
        { class: "small", title: "Add a pane over time" },
      ),
      button("+ phase plot", () => this.addPhase(), {
        class: "small",
        title: "Add a pane of one channel against another",
      }),
      el("span", { class: "push" }),
      ...(this.impactTimes().length ? [this.impactSwitch()] : []),
      button("−", () => view.zoom(1.6, clock.t), {
        class: "small",
        "aria-label": "Show more time",
        title: "Show more time (o)",
      }),
      button("+", () => view.zoom(1 / 1.6, clock.t), {
        class: "small",
        "aria-label": "Show less time",
        title: "Show less time around the moment (i)",
      }),
      reset,
    );
    byId("plot-tools").after(this.note);
    clock.onMove(() => {
      for (const p of this.list) p.tick();
    });
    view.onChange(() => {
      reset.disabled = view.whole;
      for (const p of this.list) p.window();
    });
    onTheme(() => this.redraw());
    for (const names of firstPanes(page)) this.add(names);
    if (this.list[0]) this.activate(this.list[0]);
  }
  private impactSwitch() {
    const box = el("input", {
      type: "checkbox",
      checked: true,
      change: () => {
        this.showImpacts = box.checked;
        for (const p of this.list) p.marks();
      },
    });
    return el("label", { title: "Impacts as ticks on the top edge; a click on one goes there" }, box, " impacts");
  }
  private impactTimes(): number[] {
    if (!this.times) this.times = this.page.shown.flatMap(r => r.impacts.map(e => e.t)).sort((a, b) => a - b);
    return this.times;
  }
  rightAxis = () => this.list.some(p => p.usesRight);
  private hadRight = false;
  /** After a change of lines: ticks of the list, and the room for a second axis in all panes. */
  changed() {
    this.refused("");
    if (this.active) this.picker.mark(this.active.names());
    if (this.rightAxis() !== this.hadRight) {
      this.hadRight = this.rightAxis();
      this.redraw();
    }
  }
  refused(words: string) {
    this.note.textContent = words;
    this.note.hidden = !words;
    if (words) say(words);
    this.picker?.mark(this.active?.names() ?? []);
  }
  add(names: string[]): Pane {
    const pane = new Pane(this, names);
    this.put(pane);
    return pane;
  }
  addPhase(x?: string, y?: string) {
    const of = this.active?.names() ?? [],
      all = this.page.channelList();
    const a = x ?? of[0] ?? all[0]?.name ?? "",
      b = y ?? of[1] ?? all[1]?.name ?? a;
    this.put(new PhasePane(this, a, b));
  }
  private put(pane: AnyPane) {
    this.list.push(pane);
    byId("panes").append(pane.root);
    pane.draw();
    this.activate(pane);
    this.changed();
  }
  activate(pane: AnyPane) {
    if (this.active === pane) return;
    this.active = pane;
    for (const p of this.list) p.root.classList.toggle("active", p === pane);
    this.picker.mark(pane.names());
  }
  remove(pane: AnyPane) {
    this.list.splice(this.list.indexOf(pane), 1);
    pane.close();
    pane.root.remove();
    if (this.active === pane) {
      this.active = null;
      if (this.list[0]) this.activate(this.list[0]);
      else this.picker.mark([]);
    }
    this.changed();
  }
  toggle(name: string) {
    if (this.active && this.list.length) this.active.toggle(name);
    else this.add([name]);
  }
  /** Runs were shown or hidden, or colours changed. */
  redraw() {
    this.times = null;
    for (const p of this.list) p.draw();
  }
}

/** Bodies looked at for the one that moves most. */
const BODIES = 60;
/** The body that moves farthest along x or y: what the mechanism is for, as a rule. */
function farthest(run: Run): string | undefined {
  let best: string | undefined,
    most = -1;
  for (const { name } of run.json.scene?.motion.bodies.filter(b => !b.name.includes(".")).slice(0, BODIES) ?? [])
    for (const axis of [".x", ".y"]) {
      const y = run.channel(name + axis)?.y;
      if (!y) continue;
      let low = Infinity,
        high = -Infinity;
      for (const v of y) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
      if (high - low > most && isFinite(high - low)) {
        most = high - low;
        best = name;
      }
    }
  return best;
}

/** What a reader is likely to look at first: how something moves, what the contacts do, where the energy is. */
function firstPanes(page: Page): string[][] {
  const all = page.channelList(),
    has = (n: string) => all.some(c => c.name === n),
    run = page.runs[0];
  if (!run) return [];
  const body = farthest(run);
  const moving = body ? [body + ".x", body + ".y"].filter(has) : [];
  const sum = (n: string) => {
    let whole = 0;
    for (const v of run.channel(n)?.y ?? []) if (v > 0) whole += v;
    return whole;
  };
  // impulses, not forces: these know every impact between two samples
  const pushes = all
    .filter(c => c.name.endsWith(".impulse_n"))
    .map(c => ({ name: c.name, sum: sum(c.name) }))
    .filter(c => c.sum > 0)
    .sort((a, b) => b.sum - a.sum)
    .slice(0, 2)
    .map(c => c.name);
  const live = (n: string) => page.runs.some(r => r.channel(n)?.y.some(v => v !== 0));
  const energy = ["energy.kinetic", "energy.potential", "energy.strain", "energy.total"].filter(n => has(n) && live(n));
  const panes = [moving, pushes, energy].filter(p => p.length);
  if (!panes.length) {
    const some = all
      .filter(c => c.unit === all[0].unit)
      .slice(0, 2)
      .map(c => c.name);
    return some.length ? [some] : [];
  }
  return panes;
}
