import type { RewriteText } from "../store.ts";
import { packCommands, packTouches, storedMessage } from "./rows.ts";
import { integer, type Row, type Statements } from "./statements.ts";
import { pack } from "./text.ts";

/** True where something of the message changed. Its uid stays: it is made of the name that its agent gave it. */
export function rewriteMessage(sql: Statements, row: Row, rewrite: RewriteText): boolean {
  const session = integer(row.session_id);
  const { text, files, commands, tool, callId, branch, cwd } = storedMessage(row);
  const change = (before: string): string =>
    before === "" ? before : rewrite(before, { layer: "messages", form: "text", session });
  const maybe = (before: string | undefined): string | null => (before === undefined ? null : change(before));
  const after = {
    text: change(text),
    tool: maybe(tool),
    callId: maybe(callId),
    files: files.map((file) => ({ ...file, path: change(file.path) })),
    branch: maybe(branch),
    cwd: maybe(cwd),
  };
  // The one command that is the text would be counted twice.
  const newCommands = commands.map((command) => (command === text ? after.text : change(command)));
  const isSame =
    after.text === text &&
    after.tool === (tool ?? null) &&
    after.callId === (callId ?? null) &&
    after.branch === (branch ?? null) &&
    after.cwd === (cwd ?? null) &&
    after.files.every(({ path }, at) => path === files[at]?.path) &&
    newCommands.every((command, at) => command === commands[at]);
  if (isSame) return false;
  sql.run(
    "UPDATE messages SET text = ?, tool = ?, call_id = ?, touched = ?, commands = ?, branch = ?, cwd = ? WHERE id = ?",
    pack(after.text),
    after.tool,
    after.callId,
    packTouches(after.files),
    packCommands(newCommands, after.text),
    after.branch,
    after.cwd,
    integer(row.id),
  );
  return true;
}
