/** Format 2 of a scene: what the page gets besides for a mechanism in space. */
import type { Block } from "../data";
import type { Vec } from "./matrix";

export type Quaternion = [number, number, number, number];
export interface Form {
  sphere?: { radius: number };
  box?: { size: Vec };
  cylinder?: { radius: number; length: number };
  capsule?: { radius: number; length: number };
  cone?: { radius: number; length: number };
  plane?: { size: [number, number] };
  mesh?: { vertices: Block; triangles: Block };
  lines?: { lines: Vec[][] };
}
export interface Anchor {
  body: string;
  at: Vec;
}
export interface SpaceDrawing {
  bodies: {
    body: string;
    solids: { at: Vec; turn: Quaternion; form: Form }[];
    points: { name: string; at: Vec }[];
  }[];
  joints: { name: string; kind: string; body: string; at: Vec; turn: Quaternion; to: Anchor | null }[];
  springs: { name: string; from: Anchor; to: Anchor }[];
}
export interface SpaceBlocks {
  bodies: { name: string; r: Block | null; p: Block | null }[];
  touches: { name: string; at: Block; normal: Block }[];
}
