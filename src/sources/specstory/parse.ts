import { asFields, type Fields, hashOf, nameOf, numberOf, textOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { FoundFile, Item, MessageItem, Reader } from "../source.ts";
import { agentId } from "./agent-id.ts";
import { splitAnswer } from "./answer.ts";
import { readTool } from "./tools.ts";

type Emit = (item: Item) => void;
type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool">;

/** Reads the turns of one session. What has no name of its own is counted. */
export function createReader(file: FoundFile): Reader {
  let session = file.part ?? file.path;
  let turns = 0;
  let startedAt: number | undefined;
  const named = new Map<string, string>();
  /** Several turns may be pieces of one message, with its id; one that is written twice is one. */
  const idOf = ({ text }: Fields): string => {
    const given = textOf(text) ?? "";
    const own = nameOf(MESSAGE_ID.exec(given)?.[1]);
    if (own === undefined) return `${session}:${turns}`;
    const piece = hashOf(given);
    const first = named.get(own) ?? piece;
    named.set(own, first);
    return piece === first ? `${session}:${own}` : `${session}:${own}:${piece}`;
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
  if (agent !== undefined) emit({ kind: "tag", tag: `copy-of-${agentId(agent)}` });
  const title = textOf(fields.title);
  if (title !== undefined) emit({ kind: "title", title: "generated", text: title });
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
