import { createHash } from "node:crypto";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {object} Entry One message of a set.
 * @property {string} id Its own among all of the set.
 * @property {"prompt" | "answer" | "thinking" | "call" | "result"} kind
 * @property {string} text Of a call the tool's name, a space and its input.
 * @property {number} at
 *
 * @typedef {object} Conversation One session of a set.
 * @property {string} id Its own among all of the set.
 * @property {string} project The name of the folder that was worked in: one word that no question has, such as
 *   {@link projectWord} makes.
 * @property {readonly Entry[]} entries In order.
 */

const CODE = "/home/dev/code";

/**
 * Writes conversations as transcripts of Claude Code into a home folder. The same conversations give the same bytes.
 *
 * @param {string} home
 * @param {readonly Conversation[]} conversations
 */
export function writeClaudeHome(home, conversations) {
  for (const conversation of conversations) {
    const cwd = `${CODE}/${conversation.project}`;
    const folder = join(home, ".claude", "projects", cwd.replace(/[^A-Za-z0-9]/g, "-"));
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${sessionIdOf(conversation)}.jsonl`);
    writeFileSync(path, `${transcriptLines(conversation, cwd).join("\n")}\n`);
    const ended = (conversation.entries.at(-1)?.at ?? 0) / 1_000;
    utimesSync(path, ended, ended);
  }
}

/**
 * The name of a project counts as words of it, and numbers are words that questions have: so they are spelled in letters.
 *
 * @param {string} set
 * @param {string} name
 */
export function projectWord(set, name) {
  return `${set}${name.toLowerCase()}`.replace(/\d/g, (digit) => "abcdefghij"[digit]).replace(/[^a-z]/g, "");
}

/** @param {Pick<Conversation, "id">} conversation */
export function sessionIdOf({ id }) {
  return uuidOf(`session ${id}`);
}

/** What a message is called in its transcript. @param {Pick<Entry, "id">} entry */
export function lineIdOf({ id }) {
  return uuidOf(`message ${id}`);
}

/**
 * @param {Conversation} conversation
 * @param {string} cwd
 */
export function transcriptLines(conversation, cwd) {
  const sessionId = sessionIdOf(conversation);
  /** Calls that have no result yet, the first first. */
  const open = [];
  let parentUuid = null;
  return conversation.entries.map((entry) => {
    const uuid = lineIdOf(entry);
    const line = {
      parentUuid,
      isSidechain: false,
      userType: "external",
      cwd,
      sessionId,
      version: "2.1.49",
      gitBranch: "main",
      ...said(entry, uuid, open),
      uuid,
      timestamp: new Date(entry.at).toISOString(),
    };
    parentUuid = uuid;
    return JSON.stringify(line);
  });
}

function said({ kind, text }, uuid, open) {
  switch (kind) {
    case "prompt":
      return user(text);
    case "result":
      return user([{ type: "tool_result", tool_use_id: open.shift() ?? `toolu_${uuid}`, content: text }]);
    case "call": {
      const id = `toolu_${uuid}`;
      open.push(id);
      return assistant(uuid, { type: "tool_use", id, ...callOf(text) });
    }
    case "thinking":
      return assistant(uuid, { type: "thinking", thinking: text, signature: "c2lnbmF0dXJl" });
    default:
      // What was called before an answer and has no result by then gets none.
      open.length = 0;
      return assistant(uuid, { type: "text", text });
  }
}

function user(content) {
  return { type: "user", message: { role: "user", content } };
}

function assistant(uuid, block) {
  const usage = { input_tokens: 3, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 7 };
  return {
    type: "assistant",
    requestId: `req_${uuid}`,
    message: {
      model: "claude-opus-4-5-20251101",
      id: `msg_${uuid}`,
      type: "message",
      role: "assistant",
      content: [block],
      stop_reason: null,
      usage,
    },
  };
}

/** An input that was cut short is given as the text it is. */
function callOf(text) {
  const space = text.indexOf(" ");
  const name = space < 0 ? text : text.slice(0, space);
  const given = space < 0 ? "{}" : text.slice(space + 1);
  try {
    return { name, input: JSON.parse(given) };
  } catch {
    return { name, input: { input: given } };
  }
}

function uuidOf(name) {
  const digits = createHash("sha256").update(name).digest("hex");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}
