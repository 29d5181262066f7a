import { fieldsOf, hashOf, listOf, textOf } from "../fields.ts";
import { unwrap } from "./channel.ts";
import { blocksOf, contentText } from "./content.ts";
import type { Entry } from "./entry.ts";
import { rememberSpoken } from "./memory.ts";
import { typedText } from "./prompt.ts";
import { sayCall, sayResult, sayRun } from "./tools.ts";

/** Reads a `message` entry by its role. False where the role isn't known. */
export function readMessage(entry: Entry): boolean {
  const { message } = entry;
  switch (message.role) {
    case "user":
      readPrompt(entry);
      return true;
    case "assistant":
      readAnswer(entry);
      return true;
    case "toolResult":
      sayResult(entry);
      return true;
    case "bashExecution": {
      const command = textOf(message.command) ?? "";
      sayRun(entry, `${message.excludeFromContext === true ? "!!" : "!"}${command}`, "bash", command);
      return true;
    }
    case "pythonExecution":
      sayRun(entry, `$ ${textOf(message.code) ?? ""}`, "python");
      return true;
    case "custom":
    case "hookMessage":
      readCustom(entry, message);
      return true;
    case "branchSummary":
    case "compactionSummary":
      entry.say({ role: "summary", part: "text", text: (textOf(message.summary) ?? "").trim() });
      return true;
    case "developer":
      entry.notice(contentText(message.content));
      return true;
    case "fileMention":
      readMentions(entry);
      return true;
    case "system":
      // The system prompt and the tools.
      return true;
    default:
      return false;
  }
}

/** A message that an extension sent in the person's name, or about something that happened. */
export function readCustom(entry: Entry, fields: Entry["fields"]): void {
  const details = fieldsOf(fields.details);
  const text = contentText(fields.content).trim();
  const isPrompt = fields.attribution === "user" && PROMPTS.has(fields.customType);
  if (!isPrompt) {
    entry.notice(text);
    return;
  }
  const skill = textOf(details.name);
  const typed = [`/skill:${skill ?? ""}`, textOf(details.args) ?? ""].filter((part) => part !== "").join(" ");
  sayPrompt(entry, textOf(details.prompt) ?? (skill === undefined ? text : typed), false);
}

/** omp's custom messages that a person wrote: a skill that was called, and what a guest of a session asked. */
const PROMPTS = new Set<unknown>(["skill-prompt", "collab-prompt"]);
/** Models that OpenClaw names where it wrote the message itself. */
const MIRROR = "delivery-mirror";
const GATEWAY = "gateway-injected";

function readPrompt(entry: Entry): void {
  const { message, place } = entry;
  const raw = contentText(message.content).trim();
  entry.memory.spoken.clear();
  if (!place.isChannel) {
    sayPrompt(entry, typedText(raw), message.synthetic === true || message.attribution === "agent");
    return;
  }
  const { text, isMachine, events } = unwrap(raw);
  const { kind } = fieldsOf(message.provenance);
  if (events.length > 0) entry.notice(events.join("\n"));
  sayPrompt(entry, text, isMachine || (kind !== undefined && kind !== "external_user"));
}

/** What a subagent is asked comes from its spawner. */
function sayPrompt(entry: Entry, text: string, isMachine: boolean): void {
  const isHuman = !isMachine && entry.place.parent === undefined;
  entry.say({ role: isHuman ? "human" : "system", part: "text", text });
}

function readAnswer(entry: Entry): void {
  const { message } = entry;
  if (message.model === GATEWAY) {
    entry.notice(contentText(message.content));
    return;
  }
  const isMirror = message.model === MIRROR;
  const model = isMirror ? undefined : textOf(message.model);
  for (const block of blocksOf(message.content)) {
    if (block.type === "toolCall") sayCall(entry, block, model);
    else if (block.type === "thinking") sayProse(entry, block.thinking, "thinking", model);
    else if (!isMirror || !isSpoken(entry, block.text)) sayProse(entry, block.text, "text", model);
  }
  const failure = textOf(message.errorMessage);
  if (failure !== undefined) entry.notice(message.stopReason === "aborted" ? failure : `Error: ${failure}`);
  entry.count(message.usage, model);
}

function sayProse(entry: Entry, prose: unknown, part: "text" | "thinking", model: string | undefined): void {
  const text = (textOf(prose) ?? "").trim();
  if (entry.place.isChannel && part === "text" && text !== "") rememberSpoken(entry.memory, hashOf(text));
  entry.say({ role: "assistant", part, text, ...(model !== undefined && { model }) });
}

/** Whether what was delivered to the channel is what the model said. */
function isSpoken({ memory }: Entry, prose: unknown): boolean {
  return memory.spoken.has(hashOf((textOf(prose) ?? "").trim()));
}

function readMentions(entry: Entry): void {
  const paths = listOf(entry.message.files).map((file) => textOf(fieldsOf(file).path));
  const known = paths.filter((path) => path !== undefined);
  if (known.length > 0) entry.notice(`Mentioned: ${known.join(", ")}`);
}
