import { type Fields, fieldsOf, listOf, nameOf, textOf, timeOf } from "../fields.ts";
import { modelToolName } from "./tool-names.ts";

/** A call as the model made it, with what the model was given for it. */
export interface RoundCall {
  readonly id: string;
  readonly name: string;
  /** JSON of an object, or the object. */
  readonly input: unknown;
  /** Undefined where no result was kept. */
  readonly output: string | undefined;
  /** When the model was asked, in milliseconds; newer versions tell. */
  readonly at: number | undefined;
}

/** One model call of a request: what the extension keeps of it for the next prompt. */
export interface Round {
  readonly id: string | undefined;
  readonly response: string;
  readonly thinking: string;
  /** Of the conversation up to here, where it had grown too long. */
  readonly summary: string;
  readonly calls: readonly RoundCall[];
}

/** `{toolCallRounds, toolCallResults}` of a request's `result.metadata`. */
export function roundsOf(metadata: Fields): readonly Round[] {
  const results = new Map(
    Object.entries(fieldsOf(metadata.toolCallResults)).map(([id, result]) => [callName(id), outputText(result)]),
  );
  return listOf(metadata.toolCallRounds)
    .map(fieldsOf)
    .map(({ id, response, thinking, summary, toolCalls, timestamp }) => ({
      id: nameOf(id),
      response: textOf(response) ?? "",
      thinking: thoughtText(fieldsOf(thinking).text),
      summary: textOf(summary) ?? "",
      calls: listOf(toolCalls).map((call) => callOf(fieldsOf(call), results, timeOf(timestamp))),
    }));
}

/** A call's id as the model gave it: VS Code puts a number of its own behind it. */
export function callName(id: unknown): string {
  return (nameOf(id) ?? "").replace(/__vscode-.*$/, "");
}

/** Finds the model's call behind each part of a response that shows one. Each is found once. */
export class RoundCalls {
  readonly #left: RoundCall[];
  /** Ids by which parts name their calls. */
  readonly #shown: ReadonlySet<string>;
  /** Names of tools whose parts and calls can be told apart by their order alone, since there are as many of both. */
  readonly #inOrder: ReadonlySet<string>;

  constructor(rounds: readonly Round[], parts: readonly Fields[]) {
    this.#left = rounds.flatMap(({ calls }) => calls);
    const ids = new Set(this.#left.map(({ id }) => id));
    this.#shown = new Set(parts.map(({ toolCallId }) => callName(toolCallId)));
    const strangers = counted(parts.filter(({ toolCallId }) => !ids.has(callName(toolCallId))).map(partName));
    const unseen = counted(this.#left.filter(({ id }) => !this.#shown.has(id)).map(({ name }) => name));
    this.#inOrder = new Set([...strangers].flatMap(([name, count]) => (unseen.get(name) === count ? [name] : [])));
  }

  take(part: Fields): RoundCall | undefined {
    const id = callName(part.toolCallId);
    const byId = this.#left.findIndex((call) => call.id !== "" && call.id === id);
    const at = byId < 0 && this.#inOrder.has(partName(part)) ? this.#nextOf(partName(part)) : byId;
    return at < 0 ? undefined : this.#left.splice(at, 1)[0];
  }

  #nextOf(tool: string): number {
    return this.#left.findIndex(({ id, name }) => name === tool && !this.#shown.has(id));
  }

  /** Calls that no part shows; none of tools of which some part couldn't be assigned. */
  rest(parts: readonly Fields[]): readonly RoundCall[] {
    const shown = new Set(parts.map(partName));
    return this.#left.filter(({ name }) => !shown.has(name));
  }
}

/** What a tool's result was to the model: texts, or trees of them (`@vscode/prompt-tsx`). */
export function outputText(result: unknown): string {
  const contents = listOf(fieldsOf(result).content).map((content) => fieldsOf(content).value);
  return contents
    .map((value) => (typeof value === "string" ? value : treeText(fieldsOf(value).node).trim()))
    .filter((text) => text !== "")
    .join("\n");
}

function callOf({ id, name, arguments: input }: Fields, results: ReadonlyMap<string, string>, at?: number): RoundCall {
  const known = callName(id);
  return { id: known, name: modelToolName(textOf(name) ?? "tool"), input, output: results.get(known), at };
}

function partName({ toolId }: Fields): string {
  return modelToolName(textOf(toolId) ?? "tool");
}

function thoughtText(text: unknown): string {
  return (
    textOf(text) ??
    listOf(text)
      .filter((each) => typeof each === "string")
      .join("")
  );
}

function treeText(node: unknown, depth = 0): string {
  const { text, lineBreakBefore, children } = fieldsOf(node);
  const own = textOf(text);
  if (own !== undefined) return lineBreakBefore === true ? `\n${own}` : own;
  return depth > MAX_DEPTH
    ? ""
    : listOf(children)
        .map((each) => treeText(each, depth + 1))
        .join("");
}

const MAX_DEPTH = 100;

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
