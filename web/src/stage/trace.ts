/** The path of a body or of a named point up to now. */
import { before, type Run } from "../data";
import type { Camera } from "./camera";
import type { Motion } from "./motion";

export interface Traceable {
  name: string;
  t: ArrayLike<number>;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  factor: number;
}

/** Names that can be traced: every body, and every point recorded as `name.x` and `name.y` in a length. */
export function traceNames(run: Run, motion: Motion | null): string[] {
  const names = new Set(motion ? motion.tracks.keys() : []);
  for (const c of run.channels)
    if (c.name.endsWith(".x") && c.unit === run.json.length.unit) {
      const name = c.name.slice(0, -2);
      if (run.channel(name + ".y")?.unit === c.unit) names.add(name);
    }
  return [...names];
}
/** The path by its frames or, for a point that is not drawn, by its channels (file units). */
export function traceable(run: Run, motion: Motion, name: string): Traceable | null {
  const track = motion.tracks.get(name);
  if (track) return { name, t: motion.t, x: track.x, y: track.y, factor: 1 };
  const x = run.channel(name + ".x"),
    y = run.channel(name + ".y");
  if (!x || !y) return null;
  // The two may be thinned differently: y is read at the times of x.
  const t = x.t,
    ys = y.t === t ? y.y : Float64Array.from(t, s => y.between(s));
  return { name, t, x: x.y, y: ys, factor: run.json.length.factor };
}
export function drawTrace(g: CanvasRenderingContext2D, camera: Camera, path: Traceable, t: number, tint: string) {
  const last = before(path.t, t);
  g.save();
  g.strokeStyle = tint;
  g.lineWidth = 1.6;
  g.lineJoin = "round";
  // All of it faintly, what has been strongly.
  for (const [end, alpha] of [
    [path.t.length - 1, 0.18],
    [last, 0.75],
  ] as const) {
    g.globalAlpha = alpha;
    g.beginPath();
    let pen = false;
    for (let i = 0; i <= end; i++) {
      const [x, y] = camera.project(path.x[i] * path.factor, path.y[i] * path.factor);
      if (!Number.isFinite(x + y)) {
        pen = false;
        continue;
      }
      if (pen) g.lineTo(x, y);
      else g.moveTo(x, y);
      pen = true;
    }
    g.stroke();
  }
  g.restore();
}
