import type { Block } from "./blocks.ts";

/**
 * The parts of an assistant's text in which tools are called as XML, the way Cline, Roo and Kilo did it before native
 * calls: `<read_file>\n<path>a.ts</path>\n</read_file>`. `<thinking>` is a thought.
 */
export function splitXmlCalls(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let at = 0;
  for (const open of text.matchAll(OPENING)) {
    const tag = open[1] ?? "";
    if (open.index < at) continue;
    const start = open.index + open[0].length;
    const end = text.indexOf(`</${tag}>`, start);
    // A stream that was cut leaves the last element open.
    const inside = text.slice(start, end < 0 ? text.length : end);
    pushText(blocks, text.slice(at, open.index));
    if (tag === THINKING) blocks.push({ kind: "thinking", text: inside });
    else blocks.push({ kind: "call", id: undefined, name: tag, input: parametersIn(inside) });
    at = end < 0 ? text.length : end + tag.length + 3;
  }
  pushText(blocks, text.slice(at));
  return blocks;
}

const THINKING = "thinking";
const TOOLS = [
  ...["read_file", "write_to_file", "replace_in_file", "apply_diff", "insert_content", "search_and_replace"],
  ...["edit_file", "delete_file", "new_rule", "generate_image", "execute_command", "list_files", "search_files"],
  ...["list_code_definition_names", "codebase_search", "browser_action", "web_fetch", "web_search", "report_bug"],
  ...["use_mcp_tool", "access_mcp_resource", "load_mcp_documentation", "fetch_instructions", "switch_mode"],
  ...["new_task", "condense", "summarize_task", "update_todo_list", "run_slash_command", "use_skill"],
  ...["ask_followup_question", "attempt_completion", "plan_mode_respond", "plan_mode_response", "act_mode_respond"],
];
/** At the beginning of a line only, since texts also talk of tools. */
const OPENING = new RegExp(`(?<=^|\\n[ \\t]*)<(${[THINKING, ...TOOLS].join("|")})>`, "g");
const PARAMETER = /<([a-z_]{1,40})>/g;
/** Their text may hold anything, their own closing tag included. */
const FREE = new Set(["content", "diff", "result", "args", "arguments", "context", "response", "replace"]);

function parametersIn(inside: string): Readonly<Record<string, string>> {
  const parameters: Record<string, string> = {};
  let at = 0;
  for (const open of inside.matchAll(PARAMETER)) {
    const name = open[1] ?? "";
    if (open.index < at) continue;
    const start = open.index + open[0].length;
    const closing = `</${name}>`;
    const found = FREE.has(name) ? inside.lastIndexOf(closing) : inside.indexOf(closing, start);
    const end = found < start ? inside.length : found;
    parameters[name] = inside.slice(start, end).trim();
    at = end + closing.length;
  }
  return parameters;
}

function pushText(blocks: Block[], text: string): void {
  if (text.trim() !== "") blocks.push({ kind: "text", text: text.trim() });
}
