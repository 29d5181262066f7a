import { join } from "node:path";
import { clockOf, fileStream, plainCall } from "./stream.mjs";
import { hex } from "./text.mjs";

/** Pi: a file of JSON lines for each session. @param {string} home @returns {import("./stream.mjs").AgentWriter} */
export function piHistory(home) {
  return {
    add({ session, cwd, startedAt }, chance, turns) {
      const folder = `--${cwd.slice(1).replaceAll("/", "-")}--`;
      const name = `${new Date(startedAt).toISOString().replaceAll(/[:.]/g, "-")}_${session}.jsonl`;
      const file = fileStream(join(home, ".pi", "agent", "sessions", folder, name));
      const clock = clockOf(chance, startedAt);
      let parentId = null;
      const say = (message) => {
        clock.step();
        const id = hex(chance, 8);
        const timestamp = clock.iso();
        file.line({ type: "message", id, parentId, timestamp, message: { ...message, timestamp: clock.now } });
        parentId = id;
      };
      const answer = (content, stopReason) =>
        say({
          ...{ role: "assistant", content, stopReason, api: "anthropic-messages", provider: "anthropic" },
          model: "claude-opus-4-5",
          usage: {
            input: chance.below(9_000),
            output: chance.below(900),
            cacheRead: chance.below(90_000),
            cacheWrite: 0,
          },
        });
      file.line({ type: "session", version: 3, id: session, timestamp: clock.iso(), cwd });
      for (const { prompt, steps, answer: last } of turns) {
        say({ role: "user", content: [{ type: "text", text: prompt }] });
        for (const { thinking, says, call, output, failed } of steps) {
          const id = `toolu_${hex(chance, 20)}`;
          const { name, input } = plainCall(call);
          const content = [];
          if (thinking) content.push({ type: "thinking", thinking });
          if (says) content.push({ type: "text", text: says });
          answer([...content, { type: "toolCall", id, name, arguments: input }], "toolUse");
          const result = [{ type: "text", text: output }];
          say({ role: "toolResult", toolCallId: id, toolName: name, content: result, isError: failed });
        }
        answer([{ type: "text", text: last }], "stop");
        clock.rest();
      }
      file.end(clock.now);
    },
    close: () => {},
  };
}
