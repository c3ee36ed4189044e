/** Where every body is at a moment, between the stored frames of one run in space. SI, with time in the page's unit. */
import { before, f32, f64, nearest, type Run } from "../data";
import type { SpaceBlocks, SpaceDrawing } from "./data";
import { fromPose, SIZE, type Vec } from "./matrix";

interface Body {
  name: string;
  /** Number among bodies, for its colour; named points, which have a dot, do not count. */
  index: number;
  r: Float32Array | null;
  p: Float32Array | null;
}
export class SpaceMotion {
  readonly t: Float64Array;
  readonly bodies: Body[];
  readonly byName: Map<string, number>;
  readonly touches: { name: string; at: Float32Array; normal: Float32Array }[];
  readonly drawing: SpaceDrawing;
  /** Frames of all bodies at the moment that was last asked for, and last the one of what stands still. */
  readonly frames: Float64Array;
  constructor(readonly run: Run) {
    const scene = run.json.scene! as unknown as {
      drawing: { space: SpaceDrawing };
      motion: { t: string; space: SpaceBlocks };
    };
    this.drawing = scene.drawing.space;
    this.t = f64(scene.motion.t).map(t => run.seconds(t));
    let index = 0;
    this.bodies = scene.motion.space.bodies.map(b => ({
      name: b.name,
      index: b.name.includes(".") ? index : index++,
      r: b.r === null ? null : f32(b.r),
      p: b.p === null ? null : f32(b.p),
    }));
    this.byName = new Map(this.bodies.map((b, i) => [b.name, i]));
    this.touches = scene.motion.space.touches.map(c => ({ name: c.name, at: f32(c.at), normal: f32(c.normal) }));
    this.frames = new Float64Array((this.bodies.length + 1) * SIZE);
    fromPose(this.frames, this.bodies.length * SIZE, [0, 0, 0], [1, 0, 0, 0]);
  }
  /** Number of a body; what stands still comes after all of them. */
  number(name: string) {
    return this.byName.get(name) ?? this.bodies.length;
  }
  moves(name: string) {
    return this.byName.has(name);
  }
  private place: Vec = [0, 0, 0];
  private turn: [number, number, number, number] = [1, 0, 0, 0];
  /** Brings `frames` to a moment. */
  seek(t: number) {
    const i = before(this.t, t),
      j = Math.min(i + 1, this.t.length - 1),
      dt = this.t[j] - this.t[i];
    this.between(i, j, dt > 0 ? Math.min(Math.max((t - this.t[i]) / dt, 0), 1) : 0);
  }
  between(i: number, j: number, w: number) {
    const { place, turn } = this;
    for (let b = 0; b < this.bodies.length; b++) {
      const { r, p } = this.bodies[b];
      if (r) for (let k = 0; k < 3; k++) place[k] = r[3 * i + k] * (1 - w) + r[3 * j + k] * w;
      else place.fill(0);
      if (p) {
        // The shorter way: a quaternion and its opposite are one turn.
        let along = 0;
        for (let k = 0; k < 4; k++) along += p[4 * i + k] * p[4 * j + k];
        const v = along < 0 ? -w : w;
        for (let k = 0; k < 4; k++) turn[k] = p[4 * i + k] * (1 - w) + p[4 * j + k] * v;
      } else {
        turn.fill(0);
        turn[0] = 1;
      }
      fromPose(this.frames, b * SIZE, place, turn);
    }
  }
  /** Frame of the scene nearest to a moment, for what is not between frames. */
  nearest(t: number) {
    return nearest(this.t, t);
  }
}
