import type { Fields } from "../fields.ts";
import { type Block, type Call, type Outcome, thoughtsBeside } from "./blocks.ts";
import type { Scribe } from "./scribe.ts";
import { describeCall, isSpeech, readOutput, speechOf, summaryOf } from "./tools.ts";
import { feedbackIn, readUserText } from "./user-text.ts";
import { splitXmlCalls } from "./xml-calls.ts";

interface ConversationOptions {
  /** Another agent began the conversation, so its first words are that one's. */
  readonly isSubagent: boolean;
  /** Assistants' texts may hold calls as XML. */
  readonly hasXml: boolean;
}

/** A call that waits for its result. `tool` is its name as it was told. */
interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly tool: string;
}

/** Tells the messages of one conversation in order, each call and result once. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #calls = new Map<string, OpenCall>();
  /** Calls whose result does not name them by id. */
  #waiting: OpenCall[] = [];
  #isBegun = false;
  #hasSummary = false;

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /** `typed` is what the person typed, where that is known: names of files in it were replaced for the model. */
  user(blocks: readonly Block[], scribe: Scribe, typed?: string): void {
    new UserMessage(this, scribe, typed).tell(blocks);
  }

  assistant(message: Fields, blocks: readonly Block[], id: string, scribe: Scribe): void {
    if (!blocks.some(({ kind }) => kind === "thinking")) thoughtsBeside(message).forEach(scribe.thinking);
    this.#waiting = [];
    const isNative = blocks.some(({ kind }) => kind === "call");
    let unnamed = 0;
    for (const block of blocks) {
      const parts = block.kind === "text" && this.#options.hasXml && !isNative ? splitXmlCalls(block.text) : [block];
      for (const part of parts) {
        if (part.kind === "text" && part.text.startsWith(NO_ANSWER)) scribe.notice(part.text);
        else if (part.kind === "text") scribe.assistant(part.text);
        else if (part.kind === "thinking") scribe.thinking(part.text);
        else if (part.kind === "call") {
          unnamed += part.id === undefined ? 1 : 0;
          const label = part.id ?? `${unnamed}`;
          this.#call(part, label, part.id ?? `${id.slice(id.indexOf(":") + 1)}/${label}`, scribe);
        } else if (part.kind === "unknown") scribe.skipUnknown(part.type, "part");
      }
    }
  }

  /** A condensed history. Calls that it repeats were told before, unless what they stood in is gone. */
  summary(blocks: readonly Block[], scribe: Scribe): void {
    const texts = blocks.map((block) => (block.kind === "text" ? block.text : ""));
    scribe.summary(texts.filter((text) => text !== "" && !text.startsWith(REMINDER)).join("\n\n"));
    for (const block of blocks) {
      if (block.kind === "call" && block.id !== undefined) this.#call(block, block.id, block.id, scribe);
    }
  }

  /** What a person typed, or at the beginning of a subagent's session what its spawner asked. */
  say(text: string, scribe: Scribe): void {
    if (text.trim() === "") return;
    if (this.#options.isSubagent && !this.#isBegun) scribe.task(text);
    else scribe.human(text);
    this.#isBegun = true;
  }

  /** Takes the call that a result is of: the one of that id, else the first that waits of that name. */
  answered(id: string | undefined, name: string | undefined): OpenCall | undefined {
    const found =
      id === undefined
        ? (this.#waiting.find((call) => call.name === name) ?? (name === undefined ? this.#waiting[0] : undefined))
        : this.#calls.get(id);
    this.#waiting = this.#waiting.filter((call) => call !== found);
    return found;
  }

  /** Whether a summary that the extension sent is the one that was told as the call that made it. */
  isToldSummary(): boolean {
    const isTold = this.#hasSummary;
    this.#hasSummary = false;
    return isTold;
  }

  #call({ id, name, input }: Call, label: string, callId: string, scribe: Scribe): void {
    if (id !== undefined && this.#calls.has(id)) return;
    const speech = speechOf(name, input);
    const summary = summaryOf(name, input);
    const { text, tool } = describeCall(name, callId, input);
    const open = { id: callId, name, tool: tool.name };
    this.#calls.set(callId, open);
    this.#waiting.push(open);
    if (speech !== undefined) scribe.assistant(speech);
    else if (summary === undefined) scribe.call(label, text, tool);
    else {
      scribe.summary(summary);
      this.#hasSummary = true;
    }
  }
}

const NO_ANSWER = "Failure: I did not provide a response.";
const REMINDER = "<system-reminder>";

/** One message in the user's name: outputs of tools, what the extension put in, and what a person said with it. */
class UserMessage {
  readonly #conversation: Conversation;
  readonly #scribe: Scribe;
  readonly #typed: string | undefined;
  readonly #words: string[] = [];
  readonly #media: string[] = [];
  /** An output whose text follows its header in blocks of its own. */
  #open: { readonly name: string; readonly texts: string[] } | undefined;
  #hasResults = false;

  constructor(conversation: Conversation, scribe: Scribe, typed: string | undefined) {
    this.#conversation = conversation;
    this.#scribe = scribe;
    this.#typed = typed;
  }

  tell(blocks: readonly Block[]): void {
    for (const block of blocks) {
      if (block.kind === "text") this.#text(block.text);
      else if (block.kind === "media") (this.#open?.texts ?? this.#media).push(block.text);
      else if (block.kind === "result") this.#result(block);
      else if (block.kind === "unknown") this.#scribe.skipUnknown(block.type, "part");
    }
    this.#close();
    // A picture alone is a message; beside outputs it belongs to one of them.
    const media = this.#words.length > 0 || !this.#hasResults ? this.#media : [];
    const words = this.#words.length === 1 ? (this.#typed ?? this.#words[0]) : this.#words.join("\n\n");
    this.#conversation.say([words, ...media].join("\n").trim(), this.#scribe);
  }

  #text(text: string): void {
    const saying = readUserText(text);
    if (saying === undefined) return;
    if (saying.kind === "result") {
      this.#close();
      this.#open = { name: saying.name, texts: [saying.text] };
      if (saying.text.trim() !== "") this.#close();
    } else if (this.#open !== undefined && !text.startsWith(RESUMPTION)) this.#open.texts.push(text);
    else {
      this.#close();
      if (saying.kind === "human") this.#words.push(saying.text);
      else if (saying.kind === "notice") this.#scribe.notice(saying.text);
      else if (!this.#conversation.isToldSummary()) this.#scribe.summary(saying.text);
    }
  }

  #close(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    const text = open.texts.filter((part) => part.trim() !== "").join("\n");
    this.#result({ kind: "result", id: undefined, name: open.name, text, isError: false });
  }

  #result({ id, name, text, isError }: Outcome): void {
    this.#hasResults = true;
    const call = this.#conversation.answered(id, name);
    const asked = call?.name ?? name ?? UNKNOWN_TOOL;
    const feedback = feedbackIn(text, isSpeech(asked));
    if (feedback !== undefined) this.#words.push(feedback.words);
    const output = readOutput(asked, text);
    if (isSpeech(asked) || summaryOf(asked, { context: text }) !== undefined) {
      if (output.isError && feedback === undefined) this.#scribe.notice(text);
      if (!isSpeech(asked)) this.#conversation.isToldSummary();
      return;
    }
    const { exitCode } = output;
    const callId = call?.id ?? id;
    const shown = feedback?.rest ?? output.text;
    this.#scribe.result(shown === NOTHING ? "" : shown, {
      name: call?.tool ?? asked,
      ...(callId !== undefined && { callId }),
      ...((isError || output.isError) && { isError: true }),
      ...(exitCode !== undefined && { exitCode }),
    });
  }
}

const RESUMPTION = "[TASK RESUMPTION]";
const NOTHING = "(tool did not return anything)";
const UNKNOWN_TOOL = "tool";
