/** One clock that animation and plots share, in the page's unit of time. */

type Listener = () => void;

export class Clock {
  t: number;
  playing = false;
  /** Page time per second on the wall. */
  speed = 1;
  private last = 0;
  private moved: Listener[] = [];
  private switched: Listener[] = [];
  constructor(readonly start: number, readonly end: number) { this.t = start; }
  get span() { return this.end - this.start || 1; }
  onMove(f: Listener) { this.moved.push(f); }
  onSwitch(f: Listener) { this.switched.push(f); }
  seek(t: number) {
    if (Number.isNaN(t)) return;
    this.t = Math.min(Math.max(t, this.start), this.end);
    for (const f of this.moved) f();
  }
  play() {
    if (this.playing || this.end <= this.start) return;
    if (this.t >= this.end) this.seek(this.start);
    this.playing = true;
    this.last = performance.now();
    for (const f of this.switched) f();
    requestAnimationFrame(this.tick);
  }
  pause() {
    if (!this.playing) return;
    this.playing = false;
    for (const f of this.switched) f();
  }
  toggle() { if (this.playing) this.pause(); else this.play(); }
  private tick = (now: number) => {
    if (!this.playing) return;
    // A page that was hidden goes on where it was.
    const passed = Math.min(Math.max(now - this.last, 0) / 1000, 0.1);
    this.last = now;
    const next = this.t + passed * this.speed;
    this.seek(next > this.end ? this.start : next);
    requestAnimationFrame(this.tick);
  };
}

/** What part of the time axis the plots show; one for all panes. */
export class Window {
  min: number;
  max: number;
  private listeners: Listener[] = [];
  constructor(readonly start: number, readonly end: number) { this.min = start; this.max = end; }
  onChange(f: Listener) { this.listeners.push(f); }
  get whole() { return this.min <= this.start && this.max >= this.end; }
  set(min: number, max: number) {
    const whole = this.end - this.start, least = whole * 1e-9;
    min = Math.max(min, this.start); max = Math.min(max, this.end);
    if (!(max - min > least) || (min === this.min && max === this.max)) return;
    this.min = min; this.max = max;
    for (const f of this.listeners) f();
  }
  all() { this.set(this.start, this.end); }
  /** Smaller factors show less time; `at` keeps its place. */
  zoom(factor: number, at: number) {
    const a = Math.min(Math.max(at, this.min), this.max);
    this.set(a - (a - this.min) * factor, a + (this.max - a) * factor);
  }
}

/** A speed at which the whole run lasts about ten seconds: 1, 2 or 5 times a power of ten. */
export function naturalSpeed(span: number): number {
  let best = 1, off = Infinity;
  for (let p = -12; p <= 12; p++) for (const m of [1, 2, 5]) {
    const speed = m * 10 ** p, d = Math.abs(Math.log(speed * 10 / span));
    if (d < off) { off = d; best = speed; }
  }
  return best;
}
