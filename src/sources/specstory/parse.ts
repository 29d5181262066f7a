import { asFields, type Fields, nameOf, numberOf, textOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { FoundFile, Item, MessageItem, Reader } from "../source.ts";
import { splitAnswer } from "./answer.ts";
import { readTool } from "./tools.ts";

type Emit = (item: Item) => void;
type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool">;

/** Reads the turns of one session. What has no name of its own is counted. */
export function createReader(file: FoundFile): Reader {
  let session = file.part ?? file.path;
  let turns = 0;
  let startedAt: number | undefined;
  const named = new Set<string>();
  /** Several turns may be pieces of one message, with its id. */
  const idOf = ({ text }: Fields): string => {
    const own = nameOf(MESSAGE_ID.exec(textOf(text) ?? "")?.[1]);
    if (own === undefined || named.has(own)) return `${session}:${turns}`;
    named.add(own);
    return `${session}:${own}`;
  };
  return {
    get session() {
      return session;
    },
    read(record, emit) {
      const fields = asFields(record);
      switch (fields?.type) {
        case "session":
          session = nameOf(fields.session) ?? nameOf(fields.name) ?? session;
          startedAt = numberOf(fields.at);
          readHead(fields, emit);
          return;
        case "turn":
          turns += 1;
          readTurn(fields, idOf(fields), turns === 1 ? startedAt : undefined, emit);
          return;
        default:
          emit(fields === undefined ? malformed("not an object") : unknownType(fields.type));
      }
    },
    state: () => ({}),
  };
}

const MESSAGE_ID = /^<!-- message-id: (\S+) -->\s*/;
/** `(claude-opus-4-8 2026-07-13 13:40:56Z)`, `(model gpt-5.2, mode Agent)`, `(gpt-5)`, `(2025-12-02 12:49Z)`. */
const MODEL = /^(?:model )?([A-Za-z][\w./:@-]*?)(?:,| \d|$)/;

function readHead(fields: Fields, emit: Emit): void {
  const cwd = textOf(fields.cwd);
  const startedAt = numberOf(fields.at);
  emit({
    kind: "session",
    ...(cwd !== undefined && { cwd }),
    ...(startedAt !== undefined && { startedAt }),
  });
  const agent = textOf(fields.agent);
  if (agent !== undefined) emit({ kind: "tag", tag: `copy-of-${slugOf(agent)}` });
  const title = textOf(fields.title);
  if (title !== undefined) emit({ kind: "title", title: "generated", text: title });
}

/** `Claude Code` is `claude-code`, and `Codex CLI` is `codex`, as these agents are called here. */
function slugOf(agent: string): string {
  const slug = agent
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return slug === "codex-cli" ? "codex" : slug;
}

function readTurn(fields: Fields, id: string, startedAt: number | undefined, emit: Emit): void {
  const text = (textOf(fields.text) ?? "").replace(MESSAGE_ID, "");
  const at = numberOf(fields.at) ?? startedAt;
  const model = fields.speaker === "agent" ? MODEL.exec(textOf(fields.about) ?? "")?.[1] : undefined;
  let said = 0;
  const say = (saying: Saying): void => {
    if (saying.text.trim() === "") return;
    emit({
      kind: "message",
      nativeId: said === 0 ? id : `${id}#${said}`,
      ...saying,
      text: saying.text.trim(),
      ...(at !== undefined && { at }),
      ...(saying.role === "assistant" && model !== undefined && { model }),
    });
    said += 1;
  };
  if (fields.speaker === "user") {
    // A subagent is asked by the agent that called it.
    say({ role: fields.isSidechain === true ? "system" : "human", part: "text", text });
    return;
  }
  if (fields.speaker !== "agent") {
    emit(unknownType(fields.speaker, "speaker"));
    return;
  }
  for (const piece of splitAnswer(text)) {
    if (piece.type === "tool") readTool(piece, say);
    else say({ role: "assistant", part: piece.type, text: piece.text });
  }
}
