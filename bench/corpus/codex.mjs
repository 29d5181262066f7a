import { uuidOf } from "./claude-code.mjs";
import { hex } from "./text.mjs";

/** @typedef {import("./random.mjs").Random} Random */
/** @typedef {import("./session.mjs").Turn} Turn */

/**
 * A session of Codex as lines of its rollout: what the model was sent and the events its user saw, side by side.
 *
 * @param {Random} chance
 * @param {{ session: string, cwd: string, branch: string, startedAt: number, instructions: string }} facts
 */
export function codexSession(chance, facts) {
  let at = facts.startedAt;
  const line = (type, payload) => {
    at += chance.below(9_000) + 20;
    return JSON.stringify({ timestamp: new Date(at).toISOString(), type, payload });
  };
  const item = (payload) => line("response_item", payload);
  const event = (payload) => line("event_msg", payload);
  const says = (text) => [
    event({ type: "agent_message", message: text, phase: "commentary", memory_citation: null }),
    item({ type: "message", role: "assistant", content: [{ type: "output_text", text }], phase: "commentary" }),
  ];

  /** @param {Turn["steps"][number]} step */
  const stepLines = ({ thinking, says: text, call, output, failed }, turnId) => {
    const callId = `call_${hex(chance, 24)}`;
    const command = commandOf(call);
    const lines = [];
    if (thinking !== undefined && thinking !== "") {
      lines.push(item({ type: "reasoning", summary: [{ type: "summary_text", text: thinking }], content: null }));
    }
    if (text !== undefined) lines.push(...says(text));
    lines.push(
      item({
        type: "function_call",
        name: "exec_command",
        arguments: JSON.stringify({ cmd: command, workdir: facts.cwd, yield_time_ms: 1_000, max_output_tokens: 8_000 }),
        call_id: callId,
      }),
      event({
        type: "exec_command_end",
        call_id: callId,
        process_id: `${chance.below(90_000)}`,
        turn_id: turnId,
        command: ["/bin/bash", "-lc", command],
        cwd: facts.cwd,
        parsed_cmd: [{ type: "unknown", cmd: command }],
        source: "unified_exec_startup",
        stdout: "",
        stderr: "",
        aggregated_output: output,
        exit_code: failed ? 1 : 0,
        duration: { secs: 0, nanos: chance.below(900_000) },
        formatted_output: "",
        status: failed ? "failed" : "completed",
      }),
      item({
        type: "function_call_output",
        call_id: callId,
        output: `Chunk ID: ${hex(chance, 6)}\nWall time: 0.0100 seconds\nProcess exited with code ${failed ? 1 : 0}\nOriginal token count: ${Math.ceil(output.length / 4)}\nOutput:\n${output}`,
      }),
      event({ type: "token_count", info: tokens(chance), rate_limits: null }),
    );
    return lines;
  };

  return {
    opening: () => [
      line("session_meta", {
        id: facts.session,
        timestamp: new Date(at).toISOString(),
        cwd: facts.cwd,
        originator: "codex-tui",
        cli_version: "0.128.0",
        source: "cli",
        model_provider: "openai",
        base_instructions: { text: facts.instructions },
        git: { commit_hash: hex(chance, 40), branch: facts.branch },
      }),
    ],
    /** @param {Turn} turn */
    turn({ prompt, steps, answer }) {
      const turnId = uuidOf(chance);
      const lines = [
        event({
          type: "task_started",
          turn_id: turnId,
          started_at: Math.floor(at / 1_000),
          model_context_window: 258_400,
        }),
        line("turn_context", { turn_id: turnId, cwd: facts.cwd, approval_policy: "on-request", model: "gpt-5.4" }),
        item({ type: "message", role: "user", content: [{ type: "input_text", text: prompt }] }),
        event({ type: "user_message", message: prompt, images: [], local_images: [], text_elements: [] }),
      ];
      for (const step of steps) lines.push(...stepLines(step, turnId));
      lines.push(
        ...says(answer),
        event({
          type: "task_complete",
          turn_id: turnId,
          last_agent_message: answer,
          duration_ms: chance.below(90_000),
        }),
      );
      at += chance.size(120_000, 1.2);
      return lines;
    },
    closing: () => [],
    endedAt: () => at,
  };
}

function commandOf(call) {
  switch (call.tool) {
    case "Bash":
      return call.command;
    case "Read":
      return `sed -n '1,200p' ${call.path}`;
    case "Edit":
      return `apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: ${call.path}\n${prefixed("-", call.before)}\n${prefixed("+", call.after)}\n*** End Patch\nEOF`;
    default:
      return `rg -n ${call.pattern}`;
  }
}

function prefixed(sign, text) {
  return text.replace(/^/gm, sign);
}

function tokens(chance) {
  const usage = {
    input_tokens: chance.below(90_000),
    cached_input_tokens: chance.below(80_000),
    output_tokens: chance.below(2_000),
    reasoning_output_tokens: chance.below(900),
    total_tokens: chance.below(200_000),
  };
  return { total_token_usage: usage, last_token_usage: usage, model_context_window: 258_400 };
}
