/** The scene by WebGL 2: every batch is one call for its faces and one for its edges. */
import type { OrbitCamera } from "./camera";
import { STRIDE, type Batch, type Rgb } from "./parts";

/** A line of points with its own colour; `upto` points are strong, the rest faint. */
export interface Trail {
  points: Float32Array;
  upto: number;
  color: Rgb;
}
export interface Shown {
  batches: Batch[];
  visible: (batch: Batch) => boolean;
  /** Pairs of points. */
  grid: Float32Array | null;
  gridColor: Rgb;
  trails: Trail[];
  /** Height of the shadow; null for none. */
  ground: number | null;
  /** What is beyond n·x > w is cut off. */
  cut: readonly number[] | null;
  ink: Rgb;
  dark: boolean;
}
export interface Renderer {
  readonly kind: "webgl" | "canvas";
  draw(camera: OrbitCamera, shown: Shown): void;
}
/** Where the light of the shadow comes from. */
export const SUN = [0.28, -0.2, 1] as const;

const FRAME = `
layout(location=2) in vec3 c0; layout(location=3) in vec3 c1; layout(location=4) in vec3 c2; layout(location=5) in vec3 c3;
layout(location=6) in vec4 tint; uniform mat4 view;
vec3 placed(vec3 p) { return c0*p.x + c1*p.y + c2*p.z + c3; }`;
const FACES = `#version 300 es
precision highp float;
layout(location=0) in vec3 p; layout(location=1) in vec3 n;${FRAME}
uniform vec4 sun; uniform bool flat_; out vec3 at; out vec3 normal; out vec4 hue;
void main() {
  vec3 q = placed(p); at = q; hue = tint;
  normal = c0*n.x/max(dot(c0,c0),1e-30) + c1*n.y/max(dot(c1,c1),1e-30) + c2*n.z/max(dot(c2,c2),1e-30);
  if (flat_) q = vec3(q.xy - sun.xy*(q.z - sun.w), sun.w);
  gl_Position = tint.a == 0. ? vec4(2,2,2,1) : view*vec4(q,1);
}`;
const SHADE = `#version 300 es
precision highp float;
in vec3 at; in vec3 normal; in vec4 hue; out vec4 color;
uniform vec4 cut; uniform vec3 eye; uniform vec4 toEye; uniform vec3 light; uniform bool flat_; uniform bool cutting; uniform vec4 shadow; uniform bool shell;
void main() {
  if (cutting && dot(cut.xyz, at) > cut.w) discard;
  if (flat_) { color = shadow; return; }
  vec3 k = normalize(normal), v = toEye.w > .5 ? toEye.xyz : normalize(eye - at);
  if (cutting && !shell && !gl_FrontFacing) { color = vec4(hue.rgb*.55 + .12, 1); return; }
  if (dot(k, v) < 0.) k = -k;
  float d = max(dot(k, light), 0.), rim = 1. - max(dot(k, v), 0.);
  vec3 c = hue.rgb*(.5 + .1*k.z + .46*d) + .16*pow(max(dot(k, normalize(light + v)), 0.), 30.);
  color = vec4(c*(1. - .18*rim*rim), 1);
}`;
const LINES = `#version 300 es
precision highp float;
layout(location=0) in vec3 a; layout(location=1) in vec3 b; layout(location=7) in vec2 corner;${FRAME}
uniform vec2 half_; uniform float width; uniform float bias; out vec3 at; out vec4 hue;
void main() {
  vec3 wa = placed(a), wb = placed(b);
  vec4 A = view*vec4(wa,1), B = view*vec4(wb,1); float near = 1e-4;
  if (A.w < near && B.w > near) A = mix(A, B, (near - A.w)/(B.w - A.w));
  if (B.w < near && A.w > near) B = mix(B, A, (near - B.w)/(A.w - B.w));
  vec2 d = B.xy/B.w*half_ - A.xy/A.w*half_; float l = length(d); d = l > 1e-6 ? d/l : vec2(1,0);
  vec4 q = corner.x < .5 ? A : B; at = corner.x < .5 ? wa : wb; hue = tint;
  q.xy += (vec2(-d.y, d.x)*corner.y + d*(corner.x*2. - 1.)*.5)*width*.5/half_*q.w;
  q.z -= bias*q.w;
  gl_Position = q;
}`;
const STROKE = `#version 300 es
precision highp float;
in vec3 at; in vec4 hue; out vec4 color; uniform vec4 cut; uniform bool cutting; uniform vec4 ink; uniform float alpha;
void main() {
  if (cutting && dot(cut.xyz, at) > cut.w) discard;
  color = vec4(mix(hue.rgb, ink.rgb, hue.a == 0. ? 0. : ink.a), alpha);
}`;
/** End and side of the six corners of a stroke. */
const CORNERS = [0, -1, 1, -1, 1, 1, 0, -1, 1, 1, 0, 1];

