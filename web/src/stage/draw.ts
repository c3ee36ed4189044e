/** Bodies, ground, joints and springs of one run on the canvas. */
import type { Point, Stroke } from "../data";
import { color, viridis } from "../theme";
import type { Camera } from "./camera";
import { place, type Frame, type Motion, type Pose } from "./motion";

export type Coloring = "none" | "deformation" | "stress";
export interface Look {
  /** Colour of a body; outlines only for the runs that are compared with the first. */
  tint: (body: string) => string;
  outline: boolean;
  deformation: number;
  coloring: Coloring;
  names: boolean;
}
type G = CanvasRenderingContext2D;

export function drawMechanism(g: G, camera: Camera, motion: Motion, frame: Frame, look: Look) {
  const labels: { text: string; x: number; y: number }[] = [];
  g.save();
  g.lineJoin = g.lineCap = "round";
  const drawn = new Set<string>();
  for (const figure of motion.drawing.figures) {
    drawn.add(figure.body);
    const moving = motion.tracks.has(figure.body);
    if (!moving && look.outline) continue;
    drawFigure(g, camera, motion, frame, look, figure.body, figure.strokes);
  }
  // A body without strokes is still somewhere; its named points are not bodies.
  for (const body of motion.tracks.keys())
    if (!drawn.has(body) && !body.includes(".")) {
      drawn.add(body);
      drawFigure(g, camera, motion, frame, look, body, []);
    }
  for (const s of motion.drawing.springs ?? []) {
    const a = motion.spot(s.from.body, s.from.at, frame, look.deformation),
      b = motion.spot(s.to.body, s.to.at, frame, look.deformation);
    spring(g, camera.project(...a), camera.project(...b), look.outline ? look.tint(s.from.body) : color.quiet);
  }
  if (!look.outline) for (const j of motion.drawing.joints ?? []) drawJoint(g, camera, motion, frame, look, j);
  if (look.names) {
    for (const body of drawn)
      if (motion.tracks.has(body)) {
        const p = motion.pose(body, frame),
          [x, y] = camera.project(p.x, p.y);
        labels.push({ text: body, x: x + 8, y: y - 8 });
      }
    drawLabels(g, labels);
  }
  g.restore();
}

function drawFigure(g: G, camera: Camera, motion: Motion, frame: Frame, look: Look, body: string, strokes: Stroke[]) {
  const pose = motion.pose(body, frame),
    track = motion.tracks.get(body),
    tint = track ? look.tint(body) : color.ground;
  const shape = motion.shape(body, frame, pose, look.deformation);
  const values =
    look.coloring === "none" || look.outline
      ? []
      : look.coloring === "stress"
        ? motion.stress(body, frame)
        : motion.deformation(body, frame, pose);
  const top = values.length ? motion.largest(look.coloring as "stress" | "deformation") || 1 : 1;
  const hasJoints = (motion.drawing.joints ?? []).length > 0;
  g.setLineDash(look.outline ? [6, 3] : []);
  for (const stroke of strokes) {
    g.strokeStyle = g.fillStyle = tint;
    g.lineWidth = look.outline ? 1.6 : track ? 2.2 : 2;
    if (stroke.circle) {
      circle(g, camera, pose, stroke.circle, !!track?.angle, look.outline);
      continue;
    }
    const closed = (stroke.shape ?? stroke.line)!.closed;
    const world = stroke.shape
      ? stroke.shape.points.map(n => shape[n]).filter(Boolean)
      : stroke.line!.points.map(q => place(pose, q));
    if (!world.length) continue;
    const points = world.map(q => camera.project(...q));
    if (stroke.shape && values.length) {
      painted(
        g,
        points,
        stroke.shape.points.map(n => values[n] / top),
        closed,
      );
      continue;
    }
    const a = points[0],
      b = points[points.length - 1],
      long = Math.hypot(b[0] - a[0], b[1] - a[1]);
    chain(g, points, closed);
    if (closed && !look.outline) {
      g.globalAlpha = 0.16;
      g.fill();
      g.globalAlpha = 1;
    } else if (!closed && !track) {
      hatch(g, points, camera.width, camera.height);
      g.lineWidth = 2;
    }
    // A link is a stout line where there is room for one.
    if (track && !closed && !look.outline) g.lineWidth = Math.min(4.5, Math.max(1.5, long / 4));
    chain(g, points, closed);
    g.stroke();
    if (track && !closed && !look.outline && !hasJoints && long > 16) for (const p of [a, b]) pin(g, p, tint);
  }
  if (track && !look.outline) {
    const [x, y] = camera.project(pose.x, pose.y);
    g.fillStyle = tint;
    g.beginPath();
    g.arc(x, y, strokes.length ? 2.2 : 6, 0, 7);
    g.fill();
  }
  g.setLineDash([]);
}

