import { hex } from "./text.mjs";

/** @typedef {import("./random.mjs").Random} Random */
/** @typedef {import("./session.mjs").Turn} Turn */

/**
 * A session of Claude Code as lines of its transcript, with the envelopes and the housekeeping records around them.
 *
 * @param {Random} chance
 * @param {{ session: string, cwd: string, branch: string, startedAt: number, signature: readonly [number, number, number] }} facts
 */
export function claudeCodeSession(chance, facts) {
  let at = facts.startedAt;
  let last = null;
  const version = `2.1.${100 + chance.below(60)}`;
  const common = () => {
    at += chance.below(9_000) + 20;
    return {
      timestamp: new Date(at).toISOString(),
      userType: "external",
      entrypoint: "cli",
      cwd: facts.cwd,
      sessionId: facts.session,
      version,
      gitBranch: facts.branch,
    };
  };
  const linked = (record) => {
    const uuid = uuidOf(chance);
    const line = JSON.stringify({ parentUuid: last, isSidechain: false, ...record, uuid, ...common() });
    last = uuid;
    return line;
  };
  const promptId = uuidOf(chance);
  const user = (content, rest = {}) => linked({ promptId, type: "user", message: { role: "user", content }, ...rest });
  const assistant = (block) =>
    linked({
      message: {
        model: "claude-opus-4-7",
        id: `msg_01${hex(chance, 22)}`,
        type: "message",
        role: "assistant",
        content: [block],
        stop_reason: "tool_use",
        stop_sequence: null,
        stop_details: null,
        usage: usage(chance),
      },
      requestId: `req_011${hex(chance, 21)}`,
      type: "assistant",
    });

  /** @param {Turn["steps"][number]} step */
  const stepLines = ({ thinking, says, call, output, failed }) => {
    const lines = [];
    const id = `toolu_01${hex(chance, 22)}`;
    if (thinking !== undefined) {
      lines.push(
        assistant({ type: "thinking", thinking, signature: signature(chance, chance.size(...facts.signature)) }),
      );
    }
    if (says !== undefined) lines.push(assistant({ type: "text", text: says }));
    lines.push(assistant({ type: "tool_use", id, name: call.tool, input: inputOf(call), caller: { type: "direct" } }));
    if (chance.chance(0.35)) lines.push(attachment(id));
    if (chance.chance(0.3)) lines.push(progress(id));
    const result = { tool_use_id: id, type: "tool_result", content: output, is_error: failed };
    lines.push(user([result], { toolUseResult: resultOf(call, output), sourceToolAssistantUUID: last }));
    return lines;
  };
  const attachment = (toolUseID) =>
    linked({
      attachment: {
        type: "hook_success",
        hookName: "PostToolUse:Bash",
        toolUseID,
        hookEvent: "PostToolUse",
        content: "",
        stdout: "",
        stderr: "",
        exitCode: 0,
        command: "hooks/post-tool-use.sh",
        durationMs: chance.below(90),
      },
      type: "attachment",
    });
  const progress = (toolUseID) =>
    linked({
      type: "progress",
      data: { type: "hook_progress", hookEvent: "PreToolUse", hookName: "PreToolUse:Bash", command: "hooks/pre.sh" },
      parentToolUseID: toolUseID,
      toolUseID,
    });

  return {
    /** Lines that stand before the first prompt. */
    opening: () => [
      JSON.stringify({ type: "permission-mode", permissionMode: "default", sessionId: facts.session }),
      attachment(uuidOf(chance)),
    ],
    /** @param {Turn} turn */
    turn({ prompt, steps, answer }) {
      const lines = [
        JSON.stringify({
          type: "file-history-snapshot",
          messageId: uuidOf(chance),
          snapshot: { messageId: uuidOf(chance), trackedFileBackups: {}, timestamp: new Date(at).toISOString() },
          isSnapshotUpdate: false,
        }),
        user(prompt, { permissionMode: "default" }),
      ];
      for (const step of steps) lines.push(...stepLines(step));
      lines.push(assistant({ type: "text", text: answer }));
      if (chance.chance(0.3)) {
        lines.push(
          linked({
            type: "system",
            subtype: "stop_hook_summary",
            hookCount: 1,
            hookInfos: [{ command: "hooks/stop.sh", durationMs: chance.below(3_000) }],
            hookErrors: [],
            preventedContinuation: false,
            stopReason: "",
            hasOutput: false,
            level: "suggestion",
          }),
        );
      }
      // People come back after a while.
      at += chance.size(120_000, 1.2);
      return lines;
    },
    closing: () => [JSON.stringify({ type: "last-prompt", leafUuid: last, sessionId: facts.session })],
    endedAt: () => at,
  };
}

/** @param {Random} chance */
export function uuidOf(chance) {
  const digits = hex(chance, 32);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
}

function inputOf(call) {
  switch (call.tool) {
    case "Bash":
      return { command: call.command, description: "Run it and look at the output" };
    case "Read":
      return { file_path: `/home/dev/${call.path}` };
    case "Edit":
      return {
        replace_all: false,
        file_path: `/home/dev/${call.path}`,
        old_string: call.before,
        new_string: call.after,
      };
    default:
      return { pattern: call.pattern, output_mode: "content", "-n": true };
  }
}

// The same output once more, in the tool's own structure: half of a real transcript is this.
function resultOf(call, output) {
  switch (call.tool) {
    case "Bash":
      return { stdout: output, stderr: "", interrupted: false, isImage: false, noOutputExpected: false };
    case "Read":
      return {
        type: "text",
        file: { filePath: `/home/dev/${call.path}`, content: output, numLines: 40, startLine: 1 },
      };
    case "Edit":
      return {
        filePath: `/home/dev/${call.path}`,
        oldString: call.before,
        newString: call.after,
        originalFile: output,
        structuredPatch: [],
        userModified: false,
        replaceAll: false,
      };
    default:
      return { mode: "content", numFiles: 0, filenames: [], content: output, numLines: 12 };
  }
}

function usage(chance) {
  return {
    input_tokens: 1 + chance.below(8),
    cache_creation_input_tokens: chance.below(50_000),
    cache_read_input_tokens: chance.below(150_000),
    output_tokens: chance.below(2_000),
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: "standard",
    cache_creation: { ephemeral_1h_input_tokens: chance.below(50_000), ephemeral_5m_input_tokens: 0 },
    inference_geo: "",
    iterations: [],
    speed: "standard",
  };
}

function signature(chance, length) {
  return Buffer.from(hex(chance, Math.ceil(length * 0.75)))
    .toString("base64")
    .slice(0, length);
}
