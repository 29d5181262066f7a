/** What stands in a run, in order. A prompt is what went to the model; an output is what Aider itself printed. */
export interface Entry {
  readonly type: "prompt" | "reply" | "output";
  readonly text: string;
}

/**
 * Takes a run apart. Aider ends each line of a prompt (`#### `) and of its own output (`> `) with two spaces, which
 * headings and quotes in a model's reply lack. Where an editor has taken all such spaces away, a blank line before the
 * prompt must do. Lines inside a fence that is closed belong to the reply, whatever they look like.
 */
export function* splitRun(text: string): Generator<Entry> {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const isStrict = lines.some((line) => PROMPT.test(line)) || !lines.some((line) => LOOSE_PROMPT.test(line));
  let open: Entry["type"] | undefined;
  let held: string[] = [];
  const take = (type: Entry["type"], line: string): Entry | undefined => {
    const done = type === open ? undefined : closeEntry(open, held);
    if (type !== open) held = [];
    open = type;
    held.push(line);
    return done;
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const kind = kindOf(line, lines[at - 1] ?? "", isStrict);
    if (kind === "prompt") {
      // A blank line stands before each prompt, also where one follows another.
      if (open === "prompt" && lines[at - 1]?.startsWith("####") !== true) {
        const done = closeEntry(open, held);
        held = [];
        if (done !== undefined) yield done;
      }
      const done = take("prompt", line.slice(5));
      if (done !== undefined) yield done;
      continue;
    }
    const isOutput = kind === "output" || (LOOSE_OUTPUT.test(line) && (open !== "reply" || TOKENS.test(line)));
    if (isOutput) {
      const end = kind === "output" ? at : endOfOutput(lines, at);
      const first = take("output", line.slice(2));
      if (first !== undefined) yield first;
      for (; at < end; at += 1) held.push(lines[at + 1] ?? "");
      continue;
    }
    if (line.trim() === "" && open !== "reply") continue;
    const end = FENCE.test(line) ? endOfFence(lines, at) : at;
    const done = take("reply", line);
    if (done !== undefined) yield done;
    for (; at < end; at += 1) held.push(lines[at + 1] ?? "");
  }
  const last = closeEntry(open, held);
  if (last !== undefined) yield last;
}

/** What is open for longer is not looked to the end of, each time anew. */
const MAX_LINES = 20_000;
const PROMPT = /^####( .*)? {2}$/;
const LOOSE_PROMPT = /^#### /;
const OUTPUT = /^>.* {2}$/;
const LOOSE_OUTPUT = /^> /;
const TOKENS = /^> Tokens: [\d.,]+[kM]? sent,/;
const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
/** What ends a reply for certain, so that a fence before it which was not closed by then never was. */
const REPLY_END =
  /^> (Tokens: [\d.,]+[kM]? sent,|\^C|Applied edit to |Aider v\d|Unexpected error|Retrying in |litellm\.|\w+(Error|Exception)\b)/;

function kindOf(line: string, before: string, isStrict: boolean): "prompt" | "output" | undefined {
  if (isStrict ? PROMPT.test(line) : LOOSE_PROMPT.test(line) && (before === "" || LOOSE_PROMPT.test(before))) {
    return "prompt";
  }
  return (isStrict ? OUTPUT : LOOSE_OUTPUT).test(line) ? "output" : undefined;
}

/** Output of several lines, of which older versions quoted only the first and ended only the last with two spaces. */
function endOfOutput(lines: readonly string[], from: number): number {
  for (let at = from + 1; at < Math.min(lines.length, from + MAX_LINES); at += 1) {
    const line = lines[at] ?? "";
    if (PROMPT.test(line)) return from;
    if (/\S {2}$/.test(line) && /^(#### .*|> .*|\s*)$/.test(lines[at + 1] ?? "")) {
      return OUTPUT.test(line) ? at - 1 : at;
    }
  }
  return from;
}

function endOfFence(lines: readonly string[], from: number): number {
  const fence = FENCE.exec(lines[from] ?? "")?.[1] ?? "```";
  const close = new RegExp(`^\\s{0,3}${fence.charAt(0)}{${fence.length},}\\s*$`);
  for (let at = from + 1; at < Math.min(lines.length, from + MAX_LINES); at += 1) {
    const line = lines[at] ?? "";
    if (close.test(line)) return at;
    // A reply is followed by a blank line, and a prompt begins with one.
    const isPrompt = PROMPT.test(line) && lines[at - 1] === "" && lines[at - 2] === "";
    if (isPrompt || REPLY_END.test(line)) return from;
  }
  return from;
}

function closeEntry(type: Entry["type"] | undefined, lines: readonly string[]): Entry | undefined {
  if (type === undefined) return undefined;
  const text = lines
    .map((line) => (type === "reply" ? line : line.trimEnd()))
    .join("\n")
    .trim();
  return text === "" ? undefined : { type, text };
}
