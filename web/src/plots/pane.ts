/** A pane of channels over time that the reader fills. */
import type { Page } from "../data";
import { button, el } from "../dom";
import { Framed } from "./framed";
import type { Shared } from "./chart";
import { channelLines, unitsOf, type Line } from "./line";

const HEIGHT = 216;
/** Axes of one pane. */
const UNITS = 2;

export interface Panes {
  page: Page;
  shared: Shared;
  file: string;
  rightAxis: () => boolean;
  activate(pane: AnyPane): void;
  remove(pane: AnyPane): void;
  changed(): void;
  refused(words: string): void;
}
/** What all panes can do. */
export interface AnyPane {
  readonly root: HTMLElement;
  names(): string[];
  toggle(name: string): void;
  draw(): void;
  close(): void;
  tick(): void;
  window(): void;
  marks(): void;
  readonly usesRight: boolean;
  readonly kind: "time" | "phase";
}

export class Pane extends Framed implements AnyPane {
  readonly kind = "time";
  private list: string[];
  constructor(
    private panes: Panes,
    names: string[],
  ) {
    super({ title: "", lines: [], log: false, height: HEIGHT }, panes.shared, panes.file, panes.rightAxis);
    this.list = names;
    this.root.classList.add("pane");
    this.root.addEventListener("pointerdown", () => panes.activate(this));
    this.root.addEventListener("focusin", () => panes.activate(this));
    const log = el("input", {
      type: "checkbox",
      change: () => {
        this.spec.log = log.checked;
        this.draw();
      },
    });
    this.tools.prepend(el("label", { title: "Logarithmic axis: what is not positive is left out" }, log, " log"));
    this.tools.append(
      button("×", () => panes.remove(this), {
        class: "small close",
        "aria-label": "Remove this pane",
        title: "Remove this pane",
      }),
    );
  }
  names() {
    return this.list;
  }
  get usesRight() {
    return unitsOf(this.spec.lines).length > 1;
  }
  private lines(names: string[]): Line[] {
    return channelLines(this.panes.page, names);
  }
  toggle(name: string) {
    if (this.list.includes(name)) this.list = this.list.filter(n => n !== name);
    else {
      const next = [...this.list, name],
        units = unitsOf(this.lines(next));
      if (units.length > UNITS) {
        this.panes.refused(
          `This pane already shows ${unitsOf(this.spec.lines).join(" and ")}. ${name} is in ${units[units.length - 1]}: add a pane for it.`,
        );
        return;
      }
      this.list = next;
    }
    this.draw();
    this.panes.changed();
  }
  protected override entry(line: Line): Node[] {
    const name = this.list.find(n => line.label === n || line.label.startsWith(n + " · ")) ?? line.label;
    return [button("×", () => this.toggle(name), { class: "remove", "aria-label": `Remove ${name}`, title: "Remove" })];
  }
  override draw() {
    this.spec = { ...this.spec, lines: this.lines(this.list) };
    this.heading.textContent = this.list.length ? "" : "Empty: choose channels in the list";
    super.draw();
  }
  window() {
    this.chart.window();
  }
  marks() {
    this.chart.marks();
  }
}
