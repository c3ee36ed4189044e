/** Tables with a title and a download. */
import { button, el } from "./dom";
import { saveCsv, type Cell } from "./export";
import { number } from "./numbers";

export interface Row { cells: Cell[]; /** What the cells show, where that is not the value as such. */ shown?: (string | undefined)[]; go?: () => void; color?: number }

const word = (c: Cell) => c === null ? "–" : typeof c === "number" ? number(c, 5) : c;

export function table(head: string[] | null, rows: Row[]): HTMLElement {
  const t = el("table");
  if (head) t.append(el("thead", {}, el("tr", {}, ...head.map(h => el("th", { scope: "col" }, h)))));
  const body = el("tbody");
  for (const row of rows) {
    const tr = el("tr", {}, ...row.cells.map((c, i) => {
      const text = row.shown?.[i] ?? word(c), cls = typeof c === "number" ? "n" : "";
      if (row.go && i === row.cells.length - 1 && c !== null) return el("td", { class: cls }, button(text, row.go, { class: "link", title: "Go there" }));
      return el(i === 0 && !head ? "th" : "td", { class: cls, ...(i === 0 && !head ? { scope: "row" } : {}) }, text);
    }));
    body.append(tr);
  }
  t.append(body);
  return el("div", { class: "scroll-x" }, t);
}
/** A heading with a CSV button beside it. */
export function titled(title: string, file: string, head: string[], rows: Row[], level: "h2" | "h3" = "h3"): HTMLElement {
  return el("div", { class: "titled" },
    el("div", { class: "row bar" }, el(level, {}, title), el("span", { class: "tools" }, button("CSV", () => saveCsv(file, [head, ...rows.map(r => r.cells)]), { class: "small", title: "This table as CSV" }))),
    table(head, rows));
}
