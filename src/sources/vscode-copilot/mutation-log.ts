import { asFields, type Fields, fieldsOf, isFields, listOf, numberOf, textOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { SkipItem } from "../source.ts";

/**
 * Plays a log of changes through, `{kind, k, v, i}` each: 0 is the whole chat, 1 sets the value at the path `k`, 2 cuts
 * the list there to `i` entries and adds those of `v`, 3 deletes what stands there (`objectMutationLog.ts` of VS Code).
 *
 * VS Code gives up on a log that it cannot follow. Here such a change is passed over, and one without a beginning is
 * followed from an empty chat. The records themselves stay as they are.
 */
export class MutationLog {
  #chat: Fields = {};
  /** Requests of which a whole chat further down in the log knows nothing: they were made all the same. */
  #earlier: readonly unknown[] = [];

  /** The chat as it stands after all changes so far. */
  get chat(): Fields {
    const requests = listOf(this.#chat.requests);
    const ids = new Set(requests.map(requestId));
    const earlier = this.#earlier.filter((request) => !ids.has(requestId(request)));
    return earlier.length === 0 ? this.#chat : { ...this.#chat, requests: [...earlier, ...requests] };
  }

  /** What there is to say of a change that was passed over. */
  apply(entry: Fields): SkipItem | undefined {
    const kind = numberOf(entry.kind);
    if (kind === 0) return this.#begin(entry.v);
    const change = kind === undefined ? undefined : CHANGES[kind];
    if (change === undefined) return unknownType(kind === undefined ? entry.type : `kind-${kind}`);
    const path = listOf(entry.k).map(String);
    if (DRAFTS.has(path[0] ?? "")) return undefined;
    const chat = path.length === 0 ? undefined : changed(this.#chat, path, (before) => change(before, entry));
    if (!isFields(chat)) return malformed("a change of nothing");
    this.#chat = chat;
    return undefined;
  }

  #begin(value: unknown): SkipItem | undefined {
    const chat = asFields(value);
    if (chat === undefined) return malformed("not a chat");
    this.#earlier = listOf(this.chat.requests);
    const said = Object.entries(chat).filter(([key]) => !DRAFTS.has(key));
    this.#chat = { ...this.#chat, requests: [], ...Object.fromEntries(said) };
    return undefined;
  }
}

/** What is being typed, and prompts that wait: nothing that was said, and it may hold pictures. */
const DRAFTS = new Set(["inputState", "pendingRequests"]);

const IMPOSSIBLE = Symbol("impossible");

const CHANGES: Readonly<Record<number, (before: unknown, entry: Fields) => unknown>> = {
  1: (_, { v }) => v,
  2: (before, { v, i }) => {
    const list = before ?? [];
    if (!Array.isArray(list)) return IMPOSSIBLE;
    const kept = Math.max(0, Math.floor(numberOf(i) ?? list.length));
    return [...list.slice(0, kept), ...listOf(v)];
  },
  3: () => undefined,
};

function requestId(request: unknown): unknown {
  return textOf(fieldsOf(request).requestId) ?? request;
}

/** A copy in which the value at the path is another; `IMPOSSIBLE` where the path leads nowhere. */
function changed(at: unknown, [key, ...rest]: readonly string[], change: (before: unknown) => unknown): unknown {
  if (key === undefined) return change(at);
  if (Array.isArray(at)) {
    const index = /^\d{1,9}$/.test(key) ? Number(key) : -1;
    // A place far behind the end would make a list of nothing, as long as a file may say.
    if (index < 0 || index > at.length) return IMPOSSIBLE;
    const value = changed(at[index], rest, change);
    return value === IMPOSSIBLE ? value : [...at.slice(0, index), value, ...at.slice(index + 1)];
  }
  if (!isFields(at)) return IMPOSSIBLE;
  const value = changed(Object.hasOwn(at, key) ? at[key] : undefined, rest, change);
  return value === IMPOSSIBLE ? value : { ...at, [key]: value };
}
