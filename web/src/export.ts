/** Files made on the spot: nothing leaves the page but what is saved. */
import { el } from "./dom";

export function save(name: string, content: BlobPart, type: string) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const a = el("a", { href: url, download: name.replace(/[\\/:*?"<>|\u0000-\u001f]+/g, "-") });
  document.body.append(a);
  a.click();
  a.remove();
  // The browser has taken the content by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
export type Cell = string | number | null;

/** One field after RFC 4180. Text that a spreadsheet would take for a formula gets an apostrophe. */
export function field(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return Number.isNaN(cell) ? "NaN" : String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? "'" + cell : cell;
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}
export function csv(rows: Iterable<Cell[]>): string {
  let out = "";
  for (const row of rows) out += row.map(field).join(",") + "\r\n";
  return out;
}
export const saveCsv = (name: string, rows: Iterable<Cell[]>) => save(name + ".csv", csv(rows), "text/csv;charset=utf-8");
export const saveSvg = (name: string, svg: string) => save(name + ".svg", svg, "image/svg+xml");

/** A canvas on its background. */
export function saveCanvas(canvas: HTMLCanvasElement, name: string, background: string) {
  const copy = el("canvas");
  copy.width = canvas.width; copy.height = canvas.height;
  const g = copy.getContext("2d")!;
  g.fillStyle = background; g.fillRect(0, 0, copy.width, copy.height); g.drawImage(canvas, 0, 0);
  copy.toBlob(blob => { if (blob) save(name + ".png", blob, "image/png"); });
}
/** Pixels of a PNG per unit of its SVG. */
const PNG_SCALE = 2;
export function savePng(name: string, svg: string, width: number, height: number) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })), image = new Image();
  image.onload = () => {
    const canvas = el("canvas");
    canvas.width = width * PNG_SCALE; canvas.height = height * PNG_SCALE;
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(url);
    canvas.toBlob(blob => { if (blob) save(name + ".png", blob, "image/png"); });
  };
  image.src = url;
}
