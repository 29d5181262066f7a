import { type Fields, isFields, numberOf, timeOf } from "../fields.ts";
import { clip, contentText } from "./content.ts";

/** A text that waits in the agent's queue, or has been handed to the model. */
export interface Queued {
  readonly key: string;
  readonly text: string;
  readonly human: boolean;
  /** When it was typed. */
  readonly at?: number;
  /** When it left the queue. */
  readonly leftAt?: number;
}

export interface QueueState {
  readonly waiting: readonly Queued[];
  readonly delivered: readonly Queued[];
  /** Dequeues whose `user` line has not come yet. */
  readonly dequeued: number;
  readonly released: readonly string[];
  readonly recent: readonly string[];
}

/**
 * Follows texts typed while the agent works, so that each becomes a message once, where the model got it.
 *
 * `enqueue` alone is no prompt. From the queue a text goes one of three ways: `dequeue`, and a `user` line with it
 * follows; `remove`, which hands it to the model in the middle of a turn, with a `queued_command` attachment as its
 * record in newer versions and no other record in older ones; `popAll`, back into the input box, unsent.
 * So what was removed is held until its attachment comes, and released when the conversation goes on without one.
 */
export class PromptQueue {
  #waiting: Queued[];
  #delivered: Queued[];
  #dequeued: number;
  /** Keys of what was released without its attachment. */
  #released: string[];
  /** Keys of prompts since the assistant last spoke. */
  #recent: string[];

  constructor(state: unknown) {
    const fields = isFields(state) ? state : {};
    this.#waiting = queuedList(fields.waiting);
    this.#delivered = queuedList(fields.delivered);
    this.#dequeued = numberOf(fields.dequeued) ?? 0;
    this.#released = keyList(fields.released);
    this.#recent = keyList(fields.recent);
  }

  /** Applies a `queue-operation` line. */
  operate(line: Fields): void {
    const text = contentText(line.content).trim();
    switch (line.operation) {
      case "enqueue":
        if (text !== "" && !TASK_STATUS.test(text)) this.#wait(queuedFrom(text, line));
        return;
      case "dequeue":
        this.#dequeued += 1;
        return;
      case "remove":
        this.#deliver(text, line);
        return;
      case "popAll":
        this.#waiting = this.#waiting.filter((queued) => !queued.human);
    }
  }

