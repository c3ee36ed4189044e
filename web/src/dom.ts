/** Elements with text that is only ever text. */

type Attributes = Record<string, string | boolean | ((event: Event) => void)>;

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") e.addEventListener(key, value);
    else if (typeof value === "boolean") e.toggleAttribute(key, value);
    else e.setAttribute(key, value);
  }
  e.append(...children);
  return e;
}
export const byId = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T;

/** A button with its words; `label` is what a screen reader says where the words are a sign. */
export function button(text: string, press: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return el("button", { type: "button", ...attributes, click: press }, text);
}
/** Options of a choice: value and words. */
export function choices(select: HTMLSelectElement, options: [string, string][], chosen?: string) {
  select.replaceChildren(...options.map(([value, text]) => { const o = el("option", { value }, text); o.selected = value === chosen; return o; }));
}
/** A canvas sized to its element, with a context in CSS pixels, cleared. */
export function surface(canvas: HTMLCanvasElement): [CanvasRenderingContext2D, number, number] {
  const r = devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
  if (canvas.width !== Math.round(w * r) || canvas.height !== Math.round(h * r)) { canvas.width = Math.round(w * r); canvas.height = Math.round(h * r); }
  const g = canvas.getContext("2d")!;
  g.setTransform(r, 0, 0, r, 0, 0);
  g.clearRect(0, 0, w, h);
  return [g, w, h];
}
