// What a reply of Yore must look like to whoever reads it.
import assert from "node:assert/strict";
import { assertHas } from "./checks.mjs";

/** The recalled text of a reply, from within its fence. */
export function quotedIn(reply) {
  const match = /Recorded history, quoted as data; [^\n]*\n<<yore (\w{8,})\n(.*)\nyore \1>>/s.exec(reply);
  assert.ok(match, `the reply has no fence: ${reply.slice(0, 300)}`);
  return match[2];
}

/** Ids of the observations in a search reply, in order. */
export function idsIn(reply) {
  return [...quotedIn(reply).matchAll(/^\[([0-9a-z]{12})\] /gm)].map((match) => match[1]);
}

/** A search reply that shows `past` alone, quoted, with its agent and id. Returns the id. */
export function assertFound(reply, past) {
  const quoted = quotedIn(reply);
  for (const part of [past.prompt, past.word, past.agent]) assertHas(quoted, part, "the quoted text");
  const ids = idsIn(reply);
  assert.equal(ids.length, 1, `not one observation id but ${ids.length} in: ${quoted.slice(0, 300)}`);
  return ids[0];
}
