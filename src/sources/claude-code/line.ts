import { type Fields, fieldsOf, isFields, textOf, timeOf } from "../fields.ts";
import type { Item, MessageItem } from "../source.ts";

export type Emit = (item: Item) => void;

/** What is said on a line; the line adds who it is, when and where. */
export type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool" | "model">;

/** A line that carries messages. */
export interface Line {
  readonly fields: Fields;
  readonly id: string;
  readonly at: number | undefined;
  /** Emits a message, or nothing when there is no text. The first of a line has the line's id, others `id#1`, `id#2`. */
  say(saying: Saying): void;
}

/** `ownId` names a line that has no uuid. */
export function openLine(fields: Fields, ownId: () => string, emit: Emit): Line {
  const at = timeOf(fields.timestamp);
  const cwd = textOf(fields.cwd);
  const branch = branchOf(fields);
  const id = idOf(fields) ?? ownId();
  let count = 0;
  return {
    fields,
    id,
    at,
    say: (saying) => {
      if (saying.text === "") return;
      const nativeId = count === 0 ? id : `${id}#${count}`;
      count += 1;
      emit({
        kind: "message",
        nativeId,
        ...saying,
        ...(at !== undefined && { at }),
        ...(cwd !== undefined && { cwd }),
        ...(branch !== undefined && { branch }),
      });
    },
  };
}

/** What was said on a line: a string or blocks. Undefined where there is no message at all. */
export function contentOf(fields: Fields): unknown {
  return isFields(fields.message) ? fields.message.content : fields.content;
}

/** The branch, unless the repository's head is detached or there is no repository. */
export function branchOf(fields: Fields): string | undefined {
  const branch = textOf(fields.gitBranch);
  return branch === "HEAD" ? undefined : branch;
}

/** A fork made by the SDK has new uuids and names those it copied. */
function idOf(fields: Fields): string | undefined {
  return textOf(fieldsOf(fields.forkedFrom).messageUuid) ?? textOf(fields.uuid);
}
