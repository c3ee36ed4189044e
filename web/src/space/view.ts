/** The animation in space: what the stage hands over to when a run has a scene of format 2. */
import { before, type Channel, type Page, type Run } from "../data";
import { byId, choices, el, surface } from "../dom";
import { niceBelow } from "../numbers";
import type { Clock } from "../time";
import { OrbitCamera, VIEWS } from "./camera";
import { webgl, type Renderer, type Shown, type Trail } from "./gl";
import { axes, flash, scaleBar, words } from "./ink";
import { SIZE, type Vec } from "./matrix";
import { SpaceMotion } from "./motion";
import { painter } from "./painter";
import { Parts, type Rgb } from "./parts";

/** What the page lends: its colours change with the theme, so they are read when they are used. */
export interface Host {
  page: Page;
  clock: Clock;
  canvas: HTMLCanvasElement;
  color: Record<"card" | "ink" | "quiet" | "grid" | "line" | "accent" | "ground", string>;
  lineColor: (i: number) => string;
  isDark: () => boolean;
  onTheme: (f: () => void) => void;
  /** What the controls of the stage say. */
  look: { names: boolean; forces: boolean; forceScale: number };
  redraw: () => void;
}
/** Corners of circles; fewer where every triangle costs. */
const FINE = 32,
  COARSE = 20;
/** How long an impact is seen, in seconds as it is watched. */
const FLASH = 0.35;
/** Length of the arrow of a usual force, and of the longest, as a share of the radius of everything. */
const USUAL = 0.35,
  LONGEST = 1.2;
/** Keys, for the list of them. */
const WORDS: [string, string][] = [
  ["arrows", "turn the picture, when it has the focus"],
  ["1 2 3 4", "from the front, from the right, from above, at an angle"],
  ["p", "perspective or parallel"],
  ["f j", "frames of bodies, signs of joints"],
  ["g", "grid and shadows"],
  ["x y z", "cut across this axis; again to close"],
];
const TURN = 24;

interface Force {
  touch: number;
  n: Channel;
}
interface Actor {
  run: Run;
  motion: SpaceMotion;
  forces: Force[];
  usual: number;
  hardest: number;
}

