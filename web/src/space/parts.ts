/** The scene as batches of equal shapes: one buffer of frames and colours for each, rewritten for every moment. */
import { f32, u32 } from "../data";
import type { Form } from "./data";
import * as shape from "./geometry";
import type { Geometry } from "./geometry";
import { apply, between, fromPose, multiply, scaled, SIZE, type Numbers, type Vec } from "./matrix";
import type { SpaceMotion } from "./motion";

/** What is shown or hidden together. */
export type Layer = "solids" | "joints" | "frames" | "springs" | "touches";
/** Numbers of one instance: frame and colour; alpha 0 leaves its edges only. */
export const STRIDE = SIZE + 4;
export type Rgb = readonly number[];

export class Batch {
  data = new Float32Array(8 * STRIDE);
  count = 0;
  constructor(
    readonly layer: Layer,
    readonly geometry: Geometry,
    readonly shadow: boolean,
    /** Width of the edges (px); 0 for none. */
    readonly edges: number,
    /** Edges in the colour of the thing itself, for what has no faces. */
    readonly plain: boolean,
  ) {}
  add(): number {
    if ((this.count + 1) * STRIDE > this.data.length) {
      const more = new Float32Array(2 * this.data.length);
      more.set(this.data);
      this.data = more;
    }
    return this.count++;
  }
  paint(slot: number, c: Rgb, alpha: number) {
    const o = slot * STRIDE + SIZE;
    this.data[o] = c[0];
    this.data[o + 1] = c[1];
    this.data[o + 2] = c[2];
    this.data[o + 3] = alpha;
  }
}
/** Whose colour a piece has: a body of a run by number, or a role. */
type Paint = { motion: number; body: number } | "ground" | "floor" | "ink" | "quiet" | "accent" | "x" | "y" | "z";
interface Piece {
  batch: Batch;
  slot: number;
  motion: number;
  body: number;
  local: Float64Array;
  paint: Paint;
}
/** Something from a place of one body to a place of another. */
interface Link {
  batch: Batch;
  slot: number;
  motion: number;
  from: number;
  to: number;
  a: Vec;
  b: Vec;
  radius: number;
  paint: Paint;
  /** Whether the shape runs from −1/2 to 1/2 instead of 0 to 1. */
  centred: boolean;
}
export interface Bounds {
  middle: Vec;
  radius: number;
  low: number;
}
/** Frames looked at for the size of everything. */
const LOOKED_AT = 60;
/** Motion that leaves this many times the size of the first moment has run away, and is let go at the second number. */
const AWAY = 1000,
  LET_GO = 20;

export class Parts {
  readonly batches: Batch[] = [];
  private byKey = new Map<string, Batch>();
  private pieces: Piece[] = [];
  private links: Link[] = [];
  readonly bounds: Bounds;
  /** Size of signs (m). */
  readonly sign: number;
  /** Height of the ground (m): that of a level plane, if there is one. */
  readonly ground: number;
  /** Reach of every body about its origin (m), by run. */
  private reach: Float64Array[];
  readonly dots: Batch;
  readonly shafts: Batch;
  readonly heads: Batch;
  constructor(
    readonly motions: SpaceMotion[],
    private around: number,
  ) {
    this.reach = motions.map(m => new Float64Array(m.bodies.length + 1));
    motions.forEach((m, i) => this.measure(m, i));
    this.bounds = this.box();
    this.sign = this.signSize();
    let level = this.bounds.low;
    for (const m of motions)
      for (const f of m.drawing.bodies)
        if (!m.moves(f.body))
          for (const s of f.solids)
            if (s.form.plane) {
              const frame = new Float64Array(SIZE);
              fromPose(frame, 0, s.at, s.turn);
              if (frame[8] > 0.999) level = s.at[2];
            }
    this.ground = level;
    motions.forEach((m, i) => this.build(m, i));
    this.dots = this.batch("touches", "sphere", () => shape.sphere(12));
    this.shafts = this.batch("touches", "cylinder", () => shape.cylinder(12));
    this.heads = this.batch("touches", "cone", () => shape.cylinder(16, 0));
  }

