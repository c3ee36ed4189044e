/** The box that holds all motion; of the ground only what is near it. */
import type { Point, Stroke } from "../data";
import type { Box } from "./camera";
import { place, type Motion } from "./motion";

const FRAMES_LOOKED_AT = 200;
/** How far around the motion the ground is looked at, as a share of the motion's size. */
const NEAR = 0.4;

function corners(stroke: Stroke): Point[] {
  if (stroke.line) return stroke.line.points;
  if (!stroke.circle) return [];
  const { center: [x, y], radius: r } = stroke.circle;
  return [[x - r, y], [x + r, y], [x, y - r], [x, y + r]];
}

export function bounds(motions: Motion[]): Box {
  const b: Box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  const add = ([x, y]: Point) => { if (isFinite(x) && isFinite(y)) { b.x0 = Math.min(b.x0, x); b.y0 = Math.min(b.y0, y); b.x1 = Math.max(b.x1, x); b.y1 = Math.max(b.y1, y); } };
  const ground: Point[] = [];
  for (const m of motions) {
    const every = Math.max(1, Math.floor(m.t.length / FRAMES_LOOKED_AT)), strokes = new Map(m.drawing.figures.map(f => [f.body, f.strokes]));
    for (const body of m.tracks.keys()) for (let i = 0; i < m.t.length; i += every) {
      const f = { i, j: i, w: 0 }, pose = m.pose(body, f);
      add([pose.x, pose.y]);
      for (const s of strokes.get(body) ?? []) for (const q of corners(s)) add(place(pose, q));
      m.shape(body, f, pose).forEach(add);
    }
    for (const [body, list] of strokes) if (!m.tracks.has(body)) for (const s of list) ground.push(...corners(s));
  }
  if (!isFinite(b.x0)) ground.forEach(add);
  if (!isFinite(b.x0)) return { x0: -1, y0: -1, x1: 1, y1: 1 };
  const size = Math.max(b.x1 - b.x0, b.y1 - b.y0) || 1, reach = NEAR * size, near = { x0: b.x0 - reach, y0: b.y0 - reach, x1: b.x1 + reach, y1: b.y1 + reach };
  for (const q of ground) if (q[0] >= near.x0 && q[0] <= near.x1 && q[1] >= near.y0 && q[1] <= near.y1) add(q);
  // A straight line still needs a height.
  const least = 0.25 * Math.max(b.x1 - b.x0, b.y1 - b.y0, 1e-12);
  if (b.x1 - b.x0 < least) { const m = (b.x0 + b.x1) / 2; b.x0 = m - least / 2; b.x1 = m + least / 2; }
  if (b.y1 - b.y0 < least) { const m = (b.y0 + b.y1) / 2; b.y0 = m - least / 2; b.y1 = m + least / 2; }
  return b;
}
