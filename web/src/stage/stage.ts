/** The animation: canvas, camera and the controls under it. */
import { byId, choices, surface } from "../dom";
import type { Page, Point, Run } from "../data";
import { number, niceBelow, prefixed } from "../numbers";
import { color, isDark, lineColor, onTheme, viridis } from "../theme";
import { naturalSpeed, type Clock } from "../time";
import { saveCanvas } from "../export";
import { bounds } from "./bounds";
import { Camera } from "./camera";
import { drawMechanism, type Coloring } from "./draw";
import { Motion } from "./motion";
import { Touches } from "./touches";
import type { Host, SpaceView } from "../space/view";
import { drawTrace, traceable, traceNames, type Traceable } from "./trace";

/** Speeds offered, as multiples of the one at which a run lasts ten seconds. */
const SPEEDS = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
/** Width of the scale bar (px), about. */
const BAR = 110;

interface Actor {
  run: Run;
  motion: Motion;
  touches: Touches;
}

export class Stage {
  private canvas = byId<HTMLCanvasElement>("stage");
  private actors: Actor[];
  readonly camera: Camera;
  /** Draws in place of this if a run is in space; the page then carries what it needs. */
  readonly space: SpaceView | null = null;
  private followed = "";
  private lastFollowed: Point | null = null;
  private traces: { actor: Actor; path: Traceable }[] = [];
  private queued = false;
  private natural: number;
  names = false;
  forces = false;
  forceScale = 1;
  deformation = 1;
  coloring: Coloring = "none";

  constructor(
    private page: Page,
    private clock: Clock,
  ) {
    this.actors = page.runs
      .filter(r => r.json.scene && !r.json.scene.drawing.space)
      .map(run => {
        const motion = new Motion(run);
        return { run, motion, touches: new Touches(motion) };
      });
    this.camera = new Camera(bounds(this.actors.map(a => a.motion)));
    this.canvas.style.setProperty("--aspect", String(Math.min(Math.max(this.camera.aspect, 1), 2)));
    this.natural = naturalSpeed(clock.span);
    const open = (globalThis as { caromSpace?: (host: Host) => SpaceView }).caromSpace;
    if (open && page.runs.some(r => r.json.scene?.drawing.space)) {
      const { canvas } = this,
        redraw = () => this.redraw();
      this.space = open({ page, clock, canvas, color, lineColor, isDark, onTheme, look: this, redraw });
    }
    this.controls();
    if (!this.space) this.pointer();
    clock.onMove(() => this.redraw());
    onTheme(() => this.redraw());
    new ResizeObserver(() => {
      this.drawTicks();
      this.redraw();
    }).observe(this.canvas);
  }
  get hasScene() {
    return this.actors.length > 0 || !!this.space;
  }

