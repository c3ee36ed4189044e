/** Unit shapes: triangles as corner and normal (6 numbers a corner), edges as two points (6 numbers). */

export interface Geometry {
  triangles: Float32Array;
  edges: Float32Array;
  /** Whether it encloses a solid, so that faces turned away are not seen. */
  closed: boolean;
  /** Whether all behind it is full: seen from its free side it lies under everything. */
  under?: boolean;
}
/** Cosine of the angle between two triangles from which their common edge is drawn: 30°. */
const CREASE = 0.866;
type P = readonly number[];

class Maker {
  private t: number[] = [];
  private e: number[] = [];
  triangle(a: P, b: P, c: P, na: P, nb = na, nc = na) {
    this.t.push(...a, ...na, ...b, ...nb, ...c, ...nc);
  }
  quad(a: P, b: P, c: P, d: P, na: P, nb = na, nc = na, nd = na) {
    this.triangle(a, b, c, na, nb, nc);
    this.triangle(a, c, d, na, nc, nd);
  }
  edge(a: P, b: P) {
    this.e.push(...a, ...b);
  }
  made(closed: boolean): Geometry {
    return { triangles: new Float32Array(this.t), edges: new Float32Array(this.e), closed };
  }
}
const turn = (k: number, n: number): [number, number] => [
  Math.cos((2 * Math.PI * k) / n),
  Math.sin((2 * Math.PI * k) / n),
];

