import { join } from "node:path";
import { uuidOf } from "./claude-code.mjs";
import { clockOf, fileStream, plainCall } from "./stream.mjs";
import { hex } from "./text.mjs";

/** Copilot CLI: a log of events for each session. @param {string} home @returns {import("./stream.mjs").AgentWriter} */
export function copilotCliHistory(home) {
  return {
    add({ session, cwd, branch, startedAt }, chance, turns) {
      const file = fileStream(join(home, ".copilot", "session-state", session, "events.jsonl"));
      const clock = clockOf(chance, startedAt);
      let parentId = null;
      const tell = (type, data) => {
        clock.step();
        const id = uuidOf(chance);
        file.line({ type, data, id, timestamp: clock.iso(), parentId });
        parentId = id;
      };
      const answer = (content, toolRequests) =>
        tell("assistant.message", {
          ...{ messageId: uuidOf(chance), model: "gpt-5.6", content, toolRequests },
          outputTokens: chance.below(900),
        });
      const context = { cwd, branch };
      tell("session.start", {
        sessionId: session,
        version: 1,
        copilotVersion: "1.0.72",
        startTime: clock.iso(),
        context,
      });
      for (const { prompt, steps, answer: last } of turns) {
        tell("user.message", { content: prompt });
        for (const { says, call, output, failed } of steps) {
          const toolCallId = `call_${hex(chance, 24)}`;
          const { name, input } = plainCall(call);
          answer(says ?? "", [{ toolCallId, name, arguments: input, type: "function" }]);
          tell("tool.execution_start", { toolCallId, toolName: name, arguments: input });
          tell("tool.execution_complete", { toolCallId, success: !failed, result: { content: output } });
        }
        answer(last, []);
        clock.rest();
      }
      file.end(clock.now);
    },
    close: () => {},
  };
}
