/** From the mechanism to the screen. All projection is here: a camera that orbits replaces `project` and `unproject`. */

export interface Box { x0: number; y0: number; x1: number; y1: number }

/** Room left around the mechanism (px). */
const MARGIN = 44;

export class Camera {
  width = 1;
  height = 1;
  /** Zoom over the view of everything; 1 shows all. */
  zoom = 1;
  private x = 0;
  private y = 0;
  constructor(private box: Box) { this.reset(); }
  reset() { this.zoom = 1; this.x = (this.box.x0 + this.box.x1) / 2; this.y = (this.box.y0 + this.box.y1) / 2; }
  /** Width over height of what there is to see. */
  get aspect() { return (this.box.x1 - this.box.x0) / (this.box.y1 - this.box.y0); }
  /** Pixels per metre. */
  get scale() {
    const b = this.box, w = Math.max(this.width - 2 * MARGIN, 40), h = Math.max(this.height - 2 * MARGIN, 40);
    return this.zoom * Math.min(w / (b.x1 - b.x0), h / (b.y1 - b.y0));
  }
  project(x: number, y: number): [number, number] {
    const k = this.scale;
    return [this.width / 2 + (x - this.x) * k, this.height / 2 - (y - this.y) * k];
  }
  unproject(px: number, py: number): [number, number] {
    const k = this.scale;
    return [this.x + (px - this.width / 2) / k, this.y - (py - this.height / 2) / k];
  }
  /** Moves the picture by pixels. */
  pan(dx: number, dy: number) { const k = this.scale; this.x -= dx / k; this.y += dy / k; }
  /** Moves the eye by metres, to follow a body. */
  shift(dx: number, dy: number) { this.x += dx; this.y += dy; }
  /** Closer or farther; the place under the pointer stays. */
  zoomAt(factor: number, px = this.width / 2, py = this.height / 2) {
    const [x, y] = this.unproject(px, py);
    this.zoom = Math.min(Math.max(this.zoom * factor, 0.05), 1e5);
    const [nx, ny] = this.unproject(px, py);
    this.x += x - nx; this.y += y - ny;
  }
  get view() { return { x: this.x, y: this.y, zoom: this.zoom }; }
}
