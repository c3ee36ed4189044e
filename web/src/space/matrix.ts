/** Frames in space: 12 numbers, the three axes and then the origin, so a point is c0 x + c1 y + c2 z + o. */

export type Numbers = Float32Array | Float64Array;
export type Vec = [number, number, number];
export const SIZE = 12;

/** A unit frame with this origin and quaternion (w, x, y, z); the quaternion may be off unit length. */
export function fromPose(out: Numbers, o: number, r: Vec, [w, x, y, z]: [number, number, number, number]) {
  const n = w * w + x * x + y * y + z * z,
    s = n > 0 ? 2 / n : 0;
  out[o] = 1 - s * (y * y + z * z);
  out[o + 1] = s * (x * y + w * z);
  out[o + 2] = s * (x * z - w * y);
  out[o + 3] = s * (x * y - w * z);
  out[o + 4] = 1 - s * (x * x + z * z);
  out[o + 5] = s * (y * z + w * x);
  out[o + 6] = s * (x * z + w * y);
  out[o + 7] = s * (y * z - w * x);
  out[o + 8] = 1 - s * (x * x + y * y);
  out[o + 9] = r[0];
  out[o + 10] = r[1];
  out[o + 11] = r[2];
}
/** out = a b: first b, then a. */
export function multiply(out: Numbers, o: number, a: Numbers, i: number, b: Numbers, j: number) {
  for (let c = 0; c < 4; c++) {
    const x = b[j + 3 * c],
      y = b[j + 3 * c + 1],
      z = b[j + 3 * c + 2],
      on = c === 3 ? 1 : 0;
    for (let k = 0; k < 3; k++)
      out[o + 3 * c + k] = a[i + k] * x + a[i + 3 + k] * y + a[i + 6 + k] * z + on * a[i + 9 + k];
  }
}
/** A point in a frame. */
export function apply(out: Numbers | Vec, m: Numbers, o: number, x: number, y: number, z: number) {
  for (let k = 0; k < 3; k++) out[k] = m[o + k] * x + m[o + 3 + k] * y + m[o + 6 + k] * z + m[o + 9 + k];
}
/** A frame scaled along its own axes. */
export function scaled(out: Numbers, o: number, x: number, y: number, z: number) {
  for (let k = 0; k < 3; k++) {
    out[o + k] *= x;
    out[o + 3 + k] *= y;
    out[o + 6 + k] *= z;
  }
}
/** A frame from a to b: z spans the whole way, x and y are `r` long. */
export function between(out: Numbers, o: number, a: Numbers | Vec, b: Numbers | Vec, r: number) {
  const zx = b[0] - a[0],
    zy = b[1] - a[1],
    zz = b[2] - a[2],
    l = Math.hypot(zx, zy, zz) || 1e-30;
  // Across z and the axis that is least along it.
  let x = 0,
    y = 0,
    z = 0;
  if (Math.abs(zx) <= Math.abs(zy) && Math.abs(zx) <= Math.abs(zz)) {
    y = -zz;
    z = zy;
  } else if (Math.abs(zy) <= Math.abs(zz)) {
    x = zz;
    z = -zx;
  } else {
    x = -zy;
    y = zx;
  }
  const n = r / (Math.hypot(x, y, z) || 1);
  x *= n;
  y *= n;
  z *= n;
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
  out[o + 3] = (zy * z - zz * y) / l;
  out[o + 4] = (zz * x - zx * z) / l;
  out[o + 5] = (zx * y - zy * x) / l;
  out[o + 6] = zx;
  out[o + 7] = zy;
  out[o + 8] = zz;
  out[o + 9] = a[0];
  out[o + 10] = a[1];
  out[o + 11] = a[2];
}