type GL = WebGL2RenderingContext;
function program(gl: GL, vertex: string, fragment: string) {
  const p = gl.createProgram();
  for (const [type, text] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const s = gl.createShader(type)!;
    gl.shaderSource(s, text);
    gl.compileShader(s);
    gl.attachShader(p, s);
  }
  gl.linkProgram(p);
  if (!gl.getProgramParameter(p, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(p) ?? "shader");
  const at = new Map<string, WebGLUniformLocation | null>();
  return {
    p,
    u: (name: string) => {
      if (!at.has(name)) at.set(name, gl.getUniformLocation(p, name));
      return at.get(name)!;
    },
  };
}
interface Stored {
  instances: WebGLBuffer;
  room: number;
  faces: WebGLVertexArrayObject | null;
  edges: WebGLVertexArrayObject | null;
  faceCount: number;
  edgeCount: number;
}
/** Nothing if the browser has no WebGL 2. */
export function webgl(canvas: HTMLCanvasElement): Renderer | null {
  const gl = canvas.getContext("webgl2", { antialias: true, stencil: true, alpha: true });
  if (!gl) return null;
  let lost = false;
  canvas.addEventListener("webglcontextlost", e => {
    e.preventDefault();
    lost = true;
  });
  let faces: ReturnType<typeof program>, strokes: ReturnType<typeof program>, quad: WebGLBuffer;
  let stored = new Map<Batch, Stored>(),
    plain = new Map<Float32Array, { vao: WebGLVertexArrayObject; n: number }>();
  const buffer = (data: Float32Array) => {
    const b = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, b);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    return b;
  };
  const attribute = (where: number, size: number, stride: number, offset: number, divisor: number) => {
    gl.enableVertexAttribArray(where);
    gl.vertexAttribPointer(where, size, gl.FLOAT, false, 4 * stride, 4 * offset);
    gl.vertexAttribDivisor(where, divisor);
  };
  const start = () => {
    faces = program(gl, FACES, SHADE);
    strokes = program(gl, LINES, STROKE);
    quad = buffer(new Float32Array(CORNERS));
    stored = new Map();
    plain = new Map();
    lost = false;
  };
  canvas.addEventListener("webglcontextrestored", start);
  start();
  const instanced = (instances: WebGLBuffer) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, instances);
    for (let k = 0; k < 4; k++) attribute(2 + k, 3, STRIDE, 3 * k, 1);
    attribute(6, 4, STRIDE, 12, 1);
  };
  const upload = (batch: Batch): Stored => {
    let s = stored.get(batch);
    if (!s) {
      const { triangles, edges } = batch.geometry;
      s = { instances: gl.createBuffer(), room: 0, faces: null, edges: null, faceCount: 0, edgeCount: 0 };
      if (triangles.length) {
        s.faces = gl.createVertexArray();
        s.faceCount = triangles.length / 6;
        gl.bindVertexArray(s.faces);
        buffer(triangles);
        attribute(0, 3, 6, 0, 0);
        attribute(1, 3, 6, 3, 0);
        instanced(s.instances);
      }
      if (edges.length && batch.edges) {
        const n = edges.length / 6,
          long = new Float32Array(n * 48);
        for (let i = 0; i < n; i++)
          for (let c = 0; c < 6; c++) {
            long.set(edges.subarray(6 * i, 6 * i + 6), i * 48 + c * 8);
            long.set(CORNERS.slice(2 * c, 2 * c + 2), i * 48 + c * 8 + 6);
          }
        s.edges = gl.createVertexArray();
        s.edgeCount = n * 6;
        gl.bindVertexArray(s.edges);
        buffer(long);
        attribute(0, 3, 8, 0, 0);
        attribute(1, 3, 8, 3, 0);
        attribute(7, 2, 8, 6, 0);
        instanced(s.instances);
      }
      gl.bindVertexArray(null);
      stored.set(batch, s);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, s.instances);
    if (s.room < batch.data.length) {
      gl.bufferData(gl.ARRAY_BUFFER, batch.data, gl.DYNAMIC_DRAW);
      s.room = batch.data.length;
    } else gl.bufferSubData(gl.ARRAY_BUFFER, 0, batch.data, 0, batch.count * STRIDE);
    return s;
  };
  /** Points in pairs (step 6) or in a row (step 3). */
  const line = (points: Float32Array, step: number) => {
    let l = plain.get(points);
    if (!l) {
      const vao = gl.createVertexArray();
      gl.bindVertexArray(vao);
      gl.bindBuffer(gl.ARRAY_BUFFER, quad);
      attribute(7, 2, 2, 0, 0);
      buffer(points);
      attribute(0, 3, step, 0, 1);
      attribute(1, 3, step, 3, 1);
      l = { vao, n: step === 6 ? points.length / 6 : Math.max(points.length / 3 - 1, 0) };
      plain.set(points, l);
      gl.bindVertexArray(null);
    }
    return l;
  };

  const draw = (camera: OrbitCamera, shown: Shown) => {
    if (lost) return;
    const ratio = devicePixelRatio || 1,
      { back, right, up, eye } = camera;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clearStencil(0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    const light = [0, 1, 2].map(k => 0.8 * back[k] + 0.42 * up[k] - 0.42 * right[k] + (k === 2 ? 0.2 : 0)),
      bright = Math.hypot(...light);
    gl.useProgram(faces.p);
    gl.uniformMatrix4fv(faces.u("view"), false, camera.matrix);
    gl.uniform3f(faces.u("light"), light[0] / bright, light[1] / bright, light[2] / bright);
    gl.uniform3f(faces.u("eye"), eye[0], eye[1], eye[2]);
    gl.uniform4f(faces.u("toEye"), back[0], back[1], back[2], camera.parallel ? 1 : 0);
    gl.uniform1i(faces.u("flat_"), 0);
    const cut = (p: typeof faces) => {
      gl.uniform1i(p.u("cutting"), shown.cut ? 1 : 0);
      if (shown.cut) gl.uniform4f(p.u("cut"), shown.cut[0], shown.cut[1], shown.cut[2], shown.cut[3]);
    };
    cut(faces);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);
    for (const batch of shown.batches) {
      if (!batch.count || !shown.visible(batch)) continue;
      const s = upload(batch);
      if (!s.faces) continue;
      gl.uniform1i(faces.u("shell"), batch.geometry.closed ? 0 : 1);
      gl.bindVertexArray(s.faces);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, s.faceCount, batch.count);
    }
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    if (shown.ground !== null) {
      // Every place is darkened once, however many bodies are above it.
      gl.uniform1i(faces.u("flat_"), 1);
      gl.uniform4f(faces.u("sun"), SUN[0], SUN[1], SUN[2], shown.ground);
      gl.uniform4f(faces.u("shadow"), 0, 0, 0, shown.dark ? 0.38 : 0.14);
      gl.depthMask(false);
      gl.polygonOffset(-1, -2);
      gl.enable(gl.STENCIL_TEST);
      gl.stencilFunc(gl.EQUAL, 0, 255);
      gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
      for (const batch of shown.batches) {
        const s = stored.get(batch);
        if (!batch.shadow || !batch.count || !s?.faces || !shown.visible(batch)) continue;
        gl.bindVertexArray(s.faces);
        gl.drawArraysInstanced(gl.TRIANGLES, 0, s.faceCount, batch.count);
      }
      gl.disable(gl.STENCIL_TEST);
      gl.depthMask(true);
    }
    gl.disable(gl.POLYGON_OFFSET_FILL);

    gl.useProgram(strokes.p);
    gl.uniformMatrix4fv(strokes.u("view"), false, camera.matrix);
    gl.uniform2f(strokes.u("half_"), camera.width / 2, camera.height / 2);
    gl.uniform1f(strokes.u("bias"), 0);
    cut(strokes);
    for (const batch of shown.batches) {
      const s = stored.get(batch);
      if (!s?.edges || !batch.count || !shown.visible(batch)) continue;
      const [r, g, b] = shown.ink;
      gl.uniform4f(strokes.u("ink"), r, g, b, batch.plain ? 0 : 0.6);
      gl.uniform1f(strokes.u("width"), batch.edges + 1 / ratio / 2);
      gl.uniform1f(strokes.u("alpha"), batch.plain ? 1 : 0.75);
      gl.bindVertexArray(s.edges);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, s.edgeCount, batch.count);
    }
    // Lines that belong to no body: nothing is cut off them.
    gl.uniform1i(strokes.u("cutting"), 0);
    gl.uniform4f(strokes.u("ink"), 0, 0, 0, 0);
    gl.vertexAttrib3f(2, 1, 0, 0);
    gl.vertexAttrib3f(3, 0, 1, 0);
    gl.vertexAttrib3f(4, 0, 0, 1);
    gl.vertexAttrib3f(5, 0, 0, 0);
    const free = (points: Float32Array, step: number, c: Rgb, width: number, alpha: number, n = Infinity) => {
      const l = line(points, step);
      gl.vertexAttrib4f(6, c[0], c[1], c[2], 1);
      gl.uniform1f(strokes.u("width"), width);
      gl.uniform1f(strokes.u("alpha"), alpha);
      gl.bindVertexArray(l.vao);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, 6, Math.min(l.n, n));
    };
    gl.depthMask(false);
    if (shown.grid) free(shown.grid, 6, shown.gridColor, 1, 1);
    for (const t of shown.trails) {
      free(t.points, 3, t.color, 1.4, 0.25);
      free(t.points, 3, t.color, 2.2, 0.9, t.upto);
    }
    gl.depthMask(true);
    gl.bindVertexArray(null);
    gl.disable(gl.BLEND);
    // What is not drawn any more is not kept.
    if (plain.size > shown.trails.length + 4) {
      const kept = new Set([shown.grid, ...shown.trails.map(t => t.points)]);
      for (const [points, l] of plain)
        if (!kept.has(points)) {
          gl.deleteVertexArray(l.vao);
          plain.delete(points);
        }
    }
  };
  return { kind: "webgl", draw };
}
