import { asFields, type Fields, fieldsOf, isFields, listOf, parseJson, textOf, timeOf } from "../fields.ts";
import { malformed } from "../skip.ts";
import { Conversation } from "./conversation.ts";
import type { Surroundings } from "./environment.ts";
import { surroundingsIn } from "./environment.ts";
import { type Emit, openScribe, type Scribe } from "./scribe.ts";
import { describeCall, readOutput } from "./tools.ts";
import { modelOf } from "./ui-log.ts";

/** Tells a task of which only the log of the interface is there: what was shown, with little of what tools answered. */
export function tellUiLog(entries: readonly unknown[], session: string, isSubagent: boolean, emit: Emit): Surroundings {
  const teller = new UiTeller(new Conversation({ isSubagent, hasXml: false }));
  const counts = new Map<string, number>();
  let surroundings: Surroundings = {};
  for (const entry of entries) {
    if (!isFields(entry)) {
      emit(malformed("entry is not an object"));
      continue;
    }
    const at = timeOf(entry.ts);
    const name = `${session}:${at ?? "undated"}:${textOf(entry.say) ?? textOf(entry.ask) ?? ""}`.slice(0, 150);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const id = count === 1 ? name : `${name}:${count}`;
    teller.tell(entry, openScribe({ id, at, model: modelOf(entry), emit }));
    surroundings = { ...requestIn(entry), ...surroundings };
  }
  return surroundings;
}

/** The request as it was sent stands in the entry of its beginning. */
function requestIn({ say, text }: Fields): Surroundings {
  if (say !== "api_req_started" || typeof text !== "string") return {};
  return surroundingsIn(textOf(fieldsOf(parseJson(text)).request) ?? "");
}

class UiTeller {
  readonly #conversation: Conversation;
  #isBegun = false;
  #command: string | undefined;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  tell(entry: Fields, scribe: Scribe): void {
    const kind = entry.type === "ask" ? entry.ask : entry.say;
    const text = textOf(entry.text) ?? "";
    switch (kind) {
      case "task":
      case "user_feedback":
        this.#prompt(entry, text, scribe);
        return;
      case "text":
        // The first entry is what the task was begun with.
        if (this.#isBegun) scribe.assistant(text);
        else this.#prompt(entry, text, scribe);
        return;
      case "reasoning":
        scribe.thinking(textOf(entry.reasoning) ?? text);
        return;
      case "completion_result":
        scribe.assistant(text.replace(CHANGES_FLAG, ""));
        return;
      case "followup":
      case "plan_mode_respond":
      case "act_mode_respond":
        scribe.assistant(questionIn(text));
        return;
      case "command":
        this.#call("execute_command", { command: text }, scribe);
        return;
      case "command_output":
        this.#output("execute_command", text, scribe);
        return;
      case "tool":
        this.#tool(fieldsOf(parseJson(text)), scribe);
        return;
      case "use_mcp_server":
        this.#mcp(fieldsOf(parseJson(text)), scribe);
        return;
      case "mcp_server_response":
      case "subtask_result":
        this.#output(kind === "subtask_result" ? "new_task" : "use_mcp_tool", text, scribe);
        return;
      case "condense_context":
        scribe.summary(textOf(fieldsOf(entry.contextCondense).summary) ?? "");
        return;
      case "error":
      case "diff_error":
      case "mistake_limit_reached":
        scribe.notice(text);
        return;
      default:
        if (!SILENT.has(kind)) scribe.skipUnknown(kind, "entry");
    }
  }

  #prompt(entry: Fields, text: string, scribe: Scribe): void {
    this.#isBegun = true;
    const images = listOf(entry.images).map(() => "[image]");
    this.#conversation.say([text, ...images].join("\n").trim(), scribe);
  }

  #call(name: string, input: unknown, scribe: Scribe): void {
    const { text, tool } = describeCall(name, undefined, input);
    this.#command = tool.name;
    scribe.call(name, text, tool);
  }

  #tool(input: Fields, scribe: Scribe): void {
    this.#call(textOf(input.tool) ?? "tool", input, scribe);
  }

  #mcp({ serverName, toolName, arguments: given }: Fields, scribe: Scribe): void {
    this.#call("use_mcp_tool", { server_name: serverName, tool_name: toolName, arguments: given }, scribe);
  }

  #output(name: string, output: string, scribe: Scribe): void {
    const { text, isError, exitCode } = readOutput(name, output);
    scribe.result(text, {
      name: name === "use_mcp_tool" ? (this.#command ?? name) : name,
      ...(isError && { isError }),
      ...(exitCode !== undefined && { exitCode }),
    });
  }
}

const CHANGES_FLAG = /HAS_CHANGES$/;

function questionIn(text: string): string {
  const asked = asFields(parseJson(text));
  if (asked === undefined) return text;
  const choices = [...listOf(asked.options), ...listOf(asked.suggest)].map(
    (choice) => textOf(choice) ?? textOf(fieldsOf(choice).answer) ?? "",
  );
  const question = textOf(asked.question) ?? textOf(asked.response) ?? "";
  return [question, ...choices.filter(Boolean).map((choice) => `- ${choice}`)].join("\n");
}

const SILENT = new Set<unknown>([
  ...["api_req_started", "api_req_finished", "api_req_retried", "api_req_retry_delayed", "api_req_rate_limited"],
  ...["api_req_deleted", "api_req_failed", "deleted_api_reqs", "error_retry", "checkpoint_created", "checkpoint_saved"],
  ...["resume_task", "resume_completed_task", "task_progress", "shell_integration_warning", "user_feedback_diff"],
  ...["shell_integration_warning_with_suggestion", "browser_action_launch", "browser_action", "browser_action_result"],
  ...["browser_session_status", "mcp_server_request_started", "mcp_notification", "load_mcp_documentation", "info"],
  ...["clineignore_error", "rooignore_error", "command_permission_denied", "conditional_rules_applied", "hook_status"],
  ...["hook_output_stream", "use_subagents", "subagent", "subagent_usage", "generate_explanation", "image"],
  ...["condense_context_error", "sliding_window_truncation", "codebase_search_result", "user_edit_todos"],
  ...["auto_approval_max_req_reached", "new_task", "condense", "summarize_task", "report_bug"],
]);
