/** Numbers as people read them. */

/** Digits of a readout: what a stored single-precision number carries. */
export const READOUT_DIGITS = 7;

/** At most `digits` significant digits, with a true minus sign. */
export function number(x: number | null | undefined, digits = 4): string {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (x === 0) return "0";
  if (!isFinite(x)) return x > 0 ? "∞" : "−∞";
  const a = Math.abs(x), short = +x.toPrecision(digits), text = a >= 1e-3 && a < 1e6 ? String(short) : short.toExponential();
  return text.replace("e+", "e").replace(/-/g, "−");
}
/** Shortest decimal that reads back as the same single-precision number. */
export function single(x: number): string {
  if (Number.isNaN(x)) return "NaN";
  for (let digits = 6; digits < 9; digits++) { const s = +x.toPrecision(digits); if (Math.fround(s) === x) return String(s); }
  return String(+x.toPrecision(9));
}
export const count = (n: number) => n.toLocaleString("en");
export const plural = (n: number, one: string, many = one + "s") => `${count(n)} ${n === 1 ? one : many}`;

/** A value with the prefix that keeps it between 1 and 1000: `3.2 MPa`. */
export function prefixed(x: number, unit: string, digits = 3): string {
  const steps: [number, string][] = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];
  if (x === 0 || !isFinite(x)) return `${number(x)} ${unit}`;
  const [factor, prefix] = steps.find(([f]) => Math.abs(x) >= f) ?? steps[steps.length - 1];
  return `${number(x / factor, digits)} ${prefix}${unit}`;
}
/** Largest of 1, 2, 5 times a power of ten that is not above x. */
export function niceBelow(x: number): number {
  const p = 10 ** Math.floor(Math.log10(x)), m = x / p;
  return (m >= 5 ? 5 : m >= 2 ? 2 : 1) * p;
}
/** Ticks at 1, 2 or 5 times a power of ten. */
export function ticks(low: number, high: number, wanted: number): number[] {
  const raw = (high - low) / Math.max(wanted, 1);
  if (!(raw > 0) || !isFinite(raw)) return [];
  const p = 10 ** Math.floor(Math.log10(raw)), m = raw / p, step = (m > 5 ? 10 : m > 2 ? 5 : m > 1 ? 2 : 1) * p, list: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) list.push(i * step);
  return list;
}
/** Powers of ten in a range; every n-th if there are many. */
export function decades(low: number, high: number, wanted: number): number[] {
  const a = Math.ceil(Math.log10(low) - 1e-9), b = Math.floor(Math.log10(high) + 1e-9), every = Math.max(1, Math.ceil((b - a) / wanted)), list: number[] = [];
  for (let p = a; p <= b; p++) if ((p - a) % every === 0) list.push(10 ** p);
  return list;
}