export class SpaceView {
  readonly camera: OrbitCamera;
  readonly words = WORDS;
  private actors: Actor[];
  private renderer: Renderer;
  private over: HTMLCanvasElement;
  private parts: Parts;
  private trails: (Trail & { actor: Actor; t: ArrayLike<number>; name: string })[] = [];
  private followed = "";
  private lastFollowed: Vec | null = null;
  private frames = false;
  private joints = true;
  private ground = true;
  private cutAxis = -1;
  private cutAt = 0.5;
  private gridPoints: Float32Array | null = null;
  private boxes: Record<string, HTMLInputElement> = {};
  private shown: Shown;
  constructor(private host: Host) {
    const { page, canvas } = host;
    this.actors = page.runs
      .filter(r => r.json.scene?.drawing.space)
      .map(run => {
        const motion = new SpaceMotion(run),
          forces: Force[] = [];
        motion.touches.forEach((c, touch) => {
          const n = run.channel(c.name + ".force_n");
          if (n) forces.push({ touch, n });
        });
        const hardest = run.impacts.reduce((m, e) => Math.max(m, e.impulse), 1e-300);
        return { run, motion, forces, usual: usual(forces), hardest };
      });
    const motions = this.actors.map(a => a.motion);
    // `#canvas` in the address asks for the plain canvas: to compare, or where a driver draws wrong.
    const plain = /[#&]canvas\b/.test(location.hash);
    const gl = plain ? null : webgl(canvas);
    this.renderer = gl ?? painter(canvas);
    this.parts = new Parts(motions, gl ? FINE : COARSE);
    const { middle, radius } = this.parts.bounds;
    this.camera = new OrbitCamera(middle, radius);
    this.over = el("canvas", { class: "ink", "aria-hidden": "true" });
    canvas.after(this.over);
    canvas.setAttribute(
      "aria-label",
      "The mechanism in motion, in space. Arrow keys turn the picture; with Shift they move it.",
    );
    this.shown = {
      batches: this.parts.batches,
      visible: b => (b.layer === "joints" ? this.joints : b.layer === "frames" ? this.frames : true),
      grid: null,
      gridColor: [0, 0, 0],
      trails: this.trails,
      ground: null,
      cut: null,
      ink: [0, 0, 0],
      dark: false,
    };
    this.controls();
    this.pointer();
    this.recolor();
    host.onTheme(() => this.recolor());
  }
  get kind() {
    return this.renderer.kind;
  }
  get view() {
    return {
      ...this.camera.view,
      renderer: this.kind,
      frames: this.frames,
      joints: this.joints,
      ground: this.ground,
      cut: this.cutAxis,
    };
  }
  get bodies() {
    return [...new Set(this.actors.flatMap(a => a.motion.bodies.map(b => b.name)))];
  }
  /** Names that can be traced: bodies, and points recorded as `name.x`, `.y` and `.z`. */
  get paths() {
    const names = new Set(this.bodies);
    for (const { run } of this.actors)
      for (const c of run.channels)
        if (c.name.endsWith(".z") && c.unit === run.json.length.unit) {
          const name = c.name.slice(0, -2);
          if (run.channel(name + ".x") && run.channel(name + ".y")) names.add(name);
        }
    return [...names];
  }
  get hasForces() {
    return this.actors.some(a => a.forces.length > 0);
  }

  private controls() {
    const { redraw } = this.host;
    const row = el("div", { class: "controls options", id: "space-options" });
    const views = el("select", { id: "view", "aria-label": "View", title: "View (1 to 4)" });
    const named: [string, string][] = Object.keys(VIEWS).map(v => [v, v === "iso" ? "at an angle" : v]);
    choices(views, [...named, ["", "turned"]], "iso");
    views.onchange = () => {
      if (views.value) this.look(views.value);
    };
    this.views = views;
    const box = (id: string, text: string, on: boolean, set: (on: boolean) => void) => {
      const input = el("input", { id, type: "checkbox" });
      input.checked = on;
      input.onchange = () => {
        set(input.checked);
        redraw();
      };
      this.boxes[id] = input;
      row.append(el("label", {}, input, ` ${text}`));
    };
    row.append(el("label", { class: "pick" }, "view ", views));
    box("parallel", "parallel", false, on => (this.camera.parallel = on));
    box("joints", "joints", true, on => (this.joints = on));
    box("frames", "frames", false, on => (this.frames = on));
    box("floor", "ground", true, on => (this.ground = on));
    const cut = el("select", { id: "cut", "aria-label": "Cut plane", title: "Cut plane (x, y, z)" }),
      where = el("input", {
        id: "cut-at",
        type: "range",
        min: "0",
        max: "1",
        step: "0.005",
        value: "0.5",
        "aria-label": "Place of the cut",
      });
    choices(
      cut,
      [
        ["-1", "nothing"],
        ["0", "across x"],
        ["1", "across y"],
        ["2", "across z"],
      ],
      "-1",
    );
    cut.onchange = () => this.cut(+cut.value);
    where.oninput = () => {
      this.cutAt = +where.value;
      redraw();
    };
    where.hidden = true;
    this.cutter = cut;
    this.slider = where;
    row.append(el("label", { class: "pick" }, "cut ", cut), where);
    byId("stage-card").append(row);
  }
  private views!: HTMLSelectElement;
  private cutter!: HTMLSelectElement;
  private slider!: HTMLInputElement;
  private cut(axis: number) {
    this.cutAxis = axis;
    this.cutter.value = String(axis);
    this.slider.hidden = axis < 0;
    this.host.redraw();
  }
  look(view: string) {
    this.camera.look(view);
    this.views.value = view;
    this.host.redraw();
  }
  private turned() {
    this.views.value = "";
    this.host.redraw();
  }
  resetView() {
    this.camera.reset();
    this.lastFollowed = null;
    this.views.value = "iso";
    this.host.redraw();
  }
  /** Takes a key; false if it is not one of its own. */
  key(e: KeyboardEvent): boolean {
    if (e.shiftKey || e.ctrlKey) return false;
    const turn = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key],
      target = e.target as HTMLElement;
    if (turn && target.id === "stage") {
      this.camera.orbit(-TURN * turn[0], -TURN * turn[1]);
      this.turned();
      return true;
    }
    if (target.tagName === "SELECT") return false;
    const view = { 1: "front", 2: "right", 3: "top", 4: "iso" }[e.key];
    if (view) {
      this.look(view);
      return true;
    }
    const box = { p: "parallel", f: "frames", j: "joints", g: "floor" }[e.key];
    if (box) {
      this.boxes[box].click();
      return true;
    }
    const axis = e.key.length === 1 ? "xyz".indexOf(e.key) : -1;
    if (axis >= 0) {
      this.cut(this.cutAxis === axis ? -1 : axis);
      return true;
    }
    return false;
  }
  private pointer() {
    const { canvas, redraw } = this.host,
      { camera } = this,
      fingers = new Map<number, { x: number; y: number }>();
    let moving = false;
    canvas.onpointerdown = e => {
      canvas.setPointerCapture(e.pointerId);
      moving = e.button === 1 || e.button === 2 || e.shiftKey;
      fingers.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
    };
    canvas.onpointerup = canvas.onpointercancel = e => {
      fingers.delete(e.pointerId);
    };
    canvas.oncontextmenu = e => e.preventDefault();
    canvas.onpointermove = e => {
      const old = fingers.get(e.pointerId);
      if (!old) return;
      const now = { x: e.offsetX, y: e.offsetY },
        [dx, dy] = [now.x - old.x, now.y - old.y];
      fingers.set(e.pointerId, now);
      if (fingers.size > 1) {
        // Two fingers: the distance between them is the zoom, their middle the place.
        const other = [...fingers].find(([id]) => id !== e.pointerId)![1];
        const was = Math.hypot(old.x - other.x, old.y - other.y),
          is = Math.hypot(now.x - other.x, now.y - other.y);
        camera.pan(dx / 2, dy / 2);
        if (was > 1) camera.zoomAt(is / was, (now.x + other.x) / 2, (now.y + other.y) / 2);
        redraw();
      } else if (moving) {
        camera.pan(dx, dy);
        redraw();
      } else {
        camera.orbit(dx, dy);
        this.turned();
      }
    };
    canvas.addEventListener(
      "wheel",
      e => {
        e.preventDefault();
        const by = Math.exp(-Math.sign(e.deltaY) * Math.min(Math.abs(e.deltaY), 100) * 0.0016);
        camera.zoomAt(by, e.offsetX, e.offsetY);
        redraw();
      },
      { passive: false },
    );
    canvas.ondblclick = () => this.resetView();
  }

