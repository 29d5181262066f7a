/** Facts that stand on every line of a Claude Code transcript. */
export interface ClaudeFacts {
  readonly session: string;
  readonly cwd?: string;
  readonly branch?: string;
  /** Time of the first line; each further line is a second later. */
  readonly startedAt?: number;
  readonly version?: string;
  /** Set on the lines of a subagent. */
  readonly agentId?: string;
  /** What ids of lines and calls begin with, where it is not the session's id: eight characters. */
  readonly seed?: string;
}

export interface ClaudeUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** The lines of one transcript in the making, each without its newline. */
export interface ClaudeTranscript {
  readonly session: string;
  readonly lines: readonly string[];
  /** Time of the latest line. */
  readonly at: number;
  prompt(text: string, fields?: object): string;
  says(
    text: string,
    options?: { readonly call?: string; readonly usage?: ClaudeUsage; readonly fields?: object },
  ): string;
  thinks(text: string): string;
  /** A tool call; its id is `toolu_<count>` within the session. */
  calls(tool: string, input: object): string;
  /** The result of the latest call. */
  returns(text: string, options?: { readonly isError?: boolean; readonly detail?: unknown }): string;
  /** A line of any other kind, with the common fields. */
  line(fields: object): string;
  /** A line without the common fields, such as a title. */
  bare(fields: object): string;
  /** Moves time on. */
  wait(ms: number): void;
}

const CLAUDE_START = Date.parse("2026-03-01T10:00:00Z");

/** Writes lines as Claude Code 2.1 does. Ids are made of the session's and a count: same calls, same lines. */
export function claudeTranscript(facts: ClaudeFacts): ClaudeTranscript {
  const { session, cwd = "/home/ana/code/tide", branch = "main", version = "2.1.49", agentId } = facts;
  const lines: string[] = [];
  let at = (facts.startedAt ?? CLAUDE_START) - 1_000;
  let parent: string | null = null;
  let count = 0;
  let calls = 0;
  let turn = 0;
  const seed = facts.seed ?? (agentId === undefined ? session.slice(0, 8) : agentId.padEnd(8, "0").slice(0, 8));

  const add = (fields: object): string => {
    const text = JSON.stringify(fields);
    lines.push(text);
    return text;
  };
  const line = (fields: object): string => {
    at += 1_000;
    count += 1;
    const uuid = `${seed}-0000-4000-8000-${String(count).padStart(12, "0")}`;
    const common = {
      parentUuid: parent,
      isSidechain: agentId !== undefined,
      userType: "external",
      cwd,
      sessionId: session,
      version,
      gitBranch: branch,
      ...(agentId !== undefined && { agentId }),
    };
    parent = uuid;
    return add({ ...common, ...fields, uuid, timestamp: new Date(at).toISOString() });
  };
  const assistant = (
    content: object,
    { call, usage, fields = {} }: { call?: string; usage?: ClaudeUsage; fields?: object } = {},
  ): string => {
    const name = call ?? `${seed}_${turn}_${count}`;
    return line({
      type: "assistant",
      requestId: `req_${name}`,
      message: {
        model: "claude-opus-4-5-20251101",
        id: `msg_${name}`,
        type: "message",
        role: "assistant",
        content: [content],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: usage?.input ?? 3,
          cache_creation_input_tokens: usage?.cacheWrite ?? 0,
          cache_read_input_tokens: usage?.cacheRead ?? 0,
          output_tokens: usage?.output ?? 7,
        },
      },
      ...fields,
    });
  };

  return {
    session,
    lines,
    get at() {
      return at;
    },
    prompt: (text, fields = {}) => {
      turn += 1;
      return line({ type: "user", message: { role: "user", content: text }, ...fields });
    },
    says: (text, options) => assistant({ type: "text", text }, options),
    thinks: (text) => assistant({ type: "thinking", thinking: text, signature: "c2lnbmF0dXJl" }),
    calls: (tool, input) => {
      calls += 1;
      return assistant({ type: "tool_use", id: `toolu_${seed}_${calls}`, name: tool, input });
    },
    returns: (text, { isError = false, detail } = {}) =>
      line({
        type: "user",
        message: {
          role: "user",
          content: [{ tool_use_id: `toolu_${seed}_${calls}`, type: "tool_result", content: text, is_error: isError }],
        },
        ...(detail !== undefined && { toolUseResult: detail }),
      }),
    line,
    bare: add,
    wait: (ms) => {
      at += ms;
    },
  };
}

/** A line as it is copied into another session's file when a session is resumed or forked. */
export function copiedLine(line: string, into: string, { namesOriginal = false } = {}): string {
  const fields: Record<string, unknown> = JSON.parse(line);
  const { sessionId, uuid } = fields;
  return JSON.stringify({
    ...fields,
    sessionId: into,
    ...(namesOriginal && { forkedFrom: { sessionId, messageUuid: uuid } }),
  });
}

/** The folder that Claude Code keeps a project's sessions in: every other character of the path becomes a dash. */
export function projectFolder(cwd: string): string {
  return cwd.replace(/[^A-Za-z0-9-]/g, "-");
}

/** A session id that is told apart by its first eight characters. */
export function sessionId(count: number): string {
  return `${String(count).padStart(8, "5e550000").slice(-8)}-1b2c-4d3e-8f40-${String(count).padStart(12, "0")}`;
}
