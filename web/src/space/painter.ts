/** The same scene on a plain canvas, for browsers without WebGL 2: far things first. */
import type { OrbitCamera } from "./camera";
import { SUN, type Renderer, type Shown } from "./gl";
import type { Vec } from "./matrix";
import { apply } from "./matrix";
import { STRIDE, type Rgb } from "./parts";

/** Numbers of one item: depth, kind (2 for a line, 3 for a face), three corners, colour, width. */
const ITEM = 12;
/** Edges win over the faces that they border by this share of the radius. */
const NEARER = 0.02;
/** Depths of what lies under everything: walls seen from their free side, their borders, the grid. Shadows fall on all of it. */
const UNDER = 1e30;

export function painter(canvas: HTMLCanvasElement): Renderer {
  const g = canvas.getContext("2d")!;
  let items = new Float64Array(4096 * ITEM),
    order = new Uint32Array(4096),
    count = 0;
  const item = () => {
    if ((count + 1) * ITEM > items.length) {
      const more = new Float64Array(2 * items.length);
      more.set(items);
      items = more;
      order = new Uint32Array(2 * order.length);
    }
    return count++ * ITEM;
  };
  const w: Vec[] = [
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ],
    s: Vec[] = [
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ];
  const css = (r: number, gr: number, b: number, a = 1) =>
    `rgba(${Math.round(255 * r)},${Math.round(255 * gr)},${Math.round(255 * b)},${a})`;
  const draw = (camera: OrbitCamera, shown: Shown) => {
    const ratio = devicePixelRatio || 1,
      { back, right, up, eye } = camera,
      least = camera.parallel ? -Infinity : 1e-3 * camera.radius;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, camera.width, camera.height);
    g.lineJoin = g.lineCap = "round";
    count = 0;
    const light = [0, 1, 2].map(k => 0.8 * back[k] + 0.42 * up[k] - 0.42 * right[k] + (k === 2 ? 0.2 : 0)),
      bright = Math.hypot(...light);
    const cutOff = (p: Vec) =>
      !!shown.cut && shown.cut[0] * p[0] + shown.cut[1] * p[1] + shown.cut[2] * p[2] > shown.cut[3];
    const stroke = (a: Vec, b: Vec, nearer: number, r: number, gr: number, bl: number, width: number) => {
      camera.project(s[0], ...a);
      camera.project(s[1], ...b);
      if (!(s[0][2] > least && s[1][2] > least)) return;
      const o = item();
      items[o] = (s[0][2] + s[1][2]) / 2 - nearer;
      items[o + 1] = 2;
      items[o + 2] = s[0][0];
      items[o + 3] = s[0][1];
      items[o + 4] = s[1][0];
      items[o + 5] = s[1][1];
      items[o + 8] = r;
      items[o + 9] = gr;
      items[o + 10] = bl;
      items[o + 11] = width;
    };
    const shadows = new Path2D();
    for (const batch of shown.batches) {
      if (!shown.visible(batch)) continue;
      const { triangles, edges, closed, under } = batch.geometry,
        d = batch.data;
      for (let i = 0; i < batch.count; i++) {
        const f = i * STRIDE,
          r = d[f + 12],
          gr = d[f + 13],
          bl = d[f + 14],
          solid = d[f + 15] > 0,
          first = count;
        let seenFree = !!under;
        if (solid)
          for (let t = 0; t < triangles.length; t += 18) {
            for (let c = 0; c < 3; c++) {
              const k = t + 6 * c;
              apply(w[c], d, f, triangles[k], triangles[k + 1], triangles[k + 2]);
            }
            const [a, b, c] = w,
              ux = b[0] - a[0],
              uy = b[1] - a[1],
              uz = b[2] - a[2],
              vx = c[0] - a[0],
              vy = c[1] - a[1],
              vz = c[2] - a[2];
            let nx = uy * vz - uz * vy,
              ny = uz * vx - ux * vz,
              nz = ux * vy - uy * vx;
            const l = Math.hypot(nx, ny, nz);
            if (!(l > 0) || cutOff(a)) continue;
            if (shown.ground !== null && batch.shadow) {
              for (let q = 0; q < 3; q++) {
                const h = w[q][2] - shown.ground;
                camera.project(s[q], w[q][0] - SUN[0] * h, w[q][1] - SUN[1] * h, shown.ground);
              }
              if (s[0][2] > least && s[1][2] > least && s[2][2] > least) {
                // All one way round, so that what overlaps adds up to one shadow.
                const turned =
                  (s[1][0] - s[0][0]) * (s[2][1] - s[0][1]) - (s[2][0] - s[0][0]) * (s[1][1] - s[0][1]) > 0;
                shadows.moveTo(s[0][0], s[0][1]);
                for (const q of turned ? [1, 2] : [2, 1]) shadows.lineTo(s[q][0], s[q][1]);
              }
            }
            const ex = camera.parallel ? back[0] : eye[0] - a[0],
              ey = camera.parallel ? back[1] : eye[1] - a[1],
              ez = camera.parallel ? back[2] : eye[2] - a[2];
            const away = nx * ex + ny * ey + nz * ez < 0;
            if (away) seenFree = false;
            if (away && closed && !shown.cut) continue;
            const sign = (away ? -1 : 1) / l;
            nx *= sign;
            ny *= sign;
            nz *= sign;
            for (let q = 0; q < 3; q++) camera.project(s[q], ...w[q]);
            if (!(s[0][2] > least && s[1][2] > least && s[2][2] > least)) continue;
            const shade =
              away && closed
                ? 0.6
                : 0.5 + 0.1 * nz + 0.46 * Math.max((nx * light[0] + ny * light[1] + nz * light[2]) / bright, 0);
            const o = item();
            items[o] = (s[0][2] + s[1][2] + s[2][2]) / 3;
            items[o + 1] = 3;
            for (let q = 0; q < 3; q++) {
              items[o + 2 + 2 * q] = s[q][0];
              items[o + 3 + 2 * q] = s[q][1];
            }
            items[o + 8] = r * shade;
            items[o + 9] = gr * shade;
            items[o + 10] = bl * shade;
          }
        if (seenFree) for (let k = first; k < count; k++) items[k * ITEM] = 3 * UNDER;
        if (!batch.edges) continue;
        const borders = count;
        const mix = batch.plain || !solid ? 0 : 0.6,
          [ir, ig, ib] = shown.ink;
        for (let e = 0; e < edges.length; e += 6) {
          apply(w[0], d, f, edges[e], edges[e + 1], edges[e + 2]);
          apply(w[1], d, f, edges[e + 3], edges[e + 4], edges[e + 5]);
          if (cutOff(w[0])) continue;
          const into = (x: number, y: number) => x + mix * (y - x);
          stroke(w[0], w[1], NEARER * camera.radius, into(r, ir), into(gr, ig), into(bl, ib), batch.edges);
        }
        if (seenFree) for (let k = borders; k < count; k++) items[k * ITEM] = 2 * UNDER;
      }
    }
    const free = (p: Float32Array, step: number, n: number, c: Rgb, width: number) => {
      for (let i = 0; i < n; i++) {
        for (let q = 0; q < 2; q++) for (let k = 0; k < 3; k++) w[q][k] = p[i * step + 3 * q + k];
        stroke(w[0], w[1], 0, c[0], c[1], c[2], width);
      }
    };
    // The ground is below everything that stands on it.
    const below = eye[2] < (shown.ground ?? -Infinity);
    if (shown.grid) {
      const from = count;
      free(shown.grid, 6, shown.grid.length / 6, shown.gridColor, 1);
      if (!below) for (let i = from; i < count; i++) items[i * ITEM] = UNDER;
    }
    for (const t of shown.trails) free(t.points, 3, t.upto, t.color, 2);
    for (let i = 0; i < count; i++) order[i] = i;
    const sorted = order.subarray(0, count).sort((a, b) => items[b * ITEM] - items[a * ITEM] || a - b);
    let cast = shown.ground === null;
    for (const i of sorted) {
      const o = i * ITEM;
      if (!cast && items[o] < UNDER) {
        g.fillStyle = css(0, 0, 0, shown.dark ? 0.38 : 0.14);
        g.fill(shadows);
        cast = true;
      }
      const c = css(items[o + 8], items[o + 9], items[o + 10]);
      g.beginPath();
      g.moveTo(items[o + 2], items[o + 3]);
      g.lineTo(items[o + 4], items[o + 5]);
      if (items[o + 1] === 3) {
        g.lineTo(items[o + 6], items[o + 7]);
        g.closePath();
        g.fillStyle = c;
        g.fill();
        // Neighbours meet without a gap.
        g.lineWidth = 0.7;
      } else g.lineWidth = items[o + 11];
      g.strokeStyle = c;
      g.stroke();
    }
  };
  return { kind: "canvas", draw };
}
