import type { FileTouch } from "../../core/session.ts";
import { asFields, type Fields, fieldsOf, isFields, listOf, textOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import { SHOWN_ONLY, shownNotice } from "./notices.ts";
import { type Round, RoundCalls } from "./rounds.ts";
import type { Answer } from "./scribe.ts";
import { describeCall, tellHiddenTool, tellTool } from "./tools.ts";
import { markdownText, pathOfPlace, pathOfUri } from "./uri.ts";

/**
 * Tells an answer as it was shown: its texts, thoughts, calls and edits in their order. `response` is a list of parts,
 * of which those without a kind are Markdown; in the oldest versions it is one text.
 */
export function tellResponse(response: unknown, rounds: readonly Round[], answer: Answer): void {
  const parts = Array.isArray(response) ? response : response === undefined || response === null ? [] : [response];
  const tools = parts.filter(isFields).filter(({ kind }) => isTool(kind));
  const calls = new RoundCalls(rounds, tools);
  const teller = new ResponseTeller(answer, calls, changedIn(rounds));
  for (const part of parts) teller.take(part);
  const hasText = teller.end();
  for (const call of calls.rest(tools)) tellHiddenTool(call, answer);
  // Where nothing was shown yet, what the model answered is known from what the next prompt is made of.
  if (parts.length === 0 && !hasText) tellRounds(rounds, answer);
}

class ResponseTeller {
  readonly #answer: Answer;
  readonly #calls: RoundCalls;
  /** Files that a call is known to have changed: what an edit shows of them is no further change. */
  readonly #changed: Set<string>;
  #text = "";
  /** An edit stood between the fences of a code block, of which the second one is still to come. */
  #isFenced = false;
  #thoughts: string[] = [];
  #hasText = false;

  constructor(answer: Answer, calls: RoundCalls, changed: ReadonlySet<string>) {
    this.#answer = answer;
    this.#calls = calls;
    this.#changed = new Set(changed);
  }

  take(part: unknown): void {
    if (typeof part === "string") this.#write(part);
    else if (isFields(part)) this.#takePart(part);
    else this.#answer.scribe.emit(malformed("response part is not an object"));
  }

  end(): boolean {
    this.#flush(this.#answer.doneAt);
    return this.#hasText;
  }

  #takePart(part: Fields): void {
    const { kind } = part;
    if (kind === undefined || kind === null) this.#write(plainText(part));
    else if (kind === "markdownContent" || kind === "markdownVuln")
      this.#write(contentText(part.content ?? part.value));
    else if (kind === "inlineReference") this.#write(referenceText(part));
    else if (kind === "thinking") this.#think(part);
    else if (kind === "clearToPreviousToolInvocation") this.#clear();
    else if (!SHOWN_ONLY.has(kind)) this.#takeEvent(kind, part);
  }

  #takeEvent(kind: unknown, part: Fields): void {
    const notice = shownNotice(kind, part);
    const { scribe } = this.#answer;
    if (kind === "planReview") this.#write(`\n\n${textOf(part.content) ?? ""}\n\n`);
    if (isEdit(kind)) this.#openFence();
    this.#flush();
    if (isTool(kind)) this.#note(tellTool(part, this.#calls.take(part), this.#answer));
    else if (isEdit(kind)) this.#edit("edit_file", part.uri, part.edits);
    else if (kind === "externalEdit") this.#edit(`${textOf(part.editKind) ?? "edit"}_file`, part.uri, undefined);
    else if (kind === "workspaceEdit") for (const edit of listOf(part.edits)) this.#move(fieldsOf(edit));
    else if (notice === undefined) scribe.emit(unknownType(kind, "response"));
    else scribe.notice(notice);
  }

  #write(text: string): void {
    const shown = this.#isFenced ? text.replace(CLOSING_FENCE, "") : text;
    if (text.trim() !== "") this.#isFenced = false;
    if (this.#thoughts.length > 0 && shown.trim() !== "") this.#flush();
    this.#text += shown;
  }

  #think({ value }: Fields): void {
    const thought = Array.isArray(value) ? value.filter((each) => typeof each === "string").join("") : textOf(value);
    // An empty thought marks the end of thinking.
    if (thought === undefined || thought.trim() === "") return;
    if (this.#text.trim() !== "") this.#flush();
    this.#thoughts.push(thought.trim());
  }

  /** What was written since the last call was taken back, and is written anew. */
  #clear(): void {
    this.#text = "";
    this.#thoughts = [];
  }

  #openFence(): void {
    const text = this.#text.replace(OPENING_FENCE, "");
    this.#isFenced ||= text !== this.#text;
    this.#text = text;
  }

  #edit(name: string, uri: unknown, edits: unknown): void {
    const filePath = pathOfUri(uri);
    if (filePath === undefined || this.#changed.has(filePath)) return;
    const texts = listOf(edits)
      .flat(2)
      .map((edit) => textOf(fieldsOf(edit).text));
    const written = texts.filter((text) => text !== undefined).map((text) => ({ newString: text }));
    const { tool, ...call } = describeCall(name, undefined, {
      filePath,
      ...(written.length > 0 && { edits: written }),
    });
    const { scribe, model } = this.#answer;
    scribe.say({ kind: "edit", role: "tool", part: "call", ...call, tool, ...(model !== undefined && { model }) });
    this.#note(tool.files ?? []);
  }

  #move({ oldResource, newResource }: Fields): void {
    const [from, to] = [pathOfUri(oldResource), pathOfUri(newResource)];
    if (to !== undefined) this.#edit(from === undefined ? "create_file" : "move_file", newResource, undefined);
    else if (from !== undefined) this.#edit("delete_file", oldResource, undefined);
  }

  #note(files: readonly FileTouch[]): void {
    for (const { path, changed } of files) if (changed) this.#changed.add(path);
  }

  #flush(at?: number): void {
    const { scribe, model } = this.#answer;
    const by = { ...(model !== undefined && { model }), ...(at !== undefined && { at }) };
    const thoughts = this.#thoughts.join("\n\n");
    const text = withoutEmptyFences(this.#text).trim();
    this.#clear();
    scribe.say({ kind: "thinking", role: "assistant", part: "thinking", text: thoughts, ...by });
    scribe.say({ kind: "answer", role: "assistant", part: "text", text, ...by });
    this.#hasText ||= text !== "";
  }
}

