import { asFields, type Fields, isFields, listOf, textOf } from "../fields.ts";
import { type Entry, type Rewind, textKey } from "../gemini-format/entry.ts";
import { textsOf } from "../gemini-format/parts.ts";
import { isSessionContext } from "../gemini-format/user-text.ts";

/**
 * Plays a log of mutations through. Unlike in Gemini CLI itself nothing is taken out: the history that is sent to the
 * model is rewritten again and again, by compression, masking, failures and rewinds, and what was said stays said.
 *
 * A rewrite may write messages again under new ids. Their texts are told apart as repeats.
 */
export class Fold {
  /** Facts about the session, the later ones over the earlier ones. */
  header: Fields = {};
  readonly #steps: (Slot | Rewind)[] = [];
  readonly #slots = new Map<string, Slot>();
  /** Texts that were said, as far as they were looked at: most logs are never rewritten so that it matters. */
  readonly #said = new Set<string>();
  #unseen: Fields[] = [];

  /** False where the record is of no kind that is known. */
  apply(record: Fields): boolean {
    const set = asFields(record.$set);
    const patch = asFields(record.$patch);
    if (typeof record.$rewindTo === "string") this.#rewind(record.$rewindTo);
    else if (patch !== undefined) this.#patch(patch);
    else if (textOf(record.id) !== undefined) this.#put(record);
    else if (set !== undefined) this.#set(set);
    else if (typeof record.sessionId === "string") this.#set(record);
    else return false;
    return true;
  }

  *steps(): Generator<Entry | Rewind> {
    for (const step of this.#steps) yield step;
  }

  /** Metadata; with `messages`, the whole history as the model gets it from here on. */
  #set(fields: Fields): void {
    const { messages, ...facts } = fields;
    this.header = { ...this.header, ...facts };
    if (!Array.isArray(messages)) return;
    const listed = messages.filter((message) => isFields(message) && textOf(message.id) !== undefined);
    const ids = new Set<unknown>(listed.map(({ id }) => id));
    const dropped = this.#shown().filter((slot) => !ids.has(slot.id));
    for (const message of listed) this.#restore(message);
    this.#drop(dropped);
  }

  #restore(message: Fields): void {
    const slot = this.#slots.get(String(message.id));
    if (slot !== undefined) slot.state = "shown";
    else this.#insert(message, this.#saidBefore(message));
  }

  /** `{id?, content?, toolCalls?, updates?, removeIds?, orderIds?}`: a rewrite told as its differences. */
  #patch(patch: Fields): void {
    for (const update of [patch, ...listOf(patch.updates)]) {
      if (isFields(update)) this.#fillResults(update);
    }
    const removed = new Set(listOf(patch.removeIds));
    if (removed.size > 0) this.#drop(this.#shown().filter(({ id }) => removed.has(id)));
  }

  /** A rewrite shortens results that were recorded, so it counts only where there is none. */
  #fillResults(update: Fields): void {
    const slot = this.#slots.get(String(update.id));
    const calls = listOf(slot?.message.toolCalls);
    if (slot === undefined || calls.length === 0 || !Array.isArray(update.toolCalls)) return;
    const results = new Map(update.toolCalls.filter(isFields).map(({ id, result }) => [id, result]));
    const filled = calls.map((call) => {
      if (!isFields(call) || (call.result ?? undefined) !== undefined) return call;
      return { ...call, result: results.get(call.id) };
    });
    slot.message = { ...slot.message, toolCalls: filled };
  }

  /** A message; the same id again is the same message with more to it. */
  #put(message: Fields): void {
    const slot = this.#slots.get(String(message.id));
    if (slot === undefined) {
      this.#insert(message, NONE);
      return;
    }
    slot.message = message;
    slot.state = "shown";
    this.#unseen.push(message);
  }

  #insert(message: Fields, repeats: ReadonlySet<string>): void {
    const id = String(message.id);
    const slot: Slot = { id, message, repeats, order: this.#steps.length, state: "shown" };
    this.#slots.set(id, slot);
    this.#steps.push(slot);
    this.#unseen.push(message);
  }

  #saidBefore(message: Fields): ReadonlySet<string> {
    for (const unseen of this.#unseen) for (const key of textKeys(unseen)) this.#said.add(key);
    this.#unseen = [];
    return new Set(textKeys(message).filter((key) => this.#said.has(key)));
  }

  /** An id that isn't shown takes everything back, as in Gemini CLI. */
  #rewind(target: string): void {
    const shown = this.#shown();
    const at = shown.findIndex(({ id }) => id === target);
    const gone = at < 0 ? shown : shown.slice(at);
    for (const slot of gone) slot.state = "rewound";
    const prompts = gone.filter(({ message }) => message.type === "user" && textKeys(message).length > 0).length;
    if (gone.length > 0) this.#steps.push({ target, prompts });
  }

  #drop(slots: readonly Slot[]): void {
    for (const slot of slots) slot.state = "dropped";
    this.#findRepeats(slots.filter(isSpoken));
  }

  /**
   * Where a rewrite leaves nothing of what stood before, the messages behind that are the new history, and what they
   * say in the words of the dropped ones they say again.
   */
  #findRepeats(dropped: readonly Slot[]): void {
    const last = dropped.at(-1);
    if (last === undefined) return;
    const kept = this.#shown().filter(isSpoken);
    if (kept.some(({ order }) => order < last.order)) return;
    const before = new Set<string>();
    for (const slot of this.#slots.values()) {
      if (slot.state === "dropped") for (const key of textKeys(slot.message)) before.add(key);
    }
    for (const slot of kept) {
      const again = textKeys(slot.message).filter((key) => before.has(key));
      if (again.length > 0) slot.repeats = new Set([...slot.repeats, ...again]);
    }
  }

  #shown(): Slot[] {
    return [...this.#slots.values()].filter(({ state }) => state === "shown");
  }
}

interface Slot extends Entry {
  message: Fields;
  repeats: ReadonlySet<string>;
  readonly order: number;
  /** `dropped`: no longer sent to the model. `rewound`: taken back by the person. */
  state: "shown" | "dropped" | "rewound";
}

const NONE: ReadonlySet<string> = new Set();

/** Notices are no part of what is sent to the model, nor are the session's opening words said by anyone. */
function isSpoken({ message }: Slot): boolean {
  if (message.type !== "user" && message.type !== "gemini") return false;
  const texts = textsOf(message.content);
  return texts.length === 0 || !texts.every(isSessionContext);
}

function textKeys(message: Fields): string[] {
  return textsOf(message.content)
    .filter((text) => !isSessionContext(text))
    .map((text) => textKey(message.type, text));
}
