import type { FileTouch } from "../../core/session.ts";
import type { MessageItem } from "../source.ts";
import { toolUse } from "../tool-use.ts";
import type { ToolPiece } from "./answer.ts";
import { fenceAfter } from "./split.ts";

type Say = (saying: Pick<MessageItem, "role" | "part" | "text" | "tool">) => void;

/**
 * Says a use of a tool: the call with its command or file as far as SpecStory tells it, and what came of it. Both stand in
 * one text that each agent's part of SpecStory writes in its own way, so that the result is told as that text.
 */
export function readTool({ name, kind, told: escaped, body }: ToolPiece, say: Say): void {
  const told = plain(escaped);
  const { lead, rest } = divide(body);
  const command = SHELL.test(kind) || SHELL.test(name) ? commandIn(told, lead, rest) : undefined;
  const path = command === undefined ? pathIn(name, kind, told, lead) : undefined;
  const files: FileTouch[] = path === undefined ? [] : [{ path, changed: kind === "write" || CHANGES.test(name) }];
  const call = [told, lead].filter((text) => text !== "").join("\n");
  const tool = toolUse(name, undefined, files, command === undefined ? [] : [command]);
  say({ role: "tool", part: "call", text: call === "" ? name : call, tool });
  const exitCode = EXIT_CODE.exec(rest)?.[1];
  const failed = ERROR.test(rest) || (exitCode !== undefined && Number(exitCode) !== 0);
  say({
    role: "tool",
    part: "result",
    text: rest,
    tool: {
      ...toolUse(name, undefined),
      ...(failed && { isError: true }),
      ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
    },
  });
}

const SHELL = /^(shell|bash|exec_command|shell_command|run_terminal_cmd|run_shell_command|command)$/i;
const CHANGES = /edit|write|replace|patch|create|delete/i;
const HANDLES_FILES = /read|edit|write|replace|patch|create|delete|view/i;
const INLINE = /`([^`\n]+)`/;
const FENCED = /^```(?:bash|sh|shell|zsh)\n([\s\S]*?)\n```/m;
const LABELLED_PATH = /(?:Read|Edit|Write|Create|Delete|Created|Deleted) file: (.+?)(?: \(.*\))?$/m;
const EXIT_CODE = /\b(?:exited with code|Exit code:?) (\d+)/i;
const ERROR = /^\*\*Error:\*\*/m;
/** What a call is told in, before what came of it. */
const OUTCOME = /^(\*\*(Result|Error):\*\*|Result:|Output:)\s*$|^```(text)?\s*$/;

/** The text before what came of a call, and what came of it. A script in a fence of its own belongs to the call. */
function divide(body: string): { readonly lead: string; readonly rest: string } {
  const lines = body.split("\n");
  let fence: string | undefined;
  const at = lines.findIndex((line) => {
    const isOutcome = fence === undefined && OUTCOME.test(line);
    fence = fenceAfter(line, fence);
    return isOutcome;
  });
  if (at === -1) return { lead: body, rest: "" };
  return { lead: lines.slice(0, at).join("\n").trim(), rest: lines.slice(at).join("\n").trim() };
}

function commandIn(told: string, lead: string, rest: string): string | undefined {
  const run = /Run command: (.+)$/s.exec(told)?.[1];
  return FENCED.exec(lead)?.[1] ?? INLINE.exec(told)?.[1] ?? run ?? INLINE.exec(lead)?.[1] ?? FENCED.exec(rest)?.[1];
}

function pathIn(name: string, kind: string, told: string, lead: string): string | undefined {
  const text = `${told}\n${lead}`;
  const labelled = LABELLED_PATH.exec(text)?.[1]?.trim();
  if (labelled !== undefined) return labelled;
  if (kind !== "read" && kind !== "write" && !HANDLES_FILES.test(name)) return undefined;
  const inline = /(?:file_path|path): `([^`]+)`/.exec(text)?.[1] ?? INLINE.exec(text)?.[1];
  return inline === undefined || /\s/.test(inline) ? undefined : inline;
}

/** The summary is HTML. */
function plain(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