  private batch(layer: Layer, name: string, make: () => Geometry, edges = layer === "solids" ? 1.1 : 0): Batch {
    const key = `${layer} ${name}`;
    let batch = this.byKey.get(key);
    if (!batch) {
      const geometry = make(),
        plain = geometry.triangles.length === 0;
      batch = new Batch(
        layer,
        geometry,
        layer === "solids" && name !== "tile",
        name === "sphere" && layer !== "solids" ? 0 : plain ? 2 : edges,
        plain,
      );
      this.byKey.set(key, batch);
      this.batches.push(batch);
    }
    return batch;
  }
  private put(batch: Batch, motion: number, body: number, local: Float64Array, paint: Paint) {
    this.pieces.push({ batch, slot: batch.add(), motion, body, local, paint });
  }
  /** How far a form reaches about its own origin (m). */
  private static size(form: Form): number {
    if (form.sphere) return form.sphere.radius;
    if (form.box) return Math.hypot(...form.box.size) / 2;
    if (form.capsule) return form.capsule.radius + form.capsule.length / 2;
    const round = form.cylinder ?? form.cone;
    if (round) return Math.hypot(round.radius, round.length / 2);
    let far = 0;
    if (form.mesh) {
      const v = f32(form.mesh.vertices);
      for (let i = 0; i < v.length; i += 3) far = Math.max(far, Math.hypot(v[i], v[i + 1], v[i + 2]));
    }
    for (const line of form.lines?.lines ?? []) for (const p of line) far = Math.max(far, Math.hypot(...p));
    return far;
  }
  private measure(m: SpaceMotion, index: number) {
    const reach = this.reach[index],
      hold = (body: string, at: Vec, more = 0) => {
        const b = m.number(body);
        reach[b] = Math.max(reach[b], Math.hypot(...at) + more);
      };
    for (const f of m.drawing.bodies) {
      for (const s of f.solids) if (m.moves(f.body)) hold(f.body, s.at, Parts.size(s.form));
      for (const p of f.points) hold(f.body, p.at);
    }
    for (const j of m.drawing.joints) {
      hold(j.body, j.at);
      if (j.to) hold(j.to.body, j.to.at);
    }
  }
  /** The ball that holds all motion; of the ground, where mechanisms hang on it and what stands near. */
  private box(): Bounds {
    const all = { a: [Infinity, Infinity, Infinity], b: [-Infinity, -Infinity, -Infinity] },
      first = structuredClone(all);
    const hold = (box: typeof all, x: number, k: number, r: number) => {
      if (!Number.isFinite(x)) return;
      box.a[k] = Math.min(box.a[k], x - r);
      box.b[k] = Math.max(box.b[k], x + r);
    };
    this.motions.forEach((m, index) => {
      const every = Math.max(1, Math.floor(m.t.length / LOOKED_AT));
      for (let i = 0; i < m.t.length; i += every) {
        m.between(i, i, 0);
        m.bodies.forEach((_, b) => {
          for (let k = 0; k < 3; k++) {
            const x = m.frames[b * SIZE + 9 + k],
              r = this.reach[index][b];
            hold(all, x, k, r);
            if (i === 0) hold(first, x, k, r);
          }
        });
      }
      const still = (body: string, at: Vec, r = 0) => {
        if (!m.moves(body)) for (let k = 0; k < 3; k++) for (const b of [all, first]) hold(b, at[k], k, r);
      };
      for (const j of m.drawing.joints) {
        still(j.body, j.at);
        if (j.to) still(j.to.body, j.to.at);
      }
      for (const s of m.drawing.springs) for (const e of [s.from, s.to]) still(e.body, e.at);
      const nothingMoves = !m.bodies.length;
      for (const f of m.drawing.bodies)
        for (const s of f.solids)
          if (!s.form.plane || nothingMoves) {
            const r = s.form.plane ? Math.max(...s.form.plane.size) / 2 : Parts.size(s.form);
            still(f.body, s.at, r);
          }
    });
    const size = (b: typeof all) => Math.max(0, ...b.b.map((x, k) => x - b.a[k]).filter(Number.isFinite));
    let box = all;
    if (size(first) > 0 && size(all) > AWAY * size(first)) {
      const more = (LET_GO * size(first)) / 2;
      box = { a: first.a.map(x => x - more), b: first.b.map(x => x + more) };
    }
    if (!box.a.every(Number.isFinite) || size(box) === 0) {
      const at = box.a.map(x => (Number.isFinite(x) ? x : 0));
      return { middle: at as Vec, radius: 1, low: at[2] - 0.5 };
    }
    const middle = box.a.map((x, k) => (x + box.b[k]) / 2) as Vec,
      radius = Math.hypot(...box.b.map((x, k) => x - box.a[k])) / 2;
    return { middle, radius, low: box.a[2] };
  }
  /** Signs are small beside everything, and beside the usual body. */
  private signSize() {
    const reaches = this.reach
      .flatMap(r => [...r.subarray(0, -1)])
      .filter(r => r > 0)
      .sort((a, b) => a - b);
    const usual = reaches[reaches.length >> 1] ?? Infinity;
    return Math.min(0.035 * this.bounds.radius, 0.16 * usual);
  }

