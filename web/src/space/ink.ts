/** What is written over the picture: names, the length of a bar, which way the axes point, and flashes of impacts. */
import { niceBelow, number } from "../numbers";
import type { OrbitCamera } from "./camera";
import type { Vec } from "./matrix";

const BAR = 110;
type G = CanvasRenderingContext2D;
interface Inks {
  card: string;
  quiet: string;
  ink: string;
  accent: string;
}

export function words(g: G, inks: Inks, text: string, x: number, y: number, align: CanvasTextAlign = "left") {
  g.font = "12px system-ui, sans-serif";
  g.textAlign = align;
  g.textBaseline = "alphabetic";
  g.lineWidth = 3;
  g.lineJoin = "round";
  g.strokeStyle = inks.card;
  g.strokeText(text, x, y);
  g.fillStyle = inks.quiet;
  g.fillText(text, x, y);
}
/** A bar of round length, true where the eye looks. */
export function scaleBar(g: G, inks: Inks, camera: OrbitCamera, unit: { unit: string; factor: number }) {
  const l = niceBelow(BAR / camera.scale / unit.factor) * unit.factor,
    w = l * camera.scale,
    x = 14,
    y = camera.height - 14;
  g.strokeStyle = inks.quiet;
  g.lineWidth = 1.5;
  g.beginPath();
  g.moveTo(x, y - 5);
  g.lineTo(x, y);
  g.lineTo(x + w, y);
  g.lineTo(x + w, y - 5);
  g.stroke();
  words(g, inks, `${number(l / unit.factor, 3)} ${unit.unit}`, x + 5, y - 5);
}
/** Which way x, y and z point, in the corner. */
export function axes(g: G, inks: Inks, camera: OrbitCamera, colors: string[]) {
  const { right, up, back } = camera,
    L = 26,
    x = camera.width - 46,
    y = camera.height - 44;
  const order = [0, 1, 2].sort((a, b) => back[a] - back[b]);
  g.lineWidth = 2;
  g.lineCap = "round";
  for (const k of order) {
    const dx = L * right[k],
      dy = -L * up[k];
    g.strokeStyle = colors[k];
    g.beginPath();
    g.moveTo(x, y);
    g.lineTo(x + dx, y + dy);
    g.stroke();
    if (Math.hypot(dx, dy) > 6) {
      const l = Math.hypot(dx, dy);
      words(g, { ...inks, quiet: colors[k] }, "xyz"[k], x + dx + (8 * dx) / l, y + dy + (8 * dy) / l + 4, "center");
    }
  }
}
/** A ring about a place that grows and fades; `age` from 0 to 1. */
export function flash(g: G, inks: Inks, at: Vec, age: number, strength: number, still: boolean) {
  g.save();
  g.globalAlpha = (1 - age) * 0.35;
  g.fillStyle = g.strokeStyle = inks.accent;
  g.beginPath();
  g.arc(at[0], at[1], 3 + 9 * strength, 0, 7);
  g.fill();
  if (!still) {
    g.globalAlpha = 1 - age;
    g.lineWidth = 3.5 * strength * (1 - age) + 0.5;
    g.beginPath();
    g.arc(at[0], at[1], 4 + 22 * strength * age, 0, 7);
    g.stroke();
  }
  g.restore();
}
