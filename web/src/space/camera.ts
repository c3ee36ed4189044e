/** An eye that goes round what it looks at; z is up. */
import type { Vec } from "./matrix";

/** Half the angle of view of the perspective (rad). */
const HALF = (15 * Math.PI) / 180;
/** The ball of everything is mostly empty at its rim. */
const TIGHT = 0.88;
const RIGHT = Math.PI / 2;
export const VIEWS: Record<string, [number, number]> = {
  // Azimuth and elevation of the eye. Off the diagonal, so that the edges of a box do not cover each other.
  iso: [-Math.PI / 3, Math.PI / 7],
  front: [-RIGHT, 0],
  right: [0, 0],
  top: [-RIGHT, RIGHT],
  back: [RIGHT, 0],
  left: [Math.PI, 0],
  below: [-RIGHT, -RIGHT],
};

export class OrbitCamera {
  width = 1;
  height = 1;
  zoom = 1;
  azimuth = 0;
  elevation = 0;
  parallel = false;
  readonly target: Vec = [0, 0, 0];
  readonly right: Vec = [1, 0, 0];
  readonly up: Vec = [0, 0, 1];
  /** Towards the eye. */
  readonly back: Vec = [0, -1, 0];
  readonly eye: Vec = [0, 0, 0];
  /** From space to clip coordinates, column by column. */
  readonly matrix = new Float32Array(16);
  constructor(
    private middle: Vec,
    /** Radius of the ball that holds everything (m). */
    readonly radius: number,
  ) {
    this.reset();
  }
  reset() {
    this.zoom = 1;
    for (let k = 0; k < 3; k++) this.target[k] = this.middle[k];
    this.look("iso");
  }
  look(view: string) {
    [this.azimuth, this.elevation] = VIEWS[view];
  }
  orbit(dx: number, dy: number) {
    this.azimuth -= dx * 0.009;
    this.elevation = Math.min(Math.max(this.elevation + dy * 0.009, -RIGHT), RIGHT);
  }
  /** From the eye to what it looks at (m); a narrow picture is seen from farther. */
  private get distance() {
    const fit = Math.min(1, this.width / this.height);
    return (TIGHT * this.radius) / Math.sin(HALF) / fit / this.zoom;
  }
  /** Metres of a pixel where the eye looks. */
  get pixel() {
    return (2 * this.distance * Math.tan(HALF)) / this.height;
  }
  get scale() {
    return 1 / this.pixel;
  }
  pan(dx: number, dy: number) {
    this.aim();
    for (let k = 0; k < 3; k++) this.target[k] -= (dx * this.right[k] - dy * this.up[k]) * this.pixel;
  }
  shift(dx: number, dy: number, dz: number) {
    this.target[0] += dx;
    this.target[1] += dy;
    this.target[2] += dz;
  }
  /** Closer or farther; the place under the pointer stays. */
  zoomAt(factor: number, px = this.width / 2, py = this.height / 2) {
    const zoom = Math.min(Math.max(this.zoom * factor, 0.05), 1e4),
      by = 1 - this.zoom / zoom;
    this.pan(-(px - this.width / 2) * by, -(py - this.height / 2) * by);
    this.zoom = zoom;
  }
  /** Brings axes, eye and matrix up to date. */
  aim() {
    const { right, up, back, eye, target, matrix: m } = this,
      [ca, sa, ce, se] = [
        Math.cos(this.azimuth),
        Math.sin(this.azimuth),
        Math.cos(this.elevation),
        Math.sin(this.elevation),
      ];
    back[0] = ce * ca;
    back[1] = ce * sa;
    back[2] = se;
    right[0] = -sa;
    right[1] = ca;
    right[2] = 0;
    up[0] = -se * ca;
    up[1] = -se * sa;
    up[2] = ce;
    const d = this.distance;
    for (let k = 0; k < 3; k++) eye[k] = target[k] + d * back[k];
    // Near and far hold the ball of everything, wherever the eye is.
    let off = 0;
    for (let k = 0; k < 3; k++) off += (this.middle[k] - target[k]) * back[k];
    const reach = 8 * this.radius,
      far = d - off + reach,
      near = this.parallel ? d - off - reach : Math.max(d - off - reach, d * 0.02),
      f = 1 / Math.tan(HALF),
      fx = (f * this.height) / this.width;
    // Rows of the projection on (right, up, back) from the eye.
    const px = this.parallel ? fx / d : fx,
      py = this.parallel ? f / d : f,
      [za, zb] = this.parallel
        ? [-2 / (far - near), -(far + near) / (far - near)]
        : [-(far + near) / (far - near), (-2 * far * near) / (far - near)];
    for (let k = 0; k < 3; k++) {
      m[4 * k] = px * right[k];
      m[4 * k + 1] = py * up[k];
      m[4 * k + 2] = za * back[k];
      m[4 * k + 3] = this.parallel ? 0 : -back[k];
    }
    const dot = (v: Vec) => v[0] * eye[0] + v[1] * eye[1] + v[2] * eye[2];
    m[12] = -px * dot(right);
    m[13] = -py * dot(up);
    m[14] = zb - za * dot(back);
    m[15] = this.parallel ? 1 : dot(back);
  }
  /** Pixels of a point, and how far it is in front of the eye (m), into `out`. */
  project(out: Vec, x: number, y: number, z: number) {
    const m = this.matrix,
      w = m[3] * x + m[7] * y + m[11] * z + m[15],
      { eye, back } = this;
    out[0] = this.width * (0.5 + (0.5 * (m[0] * x + m[4] * y + m[8] * z + m[12])) / w);
    out[1] = this.height * (0.5 - (0.5 * (m[1] * x + m[5] * y + m[9] * z + m[13])) / w);
    out[2] = (eye[0] - x) * back[0] + (eye[1] - y) * back[1] + (eye[2] - z) * back[2];
  }
  get view() {
    return {
      x: this.target[0],
      y: this.target[1],
      z: this.target[2],
      zoom: this.zoom,
      azimuth: this.azimuth,
      elevation: this.elevation,
      parallel: this.parallel,
    };
  }
}