  private controls() {
    const { clock } = this;
    const play = byId<HTMLButtonElement>("play"),
      time = byId<HTMLInputElement>("time");
    play.onclick = () => clock.toggle();
    clock.onSwitch(() => {
      play.classList.toggle("playing", clock.playing);
      play.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
    });
    time.oninput = () => {
      clock.pause();
      clock.seek(clock.start + clock.span * +time.value);
    };
    clock.onMove(() => {
      time.value = String((clock.t - clock.start) / clock.span);
      const said = `${number(clock.t, 5)} ${this.page.time.unit}`;
      byId("clock").textContent = said;
      time.setAttribute("aria-valuetext", said);
    });
    const speed = byId<HTMLSelectElement>("speed");
    // Page time per second on the wall, in SI: 0.01 × is a hundred times slower than life.
    choices(
      speed,
      SPEEDS.map(f => [String(this.natural * f), `${number(this.natural * f * this.page.time.factor, 3)} ×`]),
      String(this.natural),
    );
    clock.speed = this.natural;
    speed.onchange = () => {
      clock.speed = +speed.value;
    };

    const { space } = this,
      bodies = space?.bodies ?? [...new Set(this.actors.flatMap(a => [...a.motion.tracks.keys()]))];
    const paths = space?.paths ?? [...new Set(this.actors.flatMap(a => traceNames(a.run, a.motion)))];
    const follow = byId<HTMLSelectElement>("follow"),
      trace = byId<HTMLSelectElement>("trace");
    choices(follow, [["", "nothing"], ...bodies.map(b => ["=" + b, b] as [string, string])], "");
    choices(trace, [["", "nothing"], ["*", "all bodies"], ...paths.map(b => ["=" + b, b] as [string, string])], "");
    follow.onchange = () => {
      this.followed = follow.value.slice(1);
      this.lastFollowed = null;
      space?.follow(this.followed);
      this.redraw();
    };
    trace.onchange = () => this.trace(trace.value);
    const names = byId<HTMLInputElement>("names");
    names.onchange = () => {
      this.names = names.checked;
      this.redraw();
    };

    const force = byId<HTMLInputElement>("forces"),
      size = byId<HTMLInputElement>("force-scale");
    byId("force-option").hidden = !(space?.hasForces ?? this.actors.some(a => a.touches.hasForces));
    force.onchange = () => {
      this.forces = force.checked;
      byId("force-size").hidden = !force.checked;
      this.redraw();
    };
    const sized = () => {
      this.forceScale = 10 ** +size.value;
      byId("force-word").textContent = `${number(this.forceScale, 2)} ×`;
      this.redraw();
    };
    size.oninput = sized;
    sized();

    const flexible = this.actors.some(a => a.motion.flexible),
      stress = this.actors.some(a => a.motion.hasStress);
    byId("deformation-option").hidden = !flexible;
    byId("coloring-option").hidden = !(flexible || stress);
    const coloring = byId<HTMLSelectElement>("coloring"),
      scale = byId<HTMLInputElement>("deformation");
    choices(coloring, [
      ["none", "by body"],
      ...(flexible ? [["deformation", "deformation"] as [string, string]] : []),
      ...(stress ? [["stress", "stress"] as [string, string]] : []),
    ]);
    coloring.onchange = () => {
      this.coloring = coloring.value as Coloring;
      this.redraw();
    };
    const scaled = () => {
      this.deformation = 10 ** +scale.value;
      byId("deformation-word").textContent = `${number(this.deformation, 2)} ×`;
      this.redraw();
    };
    scale.oninput = scaled;
    scaled();

    byId("closer").onclick = () => this.zoom(1.4);
    byId("farther").onclick = () => this.zoom(1 / 1.4);
    byId("whole").onclick = () => this.resetView();
    byId("stage-png").onclick = () => saveCanvas(space?.picture() ?? this.canvas, this.page.runs[0]?.json.model || "carom", color.card);
    if (!this.hasScene) {
      const note = byId("no-scene");
      note.hidden = false;
      note.textContent =
        "There is no scene to draw in this result (scene.json is missing or empty). Plots and tables are below.";
      for (const id of ["follow", "trace", "names"]) byId<HTMLInputElement>(id).disabled = true;
    }
  }
  /** The next speed up (+1) or down (−1). */
  stepSpeed(by: number) {
    const speed = byId<HTMLSelectElement>("speed");
    speed.selectedIndex = Math.min(Math.max(speed.selectedIndex + by, 0), speed.options.length - 1);
    this.clock.speed = +speed.value;
  }
  resetView() {
    if (this.space) return this.space.resetView();
    this.camera.reset();
    this.lastFollowed = null;
    this.redraw();
  }
  zoom(factor: number) {
    (this.space ?? this).camera.zoomAt(factor);
    this.redraw();
  }
  pan(dx: number, dy: number) {
    (this.space ?? this).camera.pan(dx, dy);
    this.redraw();
  }
  private trace(choice: string) {
    this.space?.trace(choice);
    this.traces = [];
    for (const actor of this.actors) {
      const names =
        choice === "*"
          ? [...actor.motion.tracks.keys()].filter(n => !n.includes("."))
          : choice
            ? [choice.slice(1)]
            : [];
      for (const name of names) {
        const path = traceable(actor.run, actor.motion, name);
        if (path) this.traces.push({ actor, path });
      }
    }
    this.redraw();
  }

