/** Contacts at work: impacts that flash, and forces as arrows. */
import type { Channel } from "../data";
import { color } from "../theme";
import type { Camera } from "./camera";
import { place, type Frame, type Motion } from "./motion";

/** How long an impact is seen, in seconds as it is watched. */
const FLASH = 0.35;
/** For those who asked for less motion an impact is a spot, without the ring that grows. */
const STILL = matchMedia("(prefers-reduced-motion: reduce)").matches;
/** Length of the arrow of a usual force, as a share of the stage's smaller side, and the longest that is drawn. */
const USUAL = 0.16,
  LONGEST = 0.55;

export class Touches {
  private hardest: number;
  private marks: Map<string, Motion["drawing"]["marks"][number]>;
  private byName: Map<string, number>;
  private forces: { touch: number; n: Channel; t: Channel | undefined }[] = [];
  private typical: number | null = null;
  constructor(private motion: Motion) {
    this.hardest = motion.run.impacts.reduce((m, e) => Math.max(m, e.impulse), 1e-300);
    this.marks = new Map(motion.drawing.marks.map(m => [m.subject, m]));
    this.byName = new Map(motion.touches.map((c, i) => [c.name, i]));
    motion.touches.forEach((c, touch) => {
      const n = motion.run.channel(c.name + ".force_n");
      if (n) this.forces.push({ touch, n, t: motion.run.channel(c.name + ".force_t") });
    });
  }
  get hasForces() {
    return this.forces.length > 0;
  }
  get unit() {
    return this.forces[0]?.n.unit ?? "";
  }
  /** The force that most of the time in contact stays below: 95 of 100 samples with force. */
  private usual(): number {
    if (this.typical === null) {
      const all: number[] = [];
      for (const f of this.forces) {
        const y = f.n.y,
          every = Math.max(1, Math.floor(y.length / 500));
        for (let i = 0; i < y.length; i += every) if (Math.abs(y[i]) > 0) all.push(Math.abs(y[i]));
      }
      all.sort((a, b) => a - b);
      this.typical = all.length ? all[Math.floor(0.95 * (all.length - 1))] : 1;
    }
    return this.typical || 1;
  }
  /** Pixels per unit of force. */
  pixels(camera: Camera, scale: number) {
    return (USUAL * Math.min(camera.width, camera.height) * scale) / this.usual();
  }

  drawForces(g: CanvasRenderingContext2D, camera: Camera, t: number, scale: number, tint: string) {
    const k = this.pixels(camera, scale),
      most = LONGEST * Math.min(camera.width, camera.height);
    for (const { touch, n, t: tangent } of this.forces) {
      const fn = n.at(t).value,
        ft = tangent?.at(t).value ?? 0;
      if (!(Math.abs(fn) + Math.abs(ft) > 0)) continue;
      const c = this.motion.touch(touch, t);
      if (!c || !Number.isFinite(c.angle)) continue;
      // force_n along the normal, force_t along its right: on the first partner.
      const [x, y] = camera.project(c.x, c.y),
        cos = Math.cos(c.angle),
        sin = Math.sin(c.angle);
      let dx = k * (fn * cos + ft * sin),
        dy = -k * (fn * sin - ft * cos);
      const l = Math.hypot(dx, dy),
        cut = l > most;
      if (l < 1) continue;
      if (cut) {
        dx *= most / l;
        dy *= most / l;
      }
      arrow(g, x, y, dx, dy, cut, tint);
    }
  }

  private where(subject: string, t: number, frame: Frame): [number, number, number] | null {
    // `guide.2.1` is shown where `guide.2` is, or where `guide` is.
    for (let name = subject; ; name = name.slice(0, name.lastIndexOf("."))) {
      const touch = this.byName.get(name),
        c = touch === undefined ? null : this.motion.touch(touch, t);
      if (c) return [c.x, c.y, 0];
      const m = this.marks.get(name);
      if (m) return [...place(this.motion.pose(m.body, frame), m.at), m.radius];
      if (!name.includes(".")) return null;
    }
  }
  drawFlashes(g: CanvasRenderingContext2D, camera: Camera, t: number, speed: number) {
    const list = this.motion.run.impacts;
    if (!list.length) return;
    const lasts = FLASH * speed;
    let i = upper(list, t);
    g.save();
    for (; i >= 0; i--) {
      const age = (t - list[i].t) / lasts;
      if (age > 1) break;
      const at = this.where(list[i].subject, list[i].t, this.motion.frame(list[i].t));
      if (!at) continue;
      const [x, y] = camera.project(at[0], at[1]),
        strength = 0.25 + 0.75 * Math.sqrt(list[i].impulse / this.hardest),
        r = at[2] * camera.scale;
      g.globalAlpha = (1 - age) * 0.35;
      g.fillStyle = color.accent;
      g.beginPath();
      g.arc(x, y, r + 3 + 9 * strength, 0, 7);
      g.fill();
      if (STILL) continue;
      g.globalAlpha = 1 - age;
      g.strokeStyle = color.accent;
      g.lineWidth = 3.5 * strength * (1 - age) + 0.5;
      g.beginPath();
      g.arc(x, y, r + 4 + 22 * strength * age, 0, 7);
      g.stroke();
    }
    g.restore();
  }
}
/** Last impact at or before t, −1 if there is none. */
function upper(list: { t: number }[], t: number): number {
  let a = -1,
    b = list.length - 1;
  while (a < b) {
    const m = (a + b + 1) >> 1;
    if (list[m].t <= t) a = m;
    else b = m - 1;
  }
  return a;
}
function arrow(g: CanvasRenderingContext2D, x: number, y: number, dx: number, dy: number, cut: boolean, tint: string) {
  const l = Math.hypot(dx, dy),
    u = [dx / l, dy / l],
    head = Math.min(9, l * 0.6),
    tip = [x + dx, y + dy];
  g.save();
  g.strokeStyle = g.fillStyle = tint;
  g.lineWidth = 2.2;
  g.lineCap = "round";
  g.beginPath();
  g.moveTo(x, y);
  g.lineTo(tip[0] - u[0] * head * 0.7, tip[1] - u[1] * head * 0.7);
  g.stroke();
  const heads = cut ? 2 : 1;
  for (let i = 0; i < heads; i++) {
    const px = tip[0] - u[0] * head * i,
      py = tip[1] - u[1] * head * i;
    g.beginPath();
    g.moveTo(px, py);
    g.lineTo(px - u[0] * head - u[1] * head * 0.45, py - u[1] * head + u[0] * head * 0.45);
    g.lineTo(px - u[0] * head + u[1] * head * 0.45, py - u[1] * head - u[0] * head * 0.45);
    g.closePath();
    g.fill();
  }
  g.beginPath();
  g.arc(x, y, 2.6, 0, 7);
  g.fill();
  g.restore();
}
