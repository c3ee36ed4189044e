/** The page's data: types of the JSON in #data, and blocks of numbers decoded when first asked for. */

export type Block = string;

/** What is not finite is null in JSON. */
export type Maybe = number | null;
export interface Worst {
  value: Maybe;
  subject: string;
  t: Maybe;
}
export interface Audit {
  energy_start: Maybe;
  energy_end: Maybe;
  energy_scale: Maybe;
  applied_work: Maybe;
  prescribed_work: Maybe;
  damping_loss: Maybe;
  friction_loss: Maybe;
  impact_loss: Maybe;
  numerical_loss: Maybe;
  drift_length: Worst;
  drift_angle: Worst;
  penetration: Worst;
  contact_residual: Worst;
  contact_problems: number;
  fallbacks: number;
  failures: number;
  redundant: string[];
  verdict: string;
}
export interface Phase {
  name: string;
  time: number;
  steps: number;
  began: [string, number][];
}
/** How wrong positions may be; lengths relative to the mechanism's size, angles in rad. */
export interface Estimate {
  error: Maybe;
  /** The same in m or rad. */
  absolute: Maybe;
  is_length: boolean;
  missed: Maybe;
  horizon: Maybe;
  repeats: number;
}
export interface Summary {
  scheme: string;
  stop: string | { failed: string };
  t: number;
  steps: number;
  step_range: [number, number];
  retries: number;
  rejected: number;
  newton_iterations: number;
  factorisations: number;
  tangent_factorisations: number;
  contact_problems: number;
  contact_iterations: number;
  impacts: number;
  audit: Audit;
  estimate?: Estimate | null;
  phases: Phase[];
  digest: string;
}
export interface Facts {
  bodies: { name: string; kind: string; mass: number; inertia: number | null }[];
  joints: { name: string; kind: string; between: string[]; rows: number }[];
  contacts: { name: string; count: number; restitution: number | null; friction: number | null }[];
  coordinates: number;
  degrees_of_freedom: number;
  redundant: string[];
  size: number;
}
export type Point = [number, number];
export interface Stroke {
  line?: { points: Point[]; closed: boolean };
  shape?: { points: number[]; closed: boolean };
  circle?: { center: Point; radius: number };
}
export interface Spot {
  body: string;
  at: Point;
}
export interface Drawing {
  figures: { body: string; strokes: Stroke[]; reference?: Point[] }[];
  marks: { subject: string; body: string; at: Point; radius: number }[];
  joints?: { name: string; kind: string; body: string; at: Point; angle: number; to: Spot | null }[];
  springs?: { name: string; from: Spot; to: Spot }[];
  /** Of a mechanism in space, described in space/data.ts. */
  space?: object;
}
export interface MotionBlocks {
  t: Block;
  bodies: {
    name: string;
    x: Block;
    y: Block;
    angle: Block | null;
    shape: null | { points: number; x: Block; y: Block; stress: Block | null };
  }[];
  touches?: { name: string; x: Block; y: Block; angle: Block }[];
}
export interface Events {
  t: number[];
  kind: string[];
  subject: string[];
  before: (number | null)[];
  after: (number | null)[];
  impulse: (number | null)[];
  total: number;
}
export interface Scale {
  unit: string;
  factor: number;
}
export interface RunJson {
  name: string;
  title: string;
  model: string;
  command: string;
  folder: string | null;
  problems: string[];
  left_out: string[];
  step: number;
  end: number;
  wall_seconds: number;
  solver: string;
  scheme_choice: string | null;
  scheme_parameters: Record<string, unknown>;
  parameters: Record<string, unknown>;
  samples: number;
  summary: Summary | null;
  facts: Facts | null;
  length: Scale;
  time: Scale;
  t: Block;
  channels: { name: string; unit: string; at: Block | null; y: Block; band?: Block; scale: number; nan: number }[];
  scene: { drawing: Drawing; motion: MotionBlocks } | null;
  events: Events;
}
export interface PageJson {
  format: number;
  carom: string;
  runs: RunJson[];
}

type FromBase64 = { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };

/** The bytes of base64 text; by the browser's own decoder where it has one. */
function bytes(block: Block): Uint8Array<ArrayBuffer> {
  const own = (Uint8Array as unknown as FromBase64).fromBase64;
  if (own) return own.call(Uint8Array, block);
  const text = atob(block),
    out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
  return out;
}
export const f32 = (block: Block) => new Float32Array(bytes(block).buffer);
export const f64 = (block: Block) => new Float64Array(bytes(block).buffer);
export const u32 = (block: Block) => new Uint32Array(bytes(block).buffer);

/** Last index with series[i] <= t, 0 if there is none. */
export function before(series: ArrayLike<number>, t: number): number {
  let a = 0,
    b = series.length - 1;
  while (a < b) {
    const m = (a + b + 1) >> 1;
    if (series[m] <= t) a = m;
    else b = m - 1;
  }
  return a;
}
/** Index of the sample nearest in time. */
export function nearest(series: ArrayLike<number>, t: number): number {
  const i = before(series, t);
  return i + 1 < series.length && series[i + 1] - t < t - series[i] ? i + 1 : i;
}

type Numbers = Float32Array | Float64Array;