function isTool(kind: unknown): boolean {
  return kind === "toolInvocationSerialized" || kind === "toolInvocation";
}

function isEdit(kind: unknown): boolean {
  return kind === "textEditGroup" || kind === "notebookEditGroup";
}

function changedIn(rounds: readonly Round[]): ReadonlySet<string> {
  const calls = rounds.flatMap((round) => round.calls);
  const files = calls.flatMap(({ id, name, input }) => describeCall(name, id, input).tool.files ?? []);
  return new Set(files.filter(({ changed }) => changed).map(({ path }) => path));
}

function tellRounds(rounds: readonly Round[], { scribe, model }: Answer): void {
  const by = model === undefined ? {} : { model };
  for (const { response, thinking } of rounds) {
    scribe.say({ kind: "thinking", role: "assistant", part: "thinking", text: thinking.trim(), ...by });
    scribe.say({ kind: "answer", role: "assistant", part: "text", text: response.trim(), ...by });
  }
}

/** Markdown; a reference or a tree of files of the first versions had no kind either. */
function plainText(part: Fields): string {
  return part.inlineReference === undefined ? contentText(part) : referenceText(part);
}

function contentText(content: unknown): string {
  return typeof content === "string" || isFields(content) ? markdownText(content) : "";
}

function referenceText({ name, inlineReference }: Fields): string {
  const path = pathOfPlace(inlineReference);
  const label = textOf(name) ?? textOf(asFields(inlineReference)?.name) ?? path?.split(/[/\\]/).at(-1);
  return label === undefined ? "" : `\`${label}\``;
}

/** What an edit that isn't there any more stood between. */
function withoutEmptyFences(text: string): string {
  return text.replace(EMPTY_FENCES, "$1");
}

const OPENING_FENCE = /(?:^|\n)`{3,}[^\s`]*\s*$/;
const CLOSING_FENCE = /^\s*`{3,}[ \t]*(?=\n|$)/;
const EMPTY_FENCES = /(^|\n)(`{3,})[^\n`]*\n\s*\2(?=\n|$)/g;
