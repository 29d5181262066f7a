import { type Fields, fieldsOf, listOf, numberOf, parseJson, textOf, timeOf, tokensOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import { readPrompt } from "./prompt.ts";
import type { Origin, Scribe } from "./scribe.ts";
import { type Outcome, outcomeOf, plainCall } from "./tools.ts";

/** A bubble: what the person said, or a piece of what the agent thought, said or did. */
export function readBubble(bubble: Fields, scribe: Scribe): void {
  if (bubble.isDisplayOnly === true || bubble.isEphemeral === true) return;
  const { at } = originOf(bubble);
  const model = textOf(fieldsOf(bubble.modelInfo).modelName) ?? textOf(bubble.modelType);
  const origin: Origin = { at, ...(model !== undefined && model !== "default" && { model }) };
  switch (speakerOf(bubble.type)) {
    case "person":
      readPersons(bubble, origin, scribe);
      return;
    case "agent":
      readAgents(bubble, origin, scribe);
      return;
    default:
      scribe.emit(bubble.type === undefined ? malformed("bubble without type") : unknownType(bubble.type, "bubble"));
  }
}

/** What was typed, of the nodes of the editor's input field. */
export function richText(value: unknown): string {
  const root = fieldsOf(fieldsOf(typeof value === "string" ? parseJson(value) : value).root);
  return listOf(root.children)
    .map((paragraph) => nodeText(paragraph, 0))
    .join("\n")
    .trim();
}

/** Numbers in bubbles of composers, words in those of the first chat panel. */
function speakerOf(type: unknown): "person" | "agent" | undefined {
  const number = numberOf(type);
  if (number === 1 || type === "user") return "person";
  return number === 2 || type === "ai" ? "agent" : undefined;
}

function originOf({ createdAt, timestamp, timingInfo, headerCreatedAt }: Fields): Origin {
  const { clientRpcSendTime, clientEndTime } = fieldsOf(timingInfo);
  const times = [createdAt, timestamp, headerCreatedAt, clientRpcSendTime, clientEndTime];
  return { at: times.map(timeOf).find((time) => time !== undefined && time > FIRST_VERSION) };
}

function readPersons(bubble: Fields, origin: Origin, scribe: Scribe): void {
  const text = textOf(bubble.text) ?? textOf(bubble.rawText) ?? textOf(bubble.initText) ?? richText(bubble.richText);
  const { typed, notices, at } = readPrompt(text.startsWith("{") ? richText(text) || text : text);
  const said = { at: origin.at ?? at };
  for (const notice of notices) scribe.notice(notice, said);
  scribe.prompt(typed, said);
}

function readAgents(bubble: Fields, origin: Origin, scribe: Scribe): void {
  const { thinking, allThinkingBlocks } = bubble;
  const thoughts = [thinking, ...listOf(allThinkingBlocks)].map(
    (thought) => textOf(thought) ?? textOf(fieldsOf(thought).text) ?? textOf(fieldsOf(thought).thinking) ?? "",
  );
  for (const thought of new Set(thoughts)) scribe.thought(thought, origin);
  scribe.answer(textOf(bubble.text) ?? textOf(bubble.rawText) ?? codeOf(bubble.codeBlocks), origin);
  const { name } = fieldsOf(bubble.toolFormerData);
  if (textOf(name) !== undefined) readTool(fieldsOf(bubble.toolFormerData), origin, scribe);
  const failure = textOf(fieldsOf(bubble.errorDetails).message);
  if (failure !== undefined) scribe.notice(`Error: ${failure}`, origin);
  countTokens(bubble, origin, scribe);
}

/** The agent's own input where it is whole, else what the editor made of it. */
function readTool(data: Fields, origin: Origin, scribe: Scribe): void {
  const name = textOf(data.name) ?? "tool";
  const callId = textOf(data.toolCallId);
  const [raw, params] = [data.rawArgs, data.params].map((value) =>
    typeof value === "string" ? parseJson(value) : value,
  );
  const hasTools = listOf(fieldsOf(params).tools).length > 0;
  const isWhole = Object.keys(fieldsOf(raw)).length > 0 && !hasTools;
  const input = isWhole ? raw : (params ?? raw ?? textOf(data.rawArgs));
  scribe.call(plainCall({ name, callId, input }), origin);
  const outcome = outcomeOfTool(data);
  if (outcome !== undefined) scribe.result(callId, name, outcome, origin);
}

/** Undefined of a call that still runs. Cursor takes old results away. */
function outcomeOfTool(data: Fields): Outcome | undefined {
  const failure = fieldsOf(
    typeof data.error === "string" ? (parseJson(data.error) ?? { message: data.error }) : data.error,
  );
  const message = MESSAGES.flatMap((key) => textOf(failure[key]) ?? [])[0];
  const isFailed = data.status === "error" || data.status === "cancelled" || data.userDecision === "rejected";
  const result = data.result === undefined || data.result === null ? undefined : outcomeOf(data.result);
  const text = result?.text || message || (data.userDecision === "rejected" ? "Rejected by the user" : "");
  if (text === "" && result === undefined && !isFailed) return undefined;
  return { ...result, text, ...((isFailed || message !== undefined) && { isError: true }) };
}

function countTokens({ tokenCount, bubbleId }: Fields, origin: Origin, { memory, emit }: Scribe): void {
  const { inputTokens, outputTokens } = fieldsOf(tokenCount);
  const [input, output] = [tokensOf(inputTokens), tokensOf(outputTokens)];
  const id = textOf(bubbleId);
  if (input + output === 0 || id === undefined) return;
  const model = origin.model ?? memory.model;
  emit({
    kind: "usage",
    key: `${memory.session}/${id}`,
    ...(origin.at !== undefined && { at: origin.at }),
    ...(model !== undefined && { model }),
    usage: { input, output, cacheRead: 0, cacheWrite: 0 },
  });
}

const MESSAGES = ["modelVisibleErrorMessage", "clientVisibleErrorMessage", "message", "error"];
/** Times before are none: some fields count from the start of the program. */
const FIRST_VERSION = Date.UTC(2023, 0, 1);

function codeOf(blocks: unknown): string {
  const texts = listOf(blocks).map((block) => {
    const { languageId, content } = fieldsOf(block);
    const code = textOf(content);
    return code === undefined ? "" : `\`\`\`${textOf(languageId) ?? ""}\n${code}\n\`\`\``;
  });
  return texts.filter((text) => text !== "").join("\n\n");
}

function nodeText(node: unknown, depth: number): string {
  const { text, type, children } = fieldsOf(node);
  if (type === "linebreak") return "\n";
  if (typeof text === "string") return text;
  if (depth > 20) return "";
  return listOf(children)
    .map((child) => nodeText(child, depth + 1))
    .join("");
}
