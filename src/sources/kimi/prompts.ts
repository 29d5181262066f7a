import { hashOf } from "../fields.ts";
import type { Memory, Pending } from "./memory.ts";

/**
 * Kimi Code writes a prompt twice: when it was typed, and when it reached the model's context. The second is the one
 * that is told, but of a turn that was stopped early it is missing. This keeps what was typed until then.
 */
export function promptTyped(memory: Memory, text: string, time: number | undefined, isOpening: boolean): void {
  const hash = hashOf(text);
  // One that was told when its turn was stopped may open the next turn.
  if (text.trim() === "" || memory.prompts.some((prompt) => prompt.hash === hash && prompt.isTold)) return;
  const kept = text.length > MAX_CHARS ? "" : text;
  const prompts = [...memory.prompts, { hash, text: kept, time, isOpening, isTold: false }];
  memory.prompts = prompts.slice(-MAX_PROMPTS);
}

/** A prompt reached the context. Gives false where it was told before. */
export function promptReached(memory: Memory, text: string): boolean {
  const hash = hashOf(text);
  const same = memory.prompts.find((prompt) => prompt.hash === hash);
  // What the context holds may have been added to, as with pictures.
  const reached = same ?? memory.prompts.find((prompt) => prompt.isOpening && !prompt.isTold);
  memory.prompts = memory.prompts.filter((prompt) => prompt !== reached);
  return reached?.isTold !== true;
}

/** Prompts that are not going to reach the context, now that the turn is over. */
export function promptsLeft(memory: Memory): readonly Pending[] {
  const left = memory.prompts.filter((prompt) => !prompt.isTold && prompt.text !== "");
  memory.prompts = memory.prompts.map((prompt) => ({ ...prompt, isTold: prompt.isTold || prompt.text !== "" }));
  return left;
}

const MAX_PROMPTS = 8;
const MAX_CHARS = 4000;
