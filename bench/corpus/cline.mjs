import { join } from "node:path";
import { clockOf, fileStream, plainCall } from "./stream.mjs";
import { hex } from "./text.mjs";

/** Cline: one JSON document for each task. @param {string} home @returns {import("./stream.mjs").AgentWriter} */
export function clineHistory(home) {
  return {
    add({ cwd, startedAt }, chance, turns) {
      const task = String(startedAt + chance.below(1_000));
      const file = fileStream(join(home, ".cline", "data", "tasks", task, "api_conversation_history.json"));
      const clock = clockOf(chance, startedAt);
      const details = `<environment_details>\n# Current Working Directory (${cwd}) Files\nsrc/\n</environment_details>`;
      let isFirst = true;
      const say = (role, content) => {
        clock.step();
        file.write(`${isFirst ? "[" : ","}${JSON.stringify({ role, content })}`);
        isFirst = false;
      };
      for (const { prompt, steps, answer } of turns) {
        const asked = isFirst ? `<task>\n${prompt}\n</task>` : `<feedback>\n${prompt}\n</feedback>`;
        say("user", [text(asked), text(details)]);
        for (const { thinking, says, call, output, failed } of steps) {
          const id = `toolu_${hex(chance, 20)}`;
          const content = [];
          if (thinking) content.push({ type: "thinking", thinking, signature: "" });
          if (says) content.push(text(says));
          say("assistant", [...content, { type: "tool_use", id, ...plainCall(call) }]);
          say("user", [
            { type: "tool_result", tool_use_id: id, content: [text(output)], is_error: failed },
            text(details),
          ]);
        }
        say("assistant", [text(answer)]);
        clock.rest();
      }
      file.write(isFirst ? "[]" : "]");
      file.end(clock.now);
    },
    close: () => {},
  };
}

function text(text) {
  return { type: "text", text };
}