  /** Whether a `user` line with this text is a message of its own, and not a copy of one already told. */
  admitUserLine(text: string, human: boolean): boolean {
    const key = queueKey(text);
    const dequeued = this.#dequeued > 0;
    const isNew = this.#settle(key) || !this.#isCopy(key, dequeued);
    // Several texts may come as one line, and not in the words of the queue.
    for (; this.#dequeued > 0; this.#dequeued--) takeFirst(this.#waiting, human);
    if (isNew) push(this.#recent, `u${key}`);
    return isNew;
  }

  /** The same for a `queued_command` attachment. */
  admitAttachment(text: string, human: boolean): boolean {
    const key = queueKey(text);
    if (!this.#settle(key)) {
      if (take(this.#released, key) || this.#recent.some((recent) => recent.slice(1) === key)) return false;
      // Its text may differ from the queue's: pasted text and images are spelled out in one of the two.
      takeFirst(this.#delivered, human);
    }
    push(this.#recent, `q${key}`);
    return true;
  }

  /**
   * What was handed to the model and has no other record, oldest first. Call it before a line that carries the
   * conversation on. Queue lines are written at once and others late, so a line may follow that was said before.
   */
  release(lineAt: number | undefined): readonly Queued[] {
    if (this.#delivered.length === 0) return [];
    const isDue = ({ leftAt = 0 }: Queued) => lineAt === undefined || leftAt <= lineAt;
    const released = this.#delivered.filter(isDue);
    this.#delivered = this.#delivered.filter((queued) => !isDue(queued));
    for (const { key } of released) push(this.#released, key);
    return released;
  }

  assistantSpoke(): void {
    if (this.#recent.length > 0) this.#recent = [];
  }

  state(): QueueState {
    return {
      waiting: [...this.#waiting],
      delivered: [...this.#delivered],
      dequeued: this.#dequeued,
      released: [...this.#released],
      recent: [...this.#recent],
    };
  }

  #deliver(text: string, line: Fields): void {
    if (TASK_STATUS.test(text)) return;
    const queued = text === "" ? this.#takeUnnamed() : (this.#takeWaiting(queueKey(text)) ?? queuedFrom(text, line));
    const leftAt = timeOf(line.timestamp);
    if (queued !== undefined) push(this.#delivered, { ...queued, ...(leftAt !== undefined && { leftAt }) });
  }

  /** Older versions do not say what was removed. Prompts leave the queue before notifications. */
  #takeUnnamed(): Queued | undefined {
    return takeFirst(this.#waiting, true) ?? takeFirst(this.#waiting, false);
  }

  #takeWaiting(key: string): Queued | undefined {
    const index = this.#waiting.findIndex((queued) => queued.key === key);
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  #wait(queued: Queued): void {
    if (this.#waiting.length >= MAX_ENTRIES) takeFirst(this.#waiting, false);
    push(this.#waiting, queued);
  }

  /** Finds the queue's entry for a text that became a line of its own, and drops it. */
  #settle(key: string): boolean {
    const delivered = this.#delivered.findIndex((queued) => queued.key === key);
    if (delivered >= 0) {
      this.#delivered.splice(delivered, 1);
      return true;
    }
    if (this.#takeWaiting(key) === undefined) return false;
    this.#dequeued = Math.max(0, this.#dequeued - 1);
    return true;
  }

  #isCopy(key: string, dequeued: boolean): boolean {
    if (this.#recent.includes(`q${key}`)) return true;
    return dequeued && take(this.#released, key);
  }
}

/** Whether a text was put into the queue by the harness: a background task that ended, a teammate's message. */
export function isNotification(text: string): boolean {
  return MACHINE.test(text);
}

const MAX_ENTRIES = 16;
const MAX_TEXT = 32 * 1024;
const KEY_END = 512;
/** State of a background task in versions around 2.1.40: for the model, and of no use to a reader. */
const TASK_STATUS = /^\{"task_id":"/;
const MACHINE = /^<(?:task-notification|teammate-message)/;
const IMAGE_MARK = /\[image(?: #\d+)?\]/gi;

/** The queue's name for a text: equal for equal texts, and short. Both ends and the length tell pasted texts apart. */
function queueKey(text: string): string {
  const plain = text.replace(IMAGE_MARK, "").trim();
  const ends = plain.length <= 2 * KEY_END ? plain : plain.slice(0, KEY_END) + plain.slice(-KEY_END);
  let hash = 0x811c9dc5;
  for (let index = 0; index < ends.length; index++) hash = Math.imul(hash ^ ends.charCodeAt(index), 0x01000193);
  return `${(hash >>> 0).toString(36)}.${plain.length}`;
}

function queuedFrom(text: string, line: Fields): Queued {
  const at = timeOf(line.timestamp);
  const human = !isNotification(text);
  return { key: queueKey(text), text: clip(text, MAX_TEXT), human, ...(at !== undefined && { at }) };
}

function push<T>(list: T[], entry: T): void {
  list.push(entry);
  if (list.length > MAX_ENTRIES) list.shift();
}

function takeFirst(list: Queued[], human: boolean): Queued | undefined {
  const index = list.findIndex((queued) => queued.human === human);
  return index < 0 ? undefined : list.splice(index, 1)[0];
}

function take(keys: string[], key: string): boolean {
  const index = keys.indexOf(key);
  if (index >= 0) keys.splice(index, 1);
  return index >= 0;
}

function queuedList(value: unknown): Queued[] {
  const list: Queued[] = [];
  for (const entry of Array.isArray(value) ? value.filter(isFields) : []) {
    const { key, text, human, at, leftAt } = entry;
    if (typeof key !== "string" || typeof text !== "string") continue;
    const times = { ...(typeof at === "number" && { at }), ...(typeof leftAt === "number" && { leftAt }) };
    list.push({ key, text, human: human === true, ...times });
  }
  return list;
}

function keyList(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((key) => typeof key === "string") : [];
}