  private build(m: SpaceMotion, index: number) {
    const around = this.around,
      { sign } = this;
    const ball = (layer: Layer) => this.batch(layer, "sphere", () => shape.sphere(around)),
      rod = (layer: Layer) => this.batch(layer, "cylinder", () => shape.cylinder(around));
    const local = (at: Vec, turn: [number, number, number, number], x = 1, y = x, z = x) => {
      const f = new Float64Array(SIZE);
      fromPose(f, 0, at, turn);
      scaled(f, 0, x, y, z);
      return f;
    };
    const shown = new Set<string>();
    const solid = (body: number, paint: Paint, at: Vec, turn: [number, number, number, number], form: Form) => {
      const add = (batch: Batch, x: number, y: number, z: number) =>
        this.put(batch, index, body, local(at, turn, x, y, z), paint);
      if (form.sphere) add(ball("solids"), form.sphere.radius, form.sphere.radius, form.sphere.radius);
      else if (form.box) add(this.batch("solids", "box", shape.box), ...form.box.size);
      else if (form.cylinder)
        add(rod("solids"), form.cylinder.radius, form.cylinder.radius, form.cylinder.length);
      else if (form.cone)
        add(
          this.batch("solids", "cone", () => shape.cylinder(around, 0)),
          form.cone.radius,
          form.cone.radius,
          form.cone.length,
        );
      else if (form.plane) add(this.batch("solids", "tile", shape.tile, 0.6), ...form.plane.size, 1);
      else if (form.capsule) {
        const { radius: r, length: l } = form.capsule,
          frame = local(at, turn),
          end = this.batch("solids", "cap", () => ({ ...shape.sphere(around), edges: new Float32Array(0) })),
          p: Vec = [0, 0, 0];
        if (l > 0)
          add(
            this.batch("solids", "sleeve", () => shape.cylinder(around, 1, false)),
            r,
            r,
            l,
          );
        for (const s of [-0.5, 0.5]) {
          apply(p, frame, 0, 0, 0, s * l);
          this.put(end, index, body, local([...p], turn, r), paint);
        }
      } else if (form.mesh) {
        const { vertices, triangles } = form.mesh;
        add(
          this.batch("solids", `mesh ${index} ${this.pieces.length}`, () => shape.mesh(f32(vertices), u32(triangles))),
          1,
          1,
          1,
        );
      } else if (form.lines) {
        const list = form.lines.lines;
        add(
          this.batch("solids", `lines ${index} ${this.pieces.length}`, () => shape.lines(list)),
          1,
          1,
          1,
        );
      }
    };
    // Places of a body that are drawn to if it has no solids.
    const spots = new Map<string, Vec[]>();
    const spot = (body: string, at: Vec) => spots.set(body, [...(spots.get(body) ?? []), at]);
    for (const f of m.drawing.bodies) for (const p of f.points) spot(f.body, p.at);
    for (const j of m.drawing.joints) {
      spot(j.body, j.at);
      if (j.to) spot(j.to.body, j.to.at);
    }
    for (const s of m.drawing.springs) for (const e of [s.from, s.to]) spot(e.body, e.at);
    const skeleton = (body: string) => {
      const b = m.number(body),
        paint = { motion: index, body: b },
        upright: [number, number, number, number] = [1, 0, 0, 0];
      this.put(ball("solids"), index, b, local([0, 0, 0], upright, 0.9 * sign), paint);
      for (const at of spots.get(body) ?? []) {
        if (Math.hypot(...at) < 0.5 * sign) continue;
        const f = new Float64Array(SIZE);
        between(f, 0, [0, 0, 0], at, 0.4 * sign);
        centre(f, 0);
        this.put(rod("solids"), index, b, f, paint);
      }
    };
    for (const f of m.drawing.bodies) {
      const b = m.number(f.body);
      shown.add(f.body);
      const paint: Paint = m.moves(f.body) ? { motion: index, body: b } : "ground";
      // Of the runs that are compared with the first, only what moves.
      if (paint === "ground" && index > 0) continue;
      for (const s of f.solids) solid(b, paint === "ground" && s.form.plane ? "floor" : paint, s.at, s.turn, s.form);
      if (!f.solids.length && m.moves(f.body)) skeleton(f.body);
    }
    for (const b of m.bodies)
      if (!shown.has(b.name) && !b.name.includes(".")) {
        shown.add(b.name);
        skeleton(b.name);
      }
    const wire = this.batch("springs", "helix", shape.helix, 1.6);
    for (const s of m.drawing.springs)
      this.link(wire, m, index, s.from, s.to, 0.7 * sign, index ? { motion: index, body: m.number(s.from.body) } : "ink", false);
    if (index > 0) return;
    for (const j of m.drawing.joints) this.joint(m, index, j);
    // Frames of bodies, as long as they are seen beside their body.
    const axes = [0, 1, 2].map(i => this.batch("frames", `axis ${i}`, () => shape.axis(i)));
    const triad = (b: number, length: number) =>
      axes.forEach((batch, i) =>
        this.put(batch, index, b, local([0, 0, 0], [1, 0, 0, 0], length), (["x", "y", "z"] as const)[i]),
      );
    m.bodies.forEach((body, b) => {
      if (!body.name.includes(".")) triad(b, Math.max(1.25 * this.reach[index][b], 3 * sign));
    });
    triad(m.bodies.length, 5 * sign);
  }
  private link(
    batch: Batch,
    m: SpaceMotion,
    motion: number,
    from: { body: string; at: Vec },
    to: { body: string; at: Vec },
    radius: number,
    paint: Paint,
    centred: boolean,
  ) {
    const [a, b] = [m.number(from.body), m.number(to.body)];
    this.links.push({ batch, slot: batch.add(), motion, from: a, to: b, a: from.at, b: to.at, radius, paint, centred });
  }
  /** The sign of a joint: what it lets turn is round along its axis, what it lets slide is square. */
  private joint(m: SpaceMotion, index: number, j: SpaceMotion["drawing"]["joints"][number]) {
    const s = this.sign,
      body = m.number(j.body),
      around = this.around;
    const piece = (
      kind: "sphere" | "cylinder" | "box" | "cone",
      size: Vec,
      [x, y, z]: Vec = [0, 0, 0],
      tilt: [number, number, number, number] = [1, 0, 0, 0],
    ) => {
      const batch = this.batch(
        "joints",
        kind,
        {
          sphere: () => shape.sphere(around),
          cylinder: () => shape.cylinder(around),
          box: shape.box,
          cone: () => shape.cylinder(around, 0),
        }[kind],
        1,
      );
      const frame = new Float64Array(SIZE),
        within = new Float64Array(SIZE),
        f = new Float64Array(SIZE);
      fromPose(frame, 0, j.at, j.turn);
      fromPose(within, 0, [x * s, y * s, z * s], tilt);
      multiply(f, 0, frame, 0, within, 0);
      scaled(f, 0, size[0] * s, size[1] * s, size[2] * s);
      this.put(batch, index, body, f, "ink");
    };
    const aboutX: [number, number, number, number] = [Math.SQRT1_2, 0, Math.SQRT1_2, 0],
      aboutY: [number, number, number, number] = [Math.SQRT1_2, Math.SQRT1_2, 0, 0];
    switch (j.kind) {
      case "revolute":
        piece("cylinder", [0.55, 0.55, 2.2]);
        break;
      case "cylindrical":
        piece("cylinder", [0.65, 0.65, 1.6]);
        piece("cylinder", [0.28, 0.28, 4]);
        break;
      case "screw":
        piece("cylinder", [0.3, 0.3, 4]);
        for (const z of [-0.8, 0, 0.8]) piece("cone", [0.75, 0.75, 0.8], [0, 0, z]);
        break;
      case "prismatic":
        piece("box", [1, 1, 2]);
        piece("box", [0.4, 0.4, 4]);
        break;
      case "spherical":
      case "ball":
        piece("sphere", [0.85, 0.85, 0.85]);
        break;
      case "universal":
      case "constant-velocity":
        piece("cylinder", [0.3, 0.3, 2.6], [0, 0, 0], aboutX);
        piece("cylinder", [0.3, 0.3, 2.6], [0, 0, 0], aboutY);
        if (j.kind !== "universal") piece("sphere", [0.8, 0.8, 0.8]);
        break;
      case "planar":
        piece("box", [3, 3, 0.15]);
        break;
      case "weld":
        piece("box", [0.9, 0.9, 0.9]);
        break;
      case "gear":
      case "rack":
        piece("cylinder", [1.1, 1.1, 0.4]);
        break;
      case "distance":
        piece("sphere", [0.5, 0.5, 0.5]);
        if (j.to)
          this.link(
            this.batch("joints", "cylinder", () => shape.cylinder(around), 1),
            m,
            index,
            { body: j.body, at: j.at },
            j.to,
            0.2 * s,
            "ink",
            true,
          );
        break;
      default:
        piece("sphere", [0.55, 0.55, 0.55]);
        piece("cylinder", [0.15, 0.15, 3]);
    }
  }

