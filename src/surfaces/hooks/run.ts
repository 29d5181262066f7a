import { fstatSync, readFileSync, writeSync } from "node:fs";
import { answerEvent, type HookWorld, silenceFor } from "./answer.ts";

/** What reading a transcript leaves for the end, of the whole time. */
const LAST = 0.2;
/** A tool's result may be among what an agent tells; what is longer than this is not looked at. */
const MOST_INPUT = 8_000_000;

/**
 * Answers one event on standard input and output, and ends the process. However that goes, the agent sees a hook that
 * succeeded, and nothing that it could misread. `mostMs`: no agent waits for longer.
 */
export async function runHook(
  argv: readonly string[],
  { mostMs, ...world }: Omit<HookWorld, "read" | "print" | "left"> & { readonly mostMs: number },
): Promise<never> {
  const startedAt = elapsedMs();
  let isAnswered = false;
  const answer = (text: string | undefined): void => {
    if (!isAnswered && text !== undefined) print(text);
    isAnswered = true;
  };
  const end = (): never => {
    answer(silenceFor(argv));
    process.exit(0);
  };
  process.on("uncaughtException", end);
  process.on("unhandledRejection", end);
  setTimeout(end, mostMs);
  const left = (): number => mostMs * (1 - LAST) - (elapsedMs() - startedAt);
  try {
    await answerEvent(argv, { ...world, read: readInput, print: answer, left });
  } catch {
    // What is missing is read by a pass.
  }
  return end();
}

/** Since the process began. Node would have to load `performance` first. */
function elapsedMs(): number {
  return process.uptime() * 1_000;
}

/** All of standard input; nothing where it is too long. */
async function readInput(): Promise<string> {
  const stats = fstatSync(0);
  if (stats.isFile()) return stats.size > MOST_INPUT ? "" : readFileSync(0, "utf8");
  if (process.stdin.isTTY) return "";
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of process.stdin) {
    const bytes: Buffer = Buffer.from(part);
    length += bytes.length;
    if (length > MOST_INPUT) return "";
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** At once: the process ends soon, and what a stream still holds then is lost. */
function print(text: string): void {
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
  } catch {
    // Nobody reads it.
  }
}
