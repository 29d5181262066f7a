/** What a message in the user's name holds, of which Cursor writes most itself. */
export interface Prompt {
  /** What a person typed; the empty string where nobody did. */
  readonly typed: string;
  /** What Cursor tells its agent in the user's name. */
  readonly notices: readonly string[];
  readonly at?: number;
  readonly cwd?: string;
}

/** Takes a message in the user's name apart. A text without any of Cursor's wrappers is what was typed. */
export function readPrompt(text: string): Prompt {
  const { blocks, rest } = takeBlocks(text);
  const inside = (tag: string) => blocks.filter((block) => block.tag === tag).map((block) => block.inner.trim());
  const queries = inside(QUERY);
  const asked = queries.length > 0 ? queries.join("\n\n") : rest.trim();
  const isTold = TOLD.test(asked);
  const at = promptTime(inside("timestamp")[0] ?? "");
  const cwd = /^Workspace Path: (.+)$/m.exec(inside("user_info")[0] ?? "")?.[1]?.trim();
  return {
    typed: isTold ? "" : asked,
    notices: [...inside("system_notification"), ...(isTold ? [asked] : [])].filter((notice) => notice !== ""),
    ...(at !== undefined && { at }),
    ...(cwd !== undefined && { cwd }),
  };
}

/** Time of a stamp such as `Monday, Jun 22, 2026, 11:09 AM (UTC+8)`, to the minute. */
export function promptTime(stamp: string): number | undefined {
  const [, day, hour = "0", minute = "", half, sign = "+", hours = "0", minutes = "0"] = STAMP.exec(stamp) ?? [];
  if (day === undefined) return undefined;
  const midnight = Date.parse(`${day} 00:00:00 UTC`);
  const sinceMidnight = ((Number(hour) % 12) + (half === "PM" ? 12 : 0)) * 60 + Number(minute);
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  const time = midnight + (sinceMidnight - offset) * 60_000;
  return Number.isFinite(time) ? time : undefined;
}

interface Block {
  readonly tag: string;
  readonly inner: string;
}

const QUERY = "user_query";
const STAMP =
  /([A-Z][a-z]{2} \d{1,2}, \d{4}), (\d{1,2}):(\d{2})\s(AM|PM) \((?:UTC|GMT)(?:([+-])(\d{1,2})(?::?(\d{2}))?)?\)/;
/** Cursor has its agent speak of a subagent's result. */
const TOLD = /^(?:The beginning of the above subagent result|Briefly inform the user about the task result)/;
const OPENING = new RegExp(
  `<(${[
    QUERY,
    "additional_data",
    "agent_requestable_workspace_rules",
    "agent_skills",
    "agent_transcripts",
    "always_applied_workspace_rules",
    "attached_files",
    "available_skills",
    "cursor_commands",
    "custom_instructions",
    "git_status",
    "hooks_context",
    "image_files",
    "manually_attached_skills",
    "mcp_file_system",
    "open_and_recently_viewed_files",
    "project_layout",
    "rules",
    "system_notification",
    "system_reminder",
    "terminal_files_information",
    "timestamp",
    "user_info",
  ].join("|")})(?: [^<>]*)?>`,
  "g",
);

/** Cursor's own blocks, and what is left without them. A block that does not end is none. */
function takeBlocks(text: string): { readonly blocks: readonly Block[]; readonly rest: string } {
  const blocks: Block[] = [];
  let rest = "";
  let at = 0;
  OPENING.lastIndex = 0;
  for (let open = OPENING.exec(text); open !== null; open = OPENING.exec(text)) {
    const tag = open[1] ?? "";
    const from = OPENING.lastIndex;
    const to = text.indexOf(`</${tag}>`, from);
    if (to < 0) break;
    blocks.push({ tag, inner: text.slice(from, to) });
    rest += text.slice(at, open.index);
    at = to + tag.length + 3;
    OPENING.lastIndex = at;
  }
  return { blocks, rest: rest + text.slice(at) };
}
