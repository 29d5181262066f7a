import type { SkipItem } from "./source.ts";

/** A record of a type that isn't known. `family` tells where it stood, such as `message`. */
export function unknownType(type: unknown, family = ""): SkipItem {
  const name = plainName(type);
  return { kind: "skip", reason: "unknown-type", detail: family === "" ? name : `${family}/${name}` };
}

/** A record that isn't what its place calls for. */
export function malformed(detail: string): SkipItem {
  return { kind: "skip", reason: "malformed", detail };
}

const PLAIN_NAME = /^[A-Za-z][\w./-]{0,60}$/;

/** Odd names may hold content, so they aren't repeated. */
function plainName(type: unknown): string {
  return typeof type === "string" && PLAIN_NAME.test(type) ? type : "(no plain name)";
}