function chain(g: G, points: Point[], closed: boolean) {
  g.beginPath();
  points.forEach(([x, y], i) => (i ? g.lineTo(x, y) : g.moveTo(x, y)));
  if (closed) g.closePath();
}
function circle(
  g: G,
  camera: Camera,
  pose: Pose,
  { center, radius }: { center: Point; radius: number },
  spoke: boolean,
  outline: boolean,
) {
  const [x, y] = camera.project(...place(pose, center)),
    r = Math.max(radius * camera.scale, 2);
  g.beginPath();
  g.arc(x, y, r, 0, 7);
  if (!outline) {
    g.globalAlpha = 0.16;
    g.fill();
    g.globalAlpha = 1;
  }
  g.stroke();
  if (spoke && r > 7) {
    g.globalAlpha = 0.6;
    g.beginPath();
    g.moveTo(x, y);
    g.lineTo(x + r * pose.c, y - r * pose.s);
    g.stroke();
    g.globalAlpha = 1;
  }
}
/** A chain coloured by values from 0 to 1, each piece from the one end's colour to the other's. */
function painted(g: G, points: Point[], values: number[], closed: boolean) {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  if (closed) {
    chain(g, points, true);
    g.fillStyle = viridis(mean);
    g.globalAlpha = 0.55;
    g.fill();
    g.globalAlpha = 1;
  }
  // A rim, for the dark end of the scale on a dark page.
  g.lineWidth = closed ? 4.5 : 7;
  g.strokeStyle = color.quiet;
  g.globalAlpha = 0.5;
  chain(g, points, closed);
  g.stroke();
  g.globalAlpha = 1;
  g.lineWidth = closed ? 3 : 5;
  const last = closed ? points.length : points.length - 1;
  for (let i = 0; i < last; i++) {
    const a = points[i],
      b = points[(i + 1) % points.length];
    // Unlike lines, a gradient to nowhere is an error.
    if (!Number.isFinite(a[0] + a[1] + b[0] + b[1])) continue;
    const grade = g.createLinearGradient(a[0], a[1], b[0], b[1]);
    grade.addColorStop(0, viridis(values[i]));
    grade.addColorStop(1, viridis(values[(i + 1) % points.length]));
    g.strokeStyle = grade;
    g.beginPath();
    g.moveTo(...a);
    g.lineTo(...b);
    g.stroke();
  }
}
/** Short strokes on the right of a wall, where the solid side is. */
function hatch(g: G, points: Point[], w: number, h: number) {
  g.save();
  g.lineWidth = 1;
  g.globalAlpha = 0.55;
  g.beginPath();
  for (let i = 1; i < points.length; i++) {
    const a = points[i - 1],
      b = points[i],
      l = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (l < 1e-9) continue;
    const u = [(b[0] - a[0]) / l, (b[1] - a[1]) / l],
      n = [-u[1], u[0]];
    // Of a wall without end, only the part on the screen.
    const mid = (w / 2 - a[0]) * u[0] + (h / 2 - a[1]) * u[1],
      reach = w + h;
    for (let s = Math.max(4, 9 * Math.ceil((mid - reach) / 9)); s < Math.min(l, mid + reach); s += 9) {
      const x = a[0] + s * u[0],
        y = a[1] + s * u[1];
      g.moveTo(x, y);
      g.lineTo(x + 7 * (n[0] - u[0] * 0.8), y + 7 * (n[1] - u[1] * 0.8));
    }
  }
  g.stroke();
  g.restore();
}
function pin(g: G, [x, y]: Point, tint: string) {
  g.beginPath();
  g.arc(x, y, 4.4, 0, 7);
  g.fillStyle = color.card;
  g.fill();
  g.strokeStyle = tint;
  g.lineWidth = 1.8;
  g.stroke();
}
/** A bearing on the ground: the small triangle of the textbooks. */
function support(g: G, [x, y]: Point) {
  g.beginPath();
  g.moveTo(x, y);
  g.lineTo(x - 9, y + 14);
  g.lineTo(x + 9, y + 14);
  g.closePath();
  g.fillStyle = color.card;
  g.fill();
  g.strokeStyle = color.ground;
  g.lineWidth = 1.6;
  g.stroke();
  g.lineWidth = 1;
  g.beginPath();
  for (let i = -9; i <= 9; i += 4.5) {
    g.moveTo(x + i, y + 14);
    g.lineTo(x + i - 4, y + 19);
  }
  g.stroke();
}
function drawJoint(
  g: G,
  camera: Camera,
  motion: Motion,
  frame: Frame,
  look: Look,
  joint: NonNullable<Motion["drawing"]["joints"]>[number],
) {
  const at = camera.project(...motion.spot(joint.body, joint.at, frame, look.deformation));
  const grounded = !motion.tracks.has(joint.body) || (joint.to !== null && !motion.tracks.has(joint.to.body));
  const pose = motion.pose(joint.body, frame),
    turn = joint.angle + Math.atan2(pose.s, pose.c);
  if (joint.kind === "distance" && joint.to) {
    const to = camera.project(...motion.spot(joint.to.body, joint.to.at, frame, look.deformation));
    g.strokeStyle = color.quiet;
    g.lineWidth = 1.6;
    g.setLineDash([5, 3]);
    g.beginPath();
    g.moveTo(...at);
    g.lineTo(...to);
    g.stroke();
    g.setLineDash([]);
    pin(g, at, color.ink);
    pin(g, to, color.ink);
    return;
  }
  if (joint.kind === "revolute") {
    if (grounded) support(g, at);
    pin(g, at, color.ink);
    return;
  }
  g.save();
  g.translate(...at);
  g.rotate(-turn);
  g.strokeStyle = color.ink;
  g.fillStyle = color.card;
  g.lineWidth = 1.6;
  if (joint.kind === "prismatic") {
    // A sleeve on its line.
    g.globalAlpha = 0.55;
    g.beginPath();
    g.moveTo(-18, 0);
    g.lineTo(18, 0);
    g.stroke();
    g.globalAlpha = 1;
    g.beginPath();
    g.moveTo(-9, -5);
    g.lineTo(9, -5);
    g.moveTo(-9, 5);
    g.lineTo(9, 5);
    g.stroke();
  } else if (joint.kind === "weld") {
    g.fillStyle = color.ink;
    g.beginPath();
    g.rect(-3.5, -3.5, 7, 7);
    g.fill();
  } else {
    g.beginPath();
    g.moveTo(0, -5);
    g.lineTo(5, 0);
    g.lineTo(0, 5);
    g.lineTo(-5, 0);
    g.closePath();
    g.fill();
    g.stroke();
  }
  g.restore();
}
function spring(g: G, a: Point, b: Point, tint: string) {
  const l = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (l < 2) return;
  const u = [(b[0] - a[0]) / l, (b[1] - a[1]) / l],
    n = [-u[1], u[0]],
    turns = 8,
    lead = 0.14,
    wide = Math.min(6, l / 8);
  g.strokeStyle = tint;
  g.lineWidth = 1.5;
  g.beginPath();
  g.moveTo(...a);
  const to = (s: number, side: number) =>
    g.lineTo(a[0] + u[0] * l * s + n[0] * wide * side, a[1] + u[1] * l * s + n[1] * wide * side);
  to(lead, 0);
  for (let i = 0; i < turns; i++) to(lead + ((1 - 2 * lead) * (i + 0.5)) / turns, i % 2 ? -1 : 1);
  to(1 - lead, 0);
  to(1, 0);
  g.stroke();
}
/** Names beside their bodies; one that would lie on another steps down until it is free. */
function drawLabels(g: G, labels: { text: string; x: number; y: number }[]) {
  const taken: [number, number, number][] = [];
  g.font = "12px system-ui, sans-serif";
  g.textAlign = "left";
  g.textBaseline = "alphabetic";
  g.lineWidth = 3;
  g.strokeStyle = color.card;
  g.fillStyle = color.ink;
  for (const label of labels) {
    const w = g.measureText(label.text).width;
    let y = label.y;
    for (
      let tries = 0;
      tries < 6 && taken.some(([x0, y0, w0]) => label.x < x0 + w0 + 4 && x0 < label.x + w + 4 && Math.abs(y - y0) < 14);
      tries++
    )
      y += 15;
    taken.push([label.x, y, w]);
    g.strokeText(label.text, label.x, y);
    g.fillText(label.text, label.x, y);
  }
}