  /** Gives every piece its colour. */
  paint(of: (paint: Paint) => Rgb) {
    for (const p of [...this.pieces, ...this.links])
      p.batch.paint(p.slot, of(p.paint), p.motion > 0 && typeof p.paint === "object" ? 0 : 1);
  }
  private ends: [Vec, Vec] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  /** Brings every piece where its body is; motions must be at their moment. */
  move(visible: (motion: number) => boolean) {
    for (const p of this.pieces) {
      const o = p.slot * STRIDE;
      if (visible(p.motion)) multiply(p.batch.data, o, this.motions[p.motion].frames, p.body * SIZE, p.local, 0);
      else p.batch.data.fill(0, o, o + SIZE);
    }
    const [a, b] = this.ends;
    for (const l of this.links) {
      const { frames } = this.motions[l.motion],
        o = l.slot * STRIDE;
      if (!visible(l.motion)) {
        l.batch.data.fill(0, o, o + SIZE);
        continue;
      }
      apply(a, frames, l.from * SIZE, ...l.a);
      apply(b, frames, l.to * SIZE, ...l.b);
      between(l.batch.data, o, a, b, l.radius);
      if (l.centred) centre(l.batch.data, o);
    }
  }
  clearTouches() {
    this.dots.count = this.shafts.count = this.heads.count = 0;
  }
  /** A ball of some radius (m). */
  dot(at: Vec, r: number, c: Rgb) {
    const slot = this.dots.add(),
      d = this.dots.data,
      o = slot * STRIDE;
    d.fill(0, o, o + SIZE);
    d[o] = d[o + 4] = d[o + 8] = r;
    for (let k = 0; k < 3; k++) d[o + 9 + k] = at[k];
    this.dots.paint(slot, c, 1);
  }
  /** An arrow from a place to another. */
  arrow(from: Vec, to: Vec, r: number, c: Rgb) {
    const l = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]),
      head = Math.min(6 * r, 0.6 * l) / (l || 1),
      [neck] = this.ends;
    for (let k = 0; k < 3; k++) neck[k] = to[k] + (from[k] - to[k]) * head;
    let slot = this.shafts.add();
    between(this.shafts.data, slot * STRIDE, from, neck, r);
    centre(this.shafts.data, slot * STRIDE);
    this.shafts.paint(slot, c, 1);
    slot = this.heads.add();
    between(this.heads.data, slot * STRIDE, neck, to, 2.4 * r);
    centre(this.heads.data, slot * STRIDE);
    this.heads.paint(slot, c, 1);
  }
}
/** From a shape that begins at the origin to one about its middle. */
function centre(f: Numbers, o: number) {
  for (let k = 0; k < 3; k++) f[o + 9 + k] += f[o + 6 + k] / 2;
}