/** A channel with its own sample times, in the page's unit of time. */
export class Channel {
  private decoded: { t: Float64Array; y: Numbers; band: Numbers | null } | null = null;
  constructor(
    readonly run: Run,
    readonly name: string,
    readonly unit: string,
    readonly nan: number,
    private json: RunJson["channels"][number],
  ) {}
  private data() {
    if (!this.decoded) {
      const { scale } = this.json,
        all = this.run.t;
      const numbers = (block: Block): Numbers =>
        scale === 1 ? f32(block) : Float64Array.from(f32(block), v => v * scale);
      const y = numbers(this.json.y),
        band = this.json.band === undefined ? null : numbers(this.json.band);
      let t = all;
      if (this.json.at !== null) {
        const at = u32(this.json.at);
        t = new Float64Array(at.length);
        for (let i = 0; i < at.length; i++) t[i] = all[at[i]];
      }
      this.decoded = { t, y, band };
    }
    return this.decoded;
  }
  get t() {
    return this.data().t;
  }
  get y() {
    return this.data().y;
  }
  /** Half-widths beside y, of a certified run; NaN where there is none. */
  get band() {
    return this.data().band;
  }
  /** The stored sample nearest to t. */
  at(t: number): { t: number; value: number; band: number | null } {
    const { t: times, y, band } = this.data();
    if (!times.length) return { t: NaN, value: NaN, band: null };
    const i = nearest(times, t);
    return { t: times[i], value: y[i], band: band && band[i] };
  }
  /** Straight between stored samples; NaN beside a gap. */
  between(t: number): number {
    const { t: times, y } = this.data();
    if (!times.length) return NaN;
    const i = before(times, t),
      j = Math.min(i + 1, times.length - 1);
    const w = times[j] > times[i] ? Math.min(Math.max((t - times[i]) / (times[j] - times[i]), 0), 1) : 0;
    return w === 0 ? y[i] : w === 1 ? y[j] : y[i] * (1 - w) + y[j] * w;
  }
}

/** One run: everything in its own units except time, which is in the unit of the page (that of the first run). */
export class Run {
  readonly channels: Channel[];
  private byName: Map<string, Channel>;
  private times: Float64Array | null = null;
  /** Seconds in one unit of the page's time, and this run's unit in the page's. */
  private readonly toPage: number;
  visible = true;
  constructor(
    readonly json: RunJson,
    readonly index: number,
    readonly page: Scale,
  ) {
    this.toPage = json.time.factor / page.factor;
    this.channels = json.channels.map(c => new Channel(this, c.name, c.unit, c.nan, c));
    this.byName = new Map(this.channels.map(c => [c.name, c]));
  }
  get name() {
    return this.json.name;
  }
  channel(name: string) {
    return this.byName.get(name);
  }
  /** All sample times. */
  get t(): Float64Array {
    if (!this.times) {
      this.times = f64(this.json.t);
      if (this.toPage !== 1) this.times = this.times.map(t => t * this.toPage);
    }
    return this.times;
  }
  /** A time of this run's files in the page's unit. */
  fileTime(t: number) {
    return this.toPage === 1 ? t : t * this.toPage;
  }
  /** A time in seconds in the page's unit. */
  seconds(t: number) {
    return t / this.page.factor;
  }
  get span(): [number, number] {
    const t = this.t;
    return t.length ? [t[0], t[t.length - 1]] : [0, 0];
  }
  private impactList: { t: number; subject: string; impulse: number }[] | null = null;
  /** Impacts in order of time. */
  get impacts() {
    if (!this.impactList) {
      const e = this.json.events;
      this.impactList = [];
      for (let i = 0; i < e.t.length; i++)
        if (e.kind[i] === "impact")
          this.impactList.push({
            t: this.fileTime(e.t[i]),
            subject: e.subject[i],
            impulse: Math.abs(e.impulse[i] ?? 0),
          });
      this.impactList.sort((a, b) => a.t - b.t);
    }
    return this.impactList;
  }
  /** Whether it was repeated to be certified, and channels have bands. */
  get banded(): boolean {
    return this.json.channels.some(c => c.band !== undefined);
  }
  get failure(): string | null {
    const stop = this.json.summary?.stop;
    return typeof stop === "object" && stop ? stop.failed : null;
  }
}

/** What the scheme lost (or made, < 0) as a share of the energy that moved; null if it cannot be said. */
export function lossShare(audit: Audit): Maybe {
  const { energy_scale: scale, numerical_loss: loss } = audit;
  if (scale === null || loss === null || !isFinite(scale) || !isFinite(loss)) return null;
  return scale > 0 ? loss / scale : 0;
}

/** All runs of the page. */
export class Page {
  readonly runs: Run[];
  readonly carom: string;
  readonly time: Scale;
  readonly length: Scale;
  constructor(json: PageJson) {
    this.carom = json.carom;
    this.time = json.runs[0]?.time ?? { unit: "s", factor: 1 };
    this.length = json.runs[0]?.length ?? { unit: "m", factor: 1 };
    this.runs = json.runs.map((r, i) => new Run(r, i, this.time));
  }
  get shown() {
    return this.runs.filter(r => r.visible);
  }
  get span(): [number, number] {
    const spans = this.runs.filter(r => r.t.length).map(r => r.span);
    return spans.length ? [Math.min(...spans.map(s => s[0])), Math.max(...spans.map(s => s[1]))] : [0, 0];
  }
  /** Names of all channels, each once, with the unit of the first run that has it and how many values are no numbers. */
  channelList(): { name: string; unit: string; nan: number }[] {
    const seen = new Map<string, { name: string; unit: string; nan: number }>();
    for (const run of this.runs)
      for (const c of run.channels) {
        const known = seen.get(c.name);
        if (known) known.nan += c.nan;
        else seen.set(c.name, { name: c.name, unit: c.unit, nan: c.nan });
      }
    return [...seen.values()];
  }
}

export function readPage(): Page {
  return new Page(JSON.parse(document.getElementById("data")!.textContent!) as PageJson);
}
