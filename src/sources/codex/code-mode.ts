import type { FileTouch } from "../../core/session.ts";

/** What a code-mode script does, as far as its text says so. */
export interface Script {
  readonly commands: readonly string[];
  readonly files: readonly FileTouch[];
  /** Tools it calls beside the shell and the patch. */
  readonly tools: readonly string[];
}

/**
 * Reads the JavaScript of the `exec` tool, in which calls of other tools are wrapped:
 * `await tools.exec_command({ cmd: "go test ./..." })`. Commands that are put together at run time aren't seen.
 */
export function readScript(source: string): Script {
  const tools = Array.from(source.matchAll(TOOL_CALL), (match) => match[1] ?? "");
  const commands = tools.some((tool) => SHELL_TOOLS.has(tool)) ? commandsOf(source) : [];
  const paths = Array.from(source.matchAll(PATCHED_FILE), (match) => (match[1] ?? "").trim());
  return {
    commands,
    files: paths.map((path) => ({ path, changed: true })),
    tools: [...new Set(tools)].filter((tool) => !SHELL_TOOLS.has(tool) && tool !== "apply_patch"),
  };
}

const TOOL_CALL = /\btools\.([A-Za-z_]\w*)\s*\(/g;
const SHELL_TOOLS = new Set(["exec_command", "shell", "shell_command"]);
const COMMAND_KEY = /["']?\b(?:cmd|command)["']?\s*:\s*(["'`])/g;
/** A patch stands in a string literal, so that its lines may end in an escaped line feed or in the closing quote. */
const PATCHED_FILE = /\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)(?=\\n|[\r\n"'`]|$)/gm;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "\n": "" };

function commandsOf(source: string): string[] {
  const commands: string[] = [];
  for (const match of source.matchAll(COMMAND_KEY)) {
    const command = literalAt(source, match.index + match[0].length, match[1] ?? '"').trim();
    if (command !== "") commands.push(command);
  }
  return commands;
}

/** The string literal from `from`, just behind its opening quote, to its closing one. */
function literalAt(source: string, from: number, quote: string): string {
  let out = "";
  for (let at = from; at < source.length; at += 1) {
    const char = source.charAt(at);
    if (char === quote) return out;
    if (char !== "\\") {
      out += char;
      continue;
    }
    at += 1;
    const escaped = source.charAt(at);
    const code = escaped === "u" ? source.slice(at + 1, at + 5) : "";
    if (/^[0-9a-f]{4}$/i.test(code)) {
      out += String.fromCharCode(Number.parseInt(code, 16));
      at += 4;
    } else out += Object.hasOwn(ESCAPES, escaped) ? ESCAPES[escaped] : escaped;
  }
  return out;
}