  private pointer() {
    const { canvas, camera } = this,
      fingers = new Map<number, { x: number; y: number }>();
    canvas.onpointerdown = e => {
      canvas.setPointerCapture(e.pointerId);
      fingers.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
    };
    canvas.onpointerup = canvas.onpointercancel = e => {
      fingers.delete(e.pointerId);
    };
    canvas.onpointermove = e => {
      const old = fingers.get(e.pointerId);
      if (!old) return;
      const now = { x: e.offsetX, y: e.offsetY };
      if (fingers.size === 1) camera.pan(now.x - old.x, now.y - old.y);
      else {
        // Two fingers: the distance between them is the zoom, their middle the place.
        const other = [...fingers].find(([id]) => id !== e.pointerId)![1];
        const was = Math.hypot(old.x - other.x, old.y - other.y),
          is = Math.hypot(now.x - other.x, now.y - other.y);
        camera.pan((now.x - old.x) / 2, (now.y - old.y) / 2);
        if (was > 1) camera.zoomAt(is / was, (now.x + other.x) / 2, (now.y + other.y) / 2);
      }
      fingers.set(e.pointerId, now);
      this.redraw();
    };
    canvas.addEventListener(
      "wheel",
      e => {
        e.preventDefault();
        camera.zoomAt(
          Math.exp(-Math.sign(e.deltaY) * Math.min(Math.abs(e.deltaY), 100) * 0.0016),
          e.offsetX,
          e.offsetY,
        );
        this.redraw();
      },
      { passive: false },
    );
    canvas.ondblclick = () => this.resetView();
  }

