import { join } from "node:path";
import { uuidOf } from "./claude-code.mjs";
import { clockOf, fileStream, plainCall } from "./stream.mjs";
import { hex } from "./text.mjs";

/** Gemini CLI: a log for each session, in which an answer is written again with what its tools said. @param {string} home @returns {import("./stream.mjs").AgentWriter} */
export function geminiCliHistory(home) {
  return {
    add({ session, cwd, startedAt }, chance, turns) {
      const clock = clockOf(chance, startedAt);
      const project = cwd.slice(cwd.lastIndexOf("/") + 1);
      const name = `session-${clock.iso().slice(0, 16).replace(":", "-")}-${session.slice(0, 8)}.jsonl`;
      const file = fileStream(join(home, ".gemini", "tmp", project, "chats", name));
      const tell = (record) => {
        clock.step();
        file.line({ id: uuidOf(chance), timestamp: clock.iso(), ...record });
      };
      const facts = { sessionId: session, projectHash: hex(chance, 64), kind: "main" };
      file.line({ ...facts, startTime: clock.iso(), lastUpdated: clock.iso() });
      for (const { prompt, steps, answer } of turns) {
        tell({ type: "user", content: [{ text: prompt }] });
        for (const { thinking, says, call, output, failed } of steps) {
          const callId = `c-${hex(chance, 12)}`;
          const { name, input } = plainCall(call);
          const id = uuidOf(chance);
          const thoughts = thinking ? [{ subject: "", description: thinking, timestamp: clock.iso() }] : [];
          const said = {
            id,
            type: "gemini",
            content: says ?? "",
            thoughts,
            model: "gemini-3-pro",
            tokens: tokens(chance),
          };
          const asked = { id: callId, name, args: input };
          tell({ ...said, toolCalls: [{ ...asked, status: "executing" }] });
          const result = [{ functionResponse: { id: callId, name, response: { output } } }];
          tell({
            ...said,
            toolCalls: [{ ...asked, result, status: failed ? "error" : "success", timestamp: clock.iso() }],
          });
        }
        tell({ type: "gemini", content: answer, thoughts: [], model: "gemini-3-pro", tokens: tokens(chance) });
        clock.rest();
      }
      file.end(clock.now);
    },
    close: () => {},
  };
}

function tokens(chance) {
  const [input, output] = [chance.below(90_000), chance.below(900)];
  return { input, output, cached: 0, thoughts: 0, tool: 0, total: input + output };
}
