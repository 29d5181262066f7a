import type { Embedding } from "../../vectors/static-embedder.ts";
import type { VectorEntry } from "../vectors.ts";

/*
 * The vectors of a session's observations as one BLOB, little-endian, each part as long as there are observations:
 *
 *   4 bytes   version, 4 bytes number of observations, 4 bytes numbers of a vector
 *   4 each    ids, ascending
 *   4 each    how far each went
 *   4 each    scales, 0 where there is no vector
 *   dims each the vectors' numbers, one byte each
 */
const VERSION = 1;
const HEADER_BYTES = 12;
const BYTES_BEFORE_VECTOR = 12;

/** Reads in place, and makes nothing for each entry. */
export interface VectorPack {
  readonly count: number;
  readonly dims: number;
  readonly observation: (index: number) => number;
  readonly lastSeq: (index: number) => number;
  readonly scale: (index: number) => number;
  /** All vectors' numbers, one vector behind the other. */
  readonly values: Int8Array;
}

/** `entries` in order of their observations; those of another length than `dims` are as if they had no vector. */
export function packVectors(entries: readonly VectorEntry[], dims: number): Uint8Array {
  const count = entries.length;
  const bytes = new Uint8Array(packedLength(count, dims));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, VERSION, true);
  view.setUint32(4, count, true);
  view.setUint32(8, dims, true);
  const { ids, seqs, scales, values } = layOut(count);
  entries.forEach(({ observation, lastSeq, vector }, index) => {
    view.setUint32(ids + index * 4, observation, true);
    view.setUint32(seqs + index * 4, lastSeq, true);
    if (vector === undefined || vector.values.length !== dims) return;
    view.setFloat32(scales + index * 4, vector.scale, true);
    bytes.set(new Uint8Array(vector.values.buffer, vector.values.byteOffset, dims), values + index * dims);
  });
  return bytes;
}

/** Undefined for what is no whole pack of such vectors. */
export function unpackVectors(column: unknown, dims: number): VectorPack | undefined {
  if (!(column instanceof Uint8Array) || column.length < HEADER_BYTES) return undefined;
  const view = new DataView(column.buffer, column.byteOffset, column.length);
  const count = view.getUint32(4, true);
  if (view.getUint32(0, true) !== VERSION || view.getUint32(8, true) !== dims) return undefined;
  if (column.length !== packedLength(count, dims)) return undefined;
  const { ids, seqs, scales, values } = layOut(count);
  return {
    count,
    dims,
    observation: (index) => view.getUint32(ids + index * 4, true),
    lastSeq: (index) => view.getUint32(seqs + index * 4, true),
    scale: (index) => view.getFloat32(scales + index * 4, true),
    values: new Int8Array(column.buffer, column.byteOffset + values, count * dims),
  };
}

export function entryAt(pack: VectorPack, index: number): VectorEntry {
  const vector = vectorAt(pack, index);
  return {
    observation: pack.observation(index),
    lastSeq: pack.lastSeq(index),
    ...(vector !== undefined && { vector }),
  };
}

export function vectorAt({ dims, scale, values }: VectorPack, index: number): Embedding | undefined {
  const own = scale(index);
  return own === 0 ? undefined : { values: values.subarray(index * dims, (index + 1) * dims), scale: own };
}

function packedLength(count: number, dims: number): number {
  return HEADER_BYTES + count * (BYTES_BEFORE_VECTOR + dims);
}

function layOut(count: number): { ids: number; seqs: number; scales: number; values: number } {
  const ids = HEADER_BYTES;
  return { ids, seqs: ids + count * 4, scales: ids + count * 8, values: ids + count * BYTES_BEFORE_VECTOR };
}