  redraw() {
    if (this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      this.paint();
    });
  }
  private tint(run: Run, body: string): string {
    if (this.page.runs.length > 1) return lineColor(run.index);
    return lineColor(this.actors.find(a => a.run === run)?.motion.tracks.get(body)?.index ?? 0);
  }
  private paint() {
    if (this.space) return this.space.paint();
    const [g, w, h] = surface(this.canvas),
      { camera, clock } = this;
    camera.width = w;
    camera.height = h;
    const shown = this.actors.filter(a => a.run.visible);
    this.keepFollowing(shown[0]);
    this.grid(g, w, h);
    for (const { actor, path } of this.traces)
      if (actor.run.visible) drawTrace(g, camera, path, clock.t, this.tint(actor.run, path.name.split(".")[0]));
    // The first run lies on top of those it is compared with.
    for (const actor of [...shown].reverse()) {
      const frame = actor.motion.frame(clock.t),
        top = actor === shown[0];
      drawMechanism(g, camera, actor.motion, frame, {
        tint: body => this.tint(actor.run, body),
        outline: !top,
        deformation: this.deformation,
        coloring: this.coloring,
        names: this.names && top,
      });
    }
    for (const actor of shown) {
      if (this.forces)
        actor.touches.drawForces(
          g,
          camera,
          clock.t,
          this.forceScale,
          actor === shown[0] ? color.accent : lineColor(actor.run.index),
        );
      actor.touches.drawFlashes(g, camera, clock.t, clock.speed);
    }
    if (this.actors.length) this.scaleBar(g, h);
    if (this.forces && shown[0]?.touches.hasForces) this.forceBar(g, w, h, shown[0].touches);
    if (this.coloring !== "none" && shown[0]) this.colorBar(g, w, shown[0].motion, this.coloring);
  }
  private keepFollowing(actor: Actor | undefined) {
    if (!this.followed || !actor?.motion.tracks.has(this.followed)) return;
    const p = actor.motion.pose(this.followed, actor.motion.frame(this.clock.t));
    // A body that is nowhere leaves the picture where it is.
    if (!Number.isFinite(p.x + p.y)) return;
    if (this.lastFollowed) this.camera.shift(p.x - this.lastFollowed[0], p.y - this.lastFollowed[1]);
    this.lastFollowed = [p.x, p.y];
  }
  private barLength() {
    return niceBelow(BAR / this.camera.scale / this.page.length.factor) * this.page.length.factor;
  }
  private grid(g: CanvasRenderingContext2D, w: number, h: number) {
    const step = this.barLength(),
      [x0, y0] = this.camera.unproject(0, h),
      [x1, y1] = this.camera.unproject(w, 0);
    g.strokeStyle = color.grid;
    g.lineWidth = 1;
    g.beginPath();
    // Beyond whole numbers, beside a body that ran away, there are no lines to count.
    const counts = (i: number) => Number.isSafeInteger(i);
    for (let i = Math.ceil(x0 / step); counts(i) && i * step < x1; i++) {
      const x = Math.round(this.camera.project(i * step, 0)[0]) + 0.5;
      g.moveTo(x, 0);
      g.lineTo(x, h);
    }
    for (let i = Math.ceil(y0 / step); counts(i) && i * step < y1; i++) {
      const y = Math.round(this.camera.project(0, i * step)[1]) + 0.5;
      g.moveTo(0, y);
      g.lineTo(w, y);
    }
    g.stroke();
  }
  private words(g: CanvasRenderingContext2D, text: string, x: number, y: number, align: CanvasTextAlign = "left") {
    g.font = "12px system-ui, sans-serif";
    g.textAlign = align;
    g.textBaseline = "alphabetic";
    g.lineWidth = 3;
    g.lineJoin = "round";
    g.strokeStyle = color.card;
    g.strokeText(text, x, y);
    g.fillStyle = color.quiet;
    g.fillText(text, x, y);
  }
  private scaleBar(g: CanvasRenderingContext2D, h: number) {
    const l = this.barLength(),
      w = l * this.camera.scale,
      x = 14,
      y = h - 14;
    g.strokeStyle = color.quiet;
    g.lineWidth = 1.5;
    g.beginPath();
    g.moveTo(x, y - 5);
    g.lineTo(x, y);
    g.lineTo(x + w, y);
    g.lineTo(x + w, y - 5);
    g.stroke();
    this.words(g, `${number(l / this.page.length.factor, 3)} ${this.page.length.unit}`, x + 5, y - 5);
  }
  private forceBar(g: CanvasRenderingContext2D, w: number, h: number, touches: Touches) {
    const k = touches.pixels(this.camera, this.forceScale),
      force = niceBelow(90 / k),
      l = force * k,
      x = w - 14 - l,
      y = h - 14;
    g.strokeStyle = g.fillStyle = color.accent;
    g.lineWidth = 2;
    g.beginPath();
    g.moveTo(x, y);
    g.lineTo(x + l - 6, y);
    g.stroke();
    g.beginPath();
    g.moveTo(x + l, y);
    g.lineTo(x + l - 8, y - 4);
    g.lineTo(x + l - 8, y + 4);
    g.fill();
    this.words(g, `${number(force, 3)} ${touches.unit}`, w - 14, y - 9, "right");
  }
  private colorBar(g: CanvasRenderingContext2D, w: number, motion: Motion, what: "deformation" | "stress") {
    const width = Math.min(180, w * 0.4),
      x = 14,
      y = 30,
      top = motion.largest(what),
      unit = this.page.length;
    for (let i = 0; i < width; i++) {
      g.fillStyle = viridis(i / width);
      g.fillRect(x + i, y, 1.5, 8);
    }
    this.words(g, what === "stress" ? "stress" : "deformation", x, y - 7);
    this.words(g, "0", x, y + 22);
    this.words(
      g,
      what === "stress" ? prefixed(top, "Pa") : `${number(top / unit.factor, 3)} ${unit.unit}`,
      x + width,
      y + 22,
      "right",
    );
  }
  /** Impacts under the time slider. */
  drawTicks() {
    const [g, w, h] = surface(byId<HTMLCanvasElement>("ticks"));
    g.fillStyle = color.accent;
    let last = -2;
    for (const e of this.page.runs[0]?.impacts ?? []) {
      const x = Math.round(8 + ((e.t - this.clock.start) / this.clock.span) * (w - 16));
      if (x !== last) {
        g.globalAlpha = 0.6;
        g.fillRect(x, h - 6, 1, 5);
        last = x;
      }
    }
  }
}