  follow(name: string) {
    this.followed = name;
    this.lastFollowed = null;
  }
  trace(choice: string) {
    this.trails.length = 0;
    for (const actor of this.actors) {
      const { motion, run } = actor,
        bodies = motion.bodies.filter(b => !b.name.includes(".")).map(b => b.name);
      for (const name of choice === "*" ? bodies : choice ? [choice.slice(1)] : []) {
        const b = motion.byName.get(name),
          place = b === undefined ? null : motion.bodies[b].r;
        let t: ArrayLike<number> = motion.t,
          points: Float32Array | null = null;
        if (place) points = place;
        else {
          const [x, y, z] = ["x", "y", "z"].map(k => run.channel(`${name}.${k}`));
          if (x && y && z) {
            t = x.t;
            const f = run.json.length.factor;
            points = new Float32Array(3 * t.length);
            for (let i = 0; i < t.length; i++)
              points.set([x.y[i] * f, y.between(t[i]) * f, z.between(t[i]) * f], 3 * i);
          }
        }
        if (points && points.length >= 6) this.trails.push({ actor, t, points, upto: 0, name, color: [0, 0, 0] });
      }
    }
    this.recolor();
  }
  /** A colour of the page as three numbers from 0 to 1. */
  private static rgb(text: string): Rgb {
    const n = parseInt(text.slice(1), 16);
    return [(n >> 16) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255];
  }
  private axisColors() {
    return [1, 2, 0].map(i => this.host.lineColor(i));
  }
  private tint(motion: SpaceMotion, body: number) {
    const { page, lineColor } = this.host;
    return lineColor(page.runs.length > 1 ? motion.run.index : (motion.bodies[body]?.index ?? 0));
  }
  private recolor() {
    const { color, isDark } = this.host,
      { rgb } = SpaceView,
      axis = this.axisColors().map(rgb);
    // The ground with so much of the card in it: what lies flat stays behind what stands on it.
    const mix = (share: number): Rgb => {
      const card = rgb(color.card);
      return rgb(color.ground).map((c, k) => c + share * (card[k] - c));
    };
    this.parts.paint(p => {
      if (typeof p === "object") return rgb(this.tint(this.actors[p.motion].motion, p.body));
      if (p === "x" || p === "y" || p === "z") return axis["xyz".indexOf(p)];
      if (p === "floor") return mix(0.8);
      return rgb(color[p]);
    });
    for (const t of this.trails) t.color = rgb(this.tint(t.actor.motion, t.actor.motion.number(t.name.split(".")[0])));
    const dark = isDark();
    this.shown.dark = dark;
    // Edges are darker than faces, in the dark too: a bright rim would hide the shading.
    this.shown.ink = dark ? [0.03, 0.04, 0.06] : rgb(color.ink);
    this.shown.gridColor = mix(0.62);
    this.host.redraw();
  }
  /** Lines of round distance around the middle, at the height of the ground. */
  private grid(): Float32Array {
    if (this.gridPoints) return this.gridPoints;
    const { middle, radius } = this.parts.bounds,
      factor = this.host.page.length.factor,
      step = niceBelow((radius / factor) * 0.5) * factor,
      n = Math.ceil((2 * radius) / step),
      [x, y] = [Math.round(middle[0] / step) * step, Math.round(middle[1] / step) * step],
      z = this.parts.ground,
      out: number[] = [];
    // In pieces: a line that reaches behind the eye would be left out whole.
    for (let i = -n; i <= n; i++)
      for (let j = -n; j < n; j++) {
        out.push(x + i * step, y + j * step, z, x + i * step, y + (j + 1) * step, z);
        out.push(x + j * step, y + i * step, z, x + (j + 1) * step, y + i * step, z);
      }
    return (this.gridPoints = new Float32Array(out));
  }
  private at: Vec = [0, 0, 0];
  private to: Vec = [0, 0, 0];
  private visible = (motion: number) => this.actors[motion].run.visible;
  paint() {
    const { canvas, clock, color, look } = this.host,
      { camera, parts, shown } = this,
      [g, w, h] = surface(this.over),
      ratio = devicePixelRatio || 1;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
      canvas.width = Math.round(w * ratio);
      canvas.height = Math.round(h * ratio);
    }
    camera.width = w;
    camera.height = h;
    for (const a of this.actors) a.motion.seek(clock.t);
    this.keepFollowing();
    camera.aim();
    parts.move(this.visible);
    parts.clearTouches();
    for (const a of this.actors) if (a.run.visible) this.touches(a, look);
    for (const t of this.trails) t.upto = t.actor.run.visible ? before(t.t, clock.t) : 0;
    shown.grid = this.ground ? this.grid() : null;
    shown.ground = this.ground ? parts.ground : null;
    shown.cut = null;
    if (this.cutAxis >= 0) {
      const { middle, radius } = parts.bounds,
        n = [0, 0, 0];
      n[this.cutAxis] = 1;
      shown.cut = [...n, middle[this.cutAxis] + (2 * this.cutAt - 1) * radius];
    }
    this.renderer.draw(camera, shown);

