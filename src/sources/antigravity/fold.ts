import { type Fields, jsonOf, nameOf, numberOf } from "../fields.ts";

/** A step of a conversation in its last state. */
export interface Step {
  /** Tells it from the conversation's other steps. */
  readonly id: string;
  readonly fields: Fields;
}

/**
 * The steps of a log. One that is logged again, with the same number and type, takes the place of one that had not come
 * to its end, and is a copy of one that says the same. Any other is a step of its own: what was said stays.
 */
export class Fold {
  readonly #steps = new Map<string, Fields>();
  /** How many steps bear a number. */
  readonly #counts = new Map<string, number>();
  #records = 0;

  add(fields: Fields): void {
    this.#records += 1;
    const index = numberOf(fields.step_index);
    if (index === undefined) {
      this.#steps.set(`at${this.#records}`, fields);
      return;
    }
    const number = String(index);
    const count = this.#counts.get(number) ?? 0;
    for (let nth = 1; nth <= count; nth += 1) {
      const id = idOf(number, nth);
      const before = this.#steps.get(id);
      if (before === undefined || before.type !== fields.type) continue;
      if (hasEnded(before) && !isCopy(before, fields)) continue;
      this.#steps.set(id, { ...before, ...fields });
      return;
    }
    this.#counts.set(number, count + 1);
    this.#steps.set(idOf(number, count + 1), fields);
  }

  /** In the order in which they were begun. */
  steps(): readonly Step[] {
    return Array.from(this.#steps, ([id, fields]) => ({ id, fields }));
  }
}

function idOf(number: string, nth: number): string {
  return nth === 1 ? number : `${number}~${nth}`;
}

function hasEnded({ status }: Fields): boolean {
  const state = nameOf(status);
  return state === undefined || !GOES_ON.test(state);
}

const GOES_ON = /RUNNING|PENDING|WAITING|GENERATING|QUEUED|IN_PROGRESS/i;

function isCopy(before: Fields, after: Fields): boolean {
  const said = ({ source, content, thinking, tool_calls }: Fields): string =>
    jsonOf([source, content, thinking, tool_calls]);
  return said(before) === said(after);
}
