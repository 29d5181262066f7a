import { createHash } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Characters of an observation id: 60 bits, so that a million observations share none. */
export const OBSERVATION_ID_LENGTH = 12;

/** Identity of a message across files and machines: 12 bytes of a hash over agent and native id. */
export function messageUid(agent: string, nativeId: string): Uint8Array {
  return createHash("sha256").update(`${agent}\u0000${nativeId}`).digest().subarray(0, 12);
}

/** A message uid as users see it: 24 hexadecimal digits. */
export function formatUid(uid: Uint8Array): string {
  return Buffer.from(uid.buffer, uid.byteOffset, uid.byteLength).toString("hex");
}

/** The uid that `formatUid` spells. */
export function parseUid(id: string): Uint8Array {
  return Buffer.from(id, "hex");
}

/** Identity of one model call across files. */
export function usageKey(agent: string, key: string): Uint8Array {
  return createHash("sha256").update(`${agent}\u0000usage\u0000${key}`).digest().subarray(0, 12);
}

/**
 * Short id of an observation, derived from what it identifies, so that it is the same after a rebuild and on another
 * machine: agent, session and the message it begins with.
 */
export function observationId(agent: string, session: string, firstMessage: Uint8Array): string {
  return base32(
    createHash("sha256").update(`${agent}\u0000${session}\u0000`).update(firstMessage).digest(),
    OBSERVATION_ID_LENGTH,
  );
}

/** Short id of a project, derived from its key. */
export function projectId(key: string): string {
  return base32(createHash("sha256").update(key).digest(), 8);
}

/** Crockford's alphabet in lower case: no i, l, o, u. */
function base32(bytes: Uint8Array, length: number): string {
  let out = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      out += ALPHABET[(value >>> (bits - 5)) & 31];
      bits -= 5;
      if (out.length === length) return out;
    }
    value &= (1 << bits) - 1;
  }
  return out;
}

/** Id of a memory, in the form of an observation's, which it is found by: of what was said, by whom, when. */
export function memoryId(...said: readonly string[]): string {
  return base32(
    createHash("sha256")
      .update(["memory", ...said].join("\u0000"))
      .digest(),
    OBSERVATION_ID_LENGTH,
  );
}

/**
 * Id of the receipt for a text that a tool or hook hands out: the same text gives the same id. The dash tells it from
 * the id of an observation.
 */
export function receiptId(tool: string, text: string): string {
  return `r-${base32(createHash("sha256").update(`receipt\u0000${tool}\u0000${text}`).digest(), RECEIPT_ID_LENGTH)}`;
}

const RECEIPT_ID_LENGTH = 10;