    // Impacts flash where their contact was.
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (const a of this.actors) {
      if (!a.run.visible) continue;
      const list = a.run.impacts;
      for (let i = list.length - 1; i >= 0; i--) {
        const age = (clock.t - list[i].t) / (FLASH * clock.speed);
        if (age < 0) continue;
        if (age > 1) break;
        const touch = a.motion.touches.find(c => c.name === list[i].subject);
        if (!touch) continue;
        const k = 3 * a.motion.nearest(list[i].t);
        camera.project(this.at, touch.at[k], touch.at[k + 1], touch.at[k + 2]);
        if (Number.isFinite(this.at[0]))
          flash(g, color, this.at, age, 0.25 + 0.75 * Math.sqrt(list[i].impulse / a.hardest), still);
      }
    }
    if (look.names) this.names(g);
    scaleBar(g, color, camera, this.host.page.length);
    axes(g, color, camera, this.axisColors());
  }
  private names(g: CanvasRenderingContext2D) {
    const actor = this.actors.find(a => a.run.visible);
    if (!actor) return;
    actor.motion.bodies.forEach((b, i) => {
      if (b.name.includes(".")) return;
      const f = actor.motion.frames;
      this.camera.project(this.at, f[i * SIZE + 9], f[i * SIZE + 10], f[i * SIZE + 11]);
      if (this.at[2] > 0 && Number.isFinite(this.at[0]))
        words(g, this.host.color, b.name, this.at[0] + 9, this.at[1] - 9);
    });
  }
  /** Dots where bodies touch, and arrows of the forces. */
  private touches(a: Actor, look: Host["look"]) {
    const { parts, at, to } = this,
      { motion } = a,
      t = this.host.clock.t,
      k = 3 * motion.nearest(t),
      accent = SpaceView.rgb(this.host.color.accent),
      { radius } = parts.bounds;
    for (const c of motion.touches) {
      for (let i = 0; i < 3; i++) at[i] = c.at[k + i];
      if (Number.isFinite(at[0] + at[1] + at[2])) parts.dot(at, 0.4 * parts.sign, accent);
    }
    if (!look.forces) return;
    for (const f of a.forces) {
      const c = motion.touches[f.touch],
        force = f.n.at(t).value;
      for (let i = 0; i < 3; i++) at[i] = c.at[k + i];
      if (!(Math.abs(force) > 0) || !Number.isFinite(at[0] + at[1] + at[2])) continue;
      const l = Math.min((USUAL * radius * look.forceScale * force) / a.usual, LONGEST * radius);
      for (let i = 0; i < 3; i++) to[i] = at[i] + l * c.normal[k + i];
      if (Number.isFinite(to[0] + to[1] + to[2])) parts.arrow(at, to, 0.28 * parts.sign, accent);
    }
  }
  private keepFollowing() {
    const actor = this.actors.find(a => a.run.visible),
      b = actor?.motion.byName.get(this.followed);
    if (!actor || b === undefined) return;
    const f = actor.motion.frames,
      now: Vec = [f[b * SIZE + 9], f[b * SIZE + 10], f[b * SIZE + 11]];
    // A body that is nowhere leaves the picture where it is.
    if (!now.every(Number.isFinite)) return;
    const last = this.lastFollowed;
    if (last) this.camera.shift(now[0] - last[0], now[1] - last[1], now[2] - last[2]);
    this.lastFollowed = now;
  }
  /** Both canvases as one, for saving; drawn anew, for a picture by WebGL is gone when it was shown. */
  picture(): HTMLCanvasElement {
    const { canvas } = this.host,
      copy = el("canvas");
    this.paint();
    copy.width = canvas.width;
    copy.height = canvas.height;
    const g = copy.getContext("2d")!;
    g.drawImage(canvas, 0, 0);
    g.drawImage(this.over, 0, 0);
    return copy;
  }
}
/** The force that most of the time in contact stays below: 95 of 100 samples with force. */
function usual(forces: Force[]): number {
  const all: number[] = [];
  for (const f of forces) {
    const y = f.n.y,
      every = Math.max(1, Math.floor(y.length / 500));
    for (let i = 0; i < y.length; i += every) if (Math.abs(y[i]) > 0) all.push(Math.abs(y[i]));
  }
  all.sort((a, b) => a - b);
  return all[Math.floor(0.95 * (all.length - 1))] || 1;
}
