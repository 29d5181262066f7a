import { createHmac } from "node:crypto";

/** Characters of a fingerprint. A chance that two of a thousand secrets share one is small enough for telling them apart. */
const LENGTH = 4;
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/**
 * Makes the mark by which a secret can be followed without being known: the same for the same secret under the same
 * key, and without the key of no use, since whoever has a guess cannot test it.
 */
export function fingerprintWith(key: Uint8Array): (secret: string) => string {
  return (secret) => {
    const digest = createHmac("sha256", key).update(secret).digest();
    return Array.from(digest.subarray(0, LENGTH), (byte) => ALPHABET.charAt(byte & 31)).join("");
  };
}
