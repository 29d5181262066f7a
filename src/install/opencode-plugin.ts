import type { Wish } from "./host.ts";

/**
 * The plugin for OpenCode: no logic of its own, it only tells `yore hook` what happens, and hands on what comes back. Nothing
 * that goes wrong in it reaches OpenCode.
 */
export function openCodePlugin({ program, version, events }: Wish): string {
  const { words, variables } = program;
  return `// Yore ${version}: what OpenCode tells its hooks. \`yore install\` wrote this, and \`yore uninstall\` takes it away.
import { spawn } from "node:child_process";

const COMMAND = ${JSON.stringify([...words, "hook"])};
const VARIABLES = ${JSON.stringify(variables)};
const EVENTS = ${JSON.stringify(events)};
const PATIENCE_MS = 3000;

export const Yore = async ({ directory }) => {
  const running = new Set();
  const starts = new Map();

  const hook = (event, input) => {
    if (!EVENTS.includes(event)) return Promise.resolve("");
    const done = run(event, { cwd: directory, hook_event_name: event, ...input }).finally(() => running.delete(done));
    running.add(done);
    return done;
  };

  return {
    "chat.message": async ({ sessionID }, { message, parts }) => {
      const prompt = parts.filter(({ type, synthetic }) => type === "text" && !synthetic).map(({ text }) => text);
      if (!starts.has(sessionID)) starts.set(sessionID, hook("SessionStart", { session_id: sessionID, source: "startup" }));
      const text = await hook("UserPromptSubmit", { session_id: sessionID, prompt: prompt.join("\\n") });
      const id = \`prt_yore\${Date.now().toString(36)}\`;
      if (text !== "") parts.push({ id, sessionID, messageID: message.id, type: "text", text, synthetic: true });
    },
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      const text = (await starts.get(sessionID)) ?? "";
      if (text !== "") system.push(text);
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      await hook("PreCompact", { session_id: sessionID });
    },
    event: async ({ event }) => {
      const { sessionID } = event.properties ?? {};
      if (event.type === "session.idle") await hook("Stop", { session_id: sessionID });
      if (event.type === "session.deleted") starts.delete(sessionID);
    },
    dispose: async () => {
      await Promise.all(running);
      await Promise.all([...starts.keys()].map((session_id) => hook("SessionEnd", { session_id, reason: "other" })));
    },
  };
};

function run(event, input) {
  return new Promise((resolve) => {
    try {
      const [program, ...args] = [...COMMAND, event, "--agent", "opencode"];
      const env = { ...process.env, ...VARIABLES };
      const child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"], env, windowsHide: true });
      let output = "";
      const timer = setTimeout(() => child.kill(), PATIENCE_MS);
      const finish = () => {
        clearTimeout(timer);
        resolve(contextIn(output));
      };
      child.stdout.setEncoding("utf8");
      child.stdout.on("data", (text) => {
        output += text;
      });
      child.stdin.on("error", () => {});
      child.on("error", finish);
      child.on("close", finish);
      child.stdin.end(JSON.stringify(input));
    } catch {
      resolve("");
    }
  });
}

function contextIn(output) {
  try {
    const { hookSpecificOutput, additionalContext } = JSON.parse(output);
    const text = hookSpecificOutput?.additionalContext ?? additionalContext;
    return typeof text === "string" ? text : "";
  } catch {
    return output.trim();
  }
}
`;
}
