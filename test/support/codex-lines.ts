import { join } from "node:path";

/** Facts of a Codex rollout. */
export interface CodexFacts {
  readonly session: string;
  readonly cwd?: string;
  readonly branch?: string;
  readonly repositoryUrl?: string;
  /** Time of the first line; each further line is a second later. */
  readonly startedAt?: number;
  /** Further fields of the session's `session_meta`. */
  readonly meta?: object;
}

/** The lines of one rollout in the making, each without its newline. The `session_meta` is the first. */
export interface CodexRollout {
  readonly session: string;
  readonly lines: readonly string[];
  readonly startedAt: number;
  prompt(text: string): void;
  says(text: string): void;
  runs(command: string, output: string, exitCode?: number): void;
  counts(total: number, last: { readonly input: number; readonly output: number }): void;
  line(type: string, payload: object): void;
}

const CODEX_START = Date.parse("2026-05-20T10:00:00Z");

/** Writes lines as Codex 0.125 does: what the model was sent and what its user saw, side by side. */
export function codexRollout(facts: CodexFacts): CodexRollout {
  const { session, cwd = "/home/ada/tidemark", branch, repositoryUrl, meta = {} } = facts;
  const lines: string[] = [];
  const startedAt = facts.startedAt ?? CODEX_START;
  let at = startedAt - 1_000;
  let turns = 0;
  let calls = 0;

  const line = (type: string, payload: object): void => {
    at += 1_000;
    lines.push(JSON.stringify({ timestamp: new Date(at).toISOString(), type, payload }));
  };
  const git = {
    ...(branch !== undefined && { branch }),
    ...(repositoryUrl !== undefined && { repository_url: repositoryUrl }),
  };
  line("session_meta", {
    id: session,
    timestamp: new Date(at + 1_000).toISOString(),
    cwd,
    originator: "codex_cli_rs",
    cli_version: "0.125.0",
    source: "cli",
    ...(Object.keys(git).length > 0 && { git }),
    ...meta,
  });

  return {
    session,
    lines,
    startedAt,
    prompt: (text) => {
      turns += 1;
      const turn = `${session.slice(0, 24)}${String(turns).padStart(12, "0")}`;
      line("event_msg", { type: "task_started", turn_id: turn, model_context_window: 258_400 });
      line("turn_context", { turn_id: turn, cwd, approval_policy: "on-request", model: "gpt-5.4" });
      line("response_item", { type: "message", role: "user", content: [{ type: "input_text", text }] });
      line("event_msg", { type: "user_message", message: text, images: [] });
    },
    says: (text) => {
      line("event_msg", { type: "agent_message", message: text });
      line("response_item", { type: "message", role: "assistant", content: [{ type: "output_text", text }] });
    },
    runs: (command, output, exitCode = 0) => {
      calls += 1;
      const call_id = `call_${session.slice(0, 8)}_${calls}`;
      const parameters = JSON.stringify({ cmd: command, workdir: cwd, yield_time_ms: 1_000 });
      line("response_item", { type: "function_call", name: "exec_command", arguments: parameters, call_id });
      const told = `Chunk ID: 1\nWall time: 1.0 seconds\nProcess exited with code ${exitCode}\nOutput:\n${output}`;
      line("response_item", { type: "function_call_output", call_id, output: told });
    },
    counts: (total, last) => {
      const tokens = ({ input, output }: { input: number; output: number }, sum: number) => ({
        input_tokens: input,
        cached_input_tokens: 0,
        output_tokens: output,
        total_tokens: sum,
      });
      line("event_msg", {
        type: "token_count",
        info: {
          total_token_usage: tokens(last, total),
          last_token_usage: tokens(last, last.input + last.output),
        },
        rate_limits: null,
      });
    },
    line,
  };
}

/** A rollout's path below CODEX_HOME, or the name alone below `archived_sessions`. */
export function rolloutPath(
  { session, startedAt }: Pick<CodexRollout, "session" | "startedAt">,
  ending = ".jsonl",
): string {
  const day = new Date(startedAt).toISOString();
  return join("sessions", ...day.slice(0, 10).split("-"), rolloutName({ session, startedAt }, ending));
}

export function rolloutName(
  { session, startedAt }: Pick<CodexRollout, "session" | "startedAt">,
  ending = ".jsonl",
): string {
  return `rollout-${new Date(startedAt).toISOString().slice(0, 19).replaceAll(":", "-")}-${session}${ending}`;
}

/** A session id that is told apart by its last characters, as version 7 UUIDs of one day are. */
export function rolloutId(count: number): string {
  return `019e44d3-ed00-7051-8051-${String(count).padStart(12, "0")}`;
}
