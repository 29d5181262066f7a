import { YoreError } from "../../core/errors.ts";
import type { Context } from "./command.ts";

/** Throws `bad-input` where nobody can be asked. `hint`: how to go without. */
export function checkCanAsk({ json, io }: Pick<Context, "json" | "io">, hint: string): void {
  if (json || io.ask === undefined) throw new YoreError("bad-input", "There is no terminal to ask on.", { hint });
}

/** Asks whether to go on; anything but yes is no. */
export async function isWanted({ io }: Pick<Context, "io">, question: string): Promise<boolean> {
  const answer = await io.ask?.(`${question} [y/N] `);
  return /^y(?:es)?$/i.test(answer?.trim() ?? "");
}
