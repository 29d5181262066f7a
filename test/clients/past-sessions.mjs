// What was said before the clients start: one session of each agent, as that agent writes it.

/** Where both sessions took place; a word of both prompts as well. */
export const PROJECT = "harbour";
const CWD = `/home/ana/${PROJECT}`;

/** Said in Claude Code. `word` occurs in no other session. */
export const GAUGE = {
  agent: "claude-code",
  session: "6d1f0c52-7f7e-4b7c-9c4e-2f6a51c0a001",
  prompt: "Why does the tide gauge stop reporting after 49 days?",
  output: "gauge.c:88: if (now > last + PERIOD_MS)",
  answer:
    "The millisecond counter of the tide gauge wraps after 49.7 days. Comparing by subtraction, as wrapguard() does, survives that.",
  word: "wrapguard",
};

/** Said in Codex. `word` occurs in no other session. */
export const GATE = {
  agent: "codex",
  session: "019e44d3-ed00-7051-8051-0000000000b2",
  prompt: "Make the harbour's lock gate wait for slack water.",
  output: "gates.toml: slackwindow = 0",
  answer: "The lock gate opens only within slackwindow minutes of slack water; gates.toml sets twelve.",
  word: "slackwindow",
};

/** Path below the home folder, and content. */
export const PAST_FILES = {
  [`.claude/projects/-home-ana-harbour/${GAUGE.session}.jsonl`]: jsonLines(claudeCodeLines(GAUGE)),
  [`.codex/sessions/2026/05/20/rollout-2026-05-20T10-00-00-${GATE.session}.jsonl`]: jsonLines(codexLines(GATE)),
};

function claudeCodeLines({ session, prompt, output, answer }) {
  const call = { type: "tool_use", id: "toolu_past1", name: "Bash", input: { command: "grep -n PERIOD_MS gauge.c" } };
  const result = { type: "tool_result", tool_use_id: "toolu_past1", content: output };
  return [
    { type: "user", message: { role: "user", content: prompt } },
    { type: "assistant", message: assistant("msg_past1", call) },
    { type: "user", message: { role: "user", content: [result] }, toolUseResult: { stdout: output, stderr: "" } },
    { type: "assistant", message: assistant("msg_past2", { type: "text", text: answer }) },
  ].map((line, index) => ({
    parentUuid: index === 0 ? null : uuid(index - 1),
    isSidechain: false,
    userType: "external",
    cwd: CWD,
    sessionId: session,
    version: "2.1.284",
    gitBranch: "main",
    uuid: uuid(index),
    timestamp: `2026-05-18T09:00:0${index}.000Z`,
    ...line,
  }));
}

function assistant(id, block) {
  return { id, type: "message", role: "assistant", model: "mock", content: [block] };
}

function uuid(index) {
  return `0000000${index}-5a1e-4c0d-9f00-00000000000a`;
}

function codexLines({ session, prompt, output, answer }) {
  const call = {
    name: "exec_command",
    arguments: JSON.stringify({ cmd: "grep slack gates.toml" }),
    call_id: "call_past1",
  };
  return [
    ["session_meta", { id: session, cwd: CWD, originator: "codex_exec", cli_version: "0.153.4", source: "exec" }],
    ["turn_context", { turn_id: "turn_past1", cwd: CWD, model: "mock" }],
    ["response_item", message("user", "input_text", prompt)],
    ["event_msg", { type: "user_message", message: prompt, images: [] }],
    ["response_item", { type: "function_call", ...call }],
    ["response_item", { type: "function_call_output", call_id: "call_past1", output }],
    ["event_msg", { type: "agent_message", message: answer, phase: "final_answer" }],
    ["response_item", { ...message("assistant", "output_text", answer), phase: "final_answer" }],
  ].map(([type, payload], index) => ({ timestamp: `2026-05-20T10:00:0${index}.000Z`, type, payload }));
}

function message(role, type, text) {
  return { type: "message", role, content: [{ type, text }] };
}

function jsonLines(lines) {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
