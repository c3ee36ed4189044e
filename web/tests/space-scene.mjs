// A result folder of a made-up mechanism in space with everything that can be drawn: forms, joints, a spring, a contact.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const f32 = list => Buffer.from(new Float32Array(list).buffer).toString("base64"),
  f64 = list => Buffer.from(new Float64Array(list).buffer).toString("base64"),
  u32 = list => Buffer.from(new Uint32Array(list).buffer).toString("base64");
const UPRIGHT = [1, 0, 0, 0];

/** Writes `count` bodies on a ring that turn and hop, over `frames` frames; returns the folder. */
export function spaceScene(folder, name, count, frames) {
  const out = join(folder, name);
  mkdirSync(out, { recursive: true });
  const t = Array.from({ length: frames }, (_, k) => (2 * k) / (frames - 1));
  const forms = [
    { box: { size: [0.5, 0.3, 0.2] } },
    { sphere: { radius: 0.2 } },
    { cylinder: { radius: 0.15, length: 0.5 } },
    { capsule: { radius: 0.1, length: 0.35 } },
    { cone: { radius: 0.2, length: 0.45 } },
    {
      mesh: {
        vertices: f32([0.3, 0, 0, -0.2, 0.2, 0, -0.2, -0.2, 0, 0, 0, 0.4]),
        triangles: u32([0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]),
      },
    },
    { lines: { lines: [[[-0.3, 0, 0], [0.3, 0, 0], [0, 0, 0.3]]] } },
    null,
  ];
  const kinds = ["revolute", "prismatic", "spherical", "universal", "cylindrical", "screw", "planar", "weld"];
  const ring = Math.max(1.2, count * 0.11);
  const bodies = [],
    figures = [{ body: "ground", points: [], solids: [{ at: [0, 0, 0], turn: UPRIGHT, form: { plane: { size: [3 * ring, 3 * ring] } } }] }],
    joints = [],
    columns = { t },
    touch = { at: [], normal: [] };
  for (let b = 0; b < count; b++) {
    const angle = (2 * Math.PI * b) / count,
      body = `body${b}`,
      r = [],
      p = [];
    for (const s of t) {
      const place = [ring * Math.cos(angle), ring * Math.sin(angle), 0.6 + 0.25 * Math.sin(3 * s + b)],
        half = 0.5 * (s + b);
      r.push(...place);
      p.push(Math.cos(half), 0.6 * Math.sin(half), 0, 0.8 * Math.sin(half));
    }
    bodies.push({ name: body, r: f32(r), p: f32(p) });
    ["x", "y", "z"].forEach((k, i) => (columns[`${body}.${k}`] = t.map((_, n) => r[3 * n + i])));
    const form = forms[b % forms.length];
    figures.push({
      body,
      solids: form ? [{ at: [0, 0, 0], turn: UPRIGHT, form }] : [],
      points: [{ name: "tip", at: [0.25, 0.1, 0.2] }],
    });
    joints.push({
      name: `j${b}`,
      kind: kinds[b % kinds.length],
      body,
      at: [0, 0, -0.3],
      turn: UPRIGHT,
      to: { body: "ground", at: [ring * Math.cos(angle), ring * Math.sin(angle), 0] },
    });
  }
  for (let k = 0; k < frames; k++) {
    const there = k % 50 < 25;
    touch.at.push(...(there ? [0, 0, 0] : [NaN, NaN, NaN]));
    touch.normal.push(0, 0, 1);
  }
  columns["hit.force_n"] = t.map((_, k) => (k % 50 < 25 ? 10 : 0));
  const scene = {
    format: 2,
    drawing: {
      figures: [],
      marks: [],
      space: {
        bodies: figures,
        joints,
        springs: [{ name: "s", from: { body: "ground", at: [0, 0, 1.2] }, to: { body: "body0", at: [0, 0, 0] } }],
      },
    },
    motion: {
      t: f64(t),
      bodies: [],
      space: { bodies, touches: [{ name: "hit", at: f32(touch.at), normal: f32(touch.normal) }] },
    },
  };
  writeFileSync(join(out, "scene.json"), JSON.stringify(scene));
  const names = Object.keys(columns);
  const rows = t.map((_, k) => names.map(n => columns[n][k]).join(","));
  writeFileSync(join(out, "series.csv"), [names.join(","), ...rows].join("\n") + "\n");
  return out;
}
