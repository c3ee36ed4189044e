/** Light and dark, and colours that colour-blind people tell apart (after Okabe and Ito, tuned for contrast). */

export interface Colors {
  paper: string; card: string; ink: string; quiet: string; line: string; grid: string;
  accent: string; good: string; warn: string; bad: string; ground: string; lines: string[];
}
export const color: Colors = { paper: "", card: "", ink: "", quiet: "", line: "", grid: "", accent: "", good: "", warn: "", bad: "", ground: "", lines: [] };
export const LINE_COLORS = 8;
/** Dashes of runs in a comparison, and of lines after the first few. */
export const DASHES: number[][] = [[], [7, 4], [2, 3], [9, 3, 2, 3], [12, 4], [4, 2, 1, 2]];

const listeners: (() => void)[] = [];
export const onTheme = (f: () => void) => { listeners.push(f); };
const system = matchMedia("(prefers-color-scheme: dark)");
export const isDark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
export const lineColor = (i: number) => color.lines[i % LINE_COLORS];

function read() {
  const s = getComputedStyle(document.documentElement), get = (k: string) => s.getPropertyValue("--" + k).trim();
  for (const k of ["paper", "card", "ink", "quiet", "line", "grid", "accent", "good", "warn", "bad", "ground"] as const) color[k] = get(k);
  color.lines = Array.from({ length: LINE_COLORS }, (_, i) => get("c" + i));
}
function change() { read(); for (const f of listeners) f(); }
export function toggleTheme() { document.documentElement.dataset.theme = isDark() ? "light" : "dark"; change(); }
export function startTheme() { read(); system.addEventListener("change", change); }

/** Viridis: dark to bright, even in lightness, safe for colour-blind eyes. Its own colours at even steps. */
const VIRIDIS = [[68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142], [31, 158, 137], [53, 183, 121], [110, 206, 88], [181, 222, 43], [253, 231, 37]];
export function viridis(x: number): string {
  const p = Math.min(Math.max(x, 0), 1) * (VIRIDIS.length - 1), i = Math.min(Math.floor(p), VIRIDIS.length - 2), w = p - i;
  const mix = (k: number) => Math.round(VIRIDIS[i][k] * (1 - w) + VIRIDIS[i + 1][k] * w);
  return `rgb(${mix(0)},${mix(1)},${mix(2)})`;
}
