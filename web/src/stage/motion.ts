/** Where every body is at a moment, between the stored frames of one run. SI, with time in the page's unit. */
import { before, f32, f64, nearest, type Drawing, type Point, type Run } from "../data";

export interface Pose { x: number; y: number; c: number; s: number }
export const STILL: Pose = { x: 0, y: 0, c: 1, s: 0 };
export const place = (p: Pose, [x, y]: Point): Point => [p.x + p.c * x - p.s * y, p.y + p.s * x + p.c * y];

interface Shape { points: number; x: Float32Array; y: Float32Array; stress: Float32Array | null; reference: Point[] }
export interface Track { name: string; index: number; x: Float32Array; y: Float32Array; angle: Float32Array | null; shape: Shape | null }
interface Touch { name: string; x: Float32Array; y: Float32Array; angle: Float32Array }
/** Two frames and the weight of the second. */
export interface Frame { i: number; j: number; w: number }

export class Motion {
  readonly t: Float64Array;
  readonly tracks = new Map<string, Track>();
  readonly touches: Touch[];
  readonly drawing: Drawing;
  constructor(readonly run: Run) {
    const { drawing, motion } = run.json.scene!;
    this.drawing = drawing;
    this.t = f64(motion.t).map(t => run.seconds(t));
    const references = new Map(drawing.figures.map(f => [f.body, f.reference ?? []]));
    motion.bodies.forEach((b, index) => this.tracks.set(b.name, {
      name: b.name, index, x: f32(b.x), y: f32(b.y), angle: b.angle ? f32(b.angle) : null,
      shape: b.shape ? { points: b.shape.points, x: f32(b.shape.x), y: f32(b.shape.y), stress: b.shape.stress ? f32(b.shape.stress) : null, reference: references.get(b.name) ?? [] } : null,
    }));
    this.touches = (motion.touches ?? []).map(c => ({ name: c.name, x: f32(c.x), y: f32(c.y), angle: f32(c.angle) }));
  }
  frame(t: number): Frame {
    const i = before(this.t, t), j = Math.min(i + 1, this.t.length - 1), dt = this.t[j] - this.t[i];
    return { i, j, w: dt > 0 ? Math.min(Math.max((t - this.t[i]) / dt, 0), 1) : 0 };
  }
  pose(body: string, f: Frame): Pose {
    const b = this.tracks.get(body);
    if (!b) return STILL;
    const mix = (a: Float32Array) => a[f.i] * (1 - f.w) + a[f.j] * f.w, angle = b.angle ? mix(b.angle) : 0;
    return { x: mix(b.x), y: mix(b.y), c: Math.cos(angle), s: Math.sin(angle) };
  }
  /** Shape points of a flexible body; its deformation enlarged by `scale`. */
  shape(body: string, f: Frame, pose: Pose, scale = 1): Point[] {
    const s = this.tracks.get(body)?.shape;
    if (!s) return [];
    const out: Point[] = [], enlarge = scale !== 1 && s.reference.length === s.points;
    for (let p = 0; p < s.points; p++) {
      const a = f.i * s.points + p, b = f.j * s.points + p;
      let x = s.x[a] * (1 - f.w) + s.x[b] * f.w, y = s.y[a] * (1 - f.w) + s.y[b] * f.w;
      if (enlarge) { const [rx, ry] = place(pose, s.reference[p]); x = rx + scale * (x - rx); y = ry + scale * (y - ry); }
      out.push([x, y]);
    }
    return out;
  }
  stress(body: string, f: Frame): number[] {
    const s = this.tracks.get(body)?.shape;
    if (!s?.stress) return [];
    const out: number[] = [];
    for (let p = 0; p < s.points; p++) out.push(s.stress[f.i * s.points + p] * (1 - f.w) + s.stress[f.j * s.points + p] * f.w);
    return out;
  }
  /** How far the shape points are from where a rigid body would have them (m). */
  deformation(body: string, f: Frame, pose: Pose): number[] {
    const s = this.tracks.get(body)?.shape;
    if (!s || s.reference.length !== s.points) return [];
    return this.shape(body, f, pose).map(([x, y], p) => { const [rx, ry] = place(pose, s.reference[p]); return Math.hypot(x - rx, y - ry); });
  }
  /** A point of a body; on a flexible one it goes with the shape point that is nearest, if one is near. */
  spot(body: string, at: Point, f: Frame, scale: number): Point {
    const pose = this.pose(body, f), reference = this.tracks.get(body)?.shape?.reference;
    if (reference?.length) {
      let best = -1, least = Infinity, size = 0;
      reference.forEach(([x, y], p) => { const d = Math.hypot(x - at[0], y - at[1]); size = Math.max(size, Math.hypot(x, y)); if (d < least) { least = d; best = p; } });
      if (least <= 0.02 * size) return this.shape(body, f, pose, scale)[best];
    }
    return place(pose, at);
  }
  /** Place and direction of a contact at a moment, from the nearest frame that has them. */
  touch(index: number, t: number): { x: number; y: number; angle: number } | null {
    const c = this.touches[index], i = nearest(this.t, t);
    return Number.isFinite(c.x[i]) && Number.isFinite(c.y[i]) ? { x: c.x[i], y: c.y[i], angle: c.angle[i] } : null;
  }
  get flexible() { return [...this.tracks.values()].some(b => b.shape && b.shape.reference.length === b.shape.points); }
  get hasStress() { return [...this.tracks.values()].some(b => b.shape?.stress); }
  private peaks = new Map<string, number>();
  /** Largest deformation (m) or stress (Pa) of the whole run; what the colours reach to. */
  largest(what: "deformation" | "stress"): number {
    let peak = this.peaks.get(what);
    if (peak === undefined) {
      peak = 0;
      for (const b of this.tracks.values()) if (b.shape) {
        if (what === "stress") { if (b.shape.stress) for (const s of b.shape.stress) if (s > peak) peak = s; }
        else for (let i = 0; i < this.t.length; i++) { const f = { i, j: i, w: 0 }; for (const d of this.deformation(b.name, f, this.pose(b.name, f))) if (d > peak) peak = d; }
      }
      this.peaks.set(what, peak);
    }
    return peak;
  }
}
