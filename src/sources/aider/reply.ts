import type { Run } from "./parse.ts";

/** What the model said, with its thinking first where the model showed it. */
export function readReply(text: string, run: Run): void {
  let from = 0;
  for (const match of text.matchAll(THINKING)) {
    run.say({ role: "assistant", part: "text", text: text.slice(from, match.index) });
    run.say({ role: "assistant", part: "thinking", text: match[2] ?? match[3] ?? "" });
    from = match.index + match[0].length;
  }
  run.say({ role: "assistant", part: "text", text: text.slice(from) });
}

/** As the model's own tags, or as Aider shows them. */
const THINKING =
  /^<(think|thinking-content-[0-9a-f]+)>$(.*?)^<\/\1>$|^-*\n?► \*\*THINKING\*\*$(.*?)^-*\n?► \*\*ANSWER\*\*$/gms;
