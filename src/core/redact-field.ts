import { redact } from "./redact.ts";

/**
 * A string of a record without the secrets in it; the same one where there are none. It is also looked at together with
 * the name of its field, since `{"password": "…"}` is an assignment.
 */
export function redactField(text: string, key: string): string {
  if (text.length < SHORTEST) return text;
  const { text: result } = redact(text);
  return TELLING.test(key) ? redactAssigned(key, result) : result;
}

/** No rule finds anything in a shorter text. */
const SHORTEST = 8;
const TELLING = /key|token|secret|pass|pwd|credential|auth/i;

function redactAssigned(key: string, text: string): string {
  const opening = `${key}: "`;
  const { text: result } = redact(`${opening}${text}"`);
  return result.startsWith(opening) && result.endsWith('"') ? result.slice(opening.length, -1) : text;
}