/** Radius 1, with an equator and half a meridian that show how it turns. */
export function sphere(around: number): Geometry {
  const g = new Maker(),
    rings = around / 2;
  const at = (i: number, k: number): P => {
    const [c, s] = turn(k, around),
      a = (Math.PI * i) / rings;
    return [Math.sin(a) * c, Math.sin(a) * s, -Math.cos(a)];
  };
  for (let i = 0; i < rings; i++)
    for (let k = 0; k < around; k++) {
      const a = at(i, k),
        b = at(i, k + 1),
        c = at(i + 1, k + 1),
        d = at(i + 1, k);
      if (i === 0) g.triangle(a, c, d, a, c, d);
      else if (i === rings - 1) g.triangle(a, b, c, a, b, c);
      else g.quad(a, b, c, d, a, b, c, d);
    }
  for (let k = 0; k < 2 * around; k++) {
    const out = (p: P) => p.map(x => 1.003 * x),
      [c, s] = turn(k, 2 * around),
      [d, t] = turn(k + 1, 2 * around);
    g.edge(out([c, s, 0]), out([d, t, 0]));
    if (k < around) g.edge(out([s, 0, -c]), out([t, 0, -d]));
  }
  return g.made(true);
}
/** Edges of length 1 about the origin. */
export function box(): Geometry {
  const g = new Maker();
  for (let i = 0; i < 3; i++)
    for (const s of [-0.5, 0.5]) {
      const j = (i + 1) % 3,
        k = (i + 2) % 3;
      const p = (u: number, v: number) => {
        const q = [0, 0, 0];
        q[i] = s;
        q[j] = u;
        q[k] = v;
        return q;
      };
      const n = [0, 0, 0];
      n[i] = 2 * s;
      const c = [p(-0.5, -0.5), p(0.5, -0.5), p(0.5, 0.5), p(-0.5, 0.5)];
      if (s < 0) c.reverse();
      g.quad(c[0], c[1], c[2], c[3], n);
      for (const [u, v] of [
        [-0.5, s],
        [0.5, s],
      ]) {
        const a = [0, 0, 0];
        a[j] = u;
        a[k] = v;
        const b = [...a];
        a[i] = -0.5;
        b[i] = 0.5;
        g.edge(a, b);
      }
    }
  return g.made(true);
}
/** Radius 1 below and `top` above, from z = −1/2 to 1/2; without `rims` it is the middle of a capsule. */
export function cylinder(around: number, top = 1, rims = true): Geometry {
  const g = new Maker(),
    slope = 1 - top;
  for (let k = 0; k < around; k++) {
    const [c, s] = turn(k, around),
      [d, t] = turn(k + 1, around),
      low = (x: number, y: number): P => [x, y, -0.5],
      high = (x: number, y: number): P => [top * x, top * y, 0.5];
    const n: P = [c, s, slope],
      m: P = [d, t, slope];
    if (top > 0) g.quad(low(c, s), low(d, t), high(d, t), high(c, s), n, m, m, n);
    else g.triangle(low(c, s), low(d, t), [0, 0, 0.5], n, m, [c + d, s + t, 2 * slope]);
    if (!rims) continue;
    g.triangle([0, 0, -0.5], low(d, t), low(c, s), [0, 0, -1]);
    g.edge(low(c, s), low(d, t));
    if (top > 0) {
      g.triangle([0, 0, 0.5], high(c, s), high(d, t), [0, 0, 1]);
      g.edge(high(c, s), high(d, t));
    }
  }
  // One line along it shows how it turns.
  g.edge([1, 0, -0.5], [top, 0, 0.5]);
  return g.made(true);
}
/** A square of side 1 in z = 0, in tiles, with its border. */
export function tile(): Geometry {
  const g = new Maker(),
    N = 8,
    at = (i: number) => i / N - 0.5,
    up: P = [0, 0, 1];
  for (let i = 0; i < N; i++) {
    for (const s of [-0.5, 0.5]) {
      g.edge([at(i), s, 0], [at(i + 1), s, 0]);
      g.edge([s, at(i), 0], [s, at(i + 1), 0]);
    }
    for (let j = 0; j < N; j++)
      g.quad([at(i), at(j), 0], [at(i + 1), at(j), 0], [at(i + 1), at(j + 1), 0], [at(i), at(j + 1), 0], up);
  }
  return { ...g.made(false), under: true };
}
/** A wound wire from z = 0 to 1, with straight ends. */
export function helix(): Geometry {
  const g = new Maker(),
    TURNS = 8,
    STEPS = 16,
    all = TURNS * STEPS;
  const at = (k: number): P => {
    const [c, s] = turn(k, STEPS),
      r = Math.min(1, (2 * k) / STEPS, (2 * (all - k)) / STEPS);
    return [r * c, r * s, 0.1 + (0.8 * k) / all];
  };
  g.edge([0, 0, 0], at(0));
  for (let k = 0; k < all; k++) g.edge(at(k), at(k + 1));
  g.edge(at(all), [0, 0, 1]);
  return g.made(false);
}
/** A line from the origin along one axis. */
export function axis(i: number): Geometry {
  const g = new Maker(),
    p = [0, 0, 0];
  p[i] = 1;
  g.edge([0, 0, 0], p);
  return g.made(false);
}
export function lines(list: P[][]): Geometry {
  const g = new Maker();
  for (const line of list) for (let i = 1; i < line.length; i++) g.edge(line[i - 1], line[i]);
  return g.made(false);
}
/** A surface of triangles with edges where it ends or bends; smooth where it does not. */
export function mesh(vertices: Float32Array, triangles: Uint32Array): Geometry {
  const g = new Maker(),
    at = (k: number): P => [vertices[3 * k], vertices[3 * k + 1], vertices[3 * k + 2]];
  const sides = new Map<string, P[]>(),
    ends = new Map<string, [number, number]>();
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i], triangles[i + 1], triangles[i + 2]],
      [p, q, r] = [at(a), at(b), at(c)];
    const u = [0, 1, 2].map(k => q[k] - p[k]),
      v = [0, 1, 2].map(k => r[k] - p[k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]],
      l = Math.hypot(n[0], n[1], n[2]) || 1,
      unit = n.map(x => x / l);
    g.triangle(p, q, r, unit);
    for (const [x, y] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      const key = x < y ? `${x} ${y}` : `${y} ${x}`;
      sides.set(key, [...(sides.get(key) ?? []), unit]);
      ends.set(key, [x, y]);
    }
  }
  for (const [key, n] of sides) {
    const flat = n.length === 2 && n[0][0] * n[1][0] + n[0][1] * n[1][1] + n[0][2] * n[1][2] > CREASE;
    const [a, b] = ends.get(key)!;
    if (!flat) g.edge(at(a), at(b));
  }
  return g.made(false);
}
