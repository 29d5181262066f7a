import { join } from "node:path";
import { clockOf, fileStream } from "./stream.mjs";

/** Aider: one Markdown file with all runs, here that of the home folder. @param {string} home @returns {import("./stream.mjs").AgentWriter} */
export function aiderHistory(home) {
  const file = fileStream(join(home, ".aider.chat.history.md"));
  let endedAt = 0;
  return {
    add({ startedAt }, chance, turns) {
      const clock = clockOf(chance, Math.max(startedAt, endedAt + 1_000));
      file.write(`\n# aider chat started at ${clock.iso().slice(0, 19).replace("T", " ")}\n\n`);
      file.write(
        "> Aider v0.86.1  \n> Main model: claude-sonnet-4-20250514 with diff edit format, infinite output  \n\n",
      );
      for (const { prompt, steps, answer } of turns) {
        file.write(`#### ${prompt.replaceAll("\n", "  \n#### ")}  \n\n`);
        for (const { says, call, output } of steps) {
          if (says) file.write(`${says}\n\n`);
          if (call.tool === "Edit")
            file.write(
              `${call.path}\n\`\`\`\n<<<<<<< SEARCH\n${call.before}\n=======\n${call.after}\n>>>>>>> REPLACE\n\`\`\`\n\n`,
            );
          else if (call.tool === "Bash") file.write(`#### /run ${call.command}  \n${quoted(output)}\n`);
          clock.step();
        }
        file.write(`${answer}\n\n> Tokens: ${1 + chance.below(9)}.1k sent, ${1 + chance.below(900)} received.  \n\n`);
        clock.rest();
      }
      endedAt = clock.now;
    },
    close: () => file.end(endedAt),
  };
}

function quoted(output) {
  return output.replace(/^.*$/gm, (line) => `> ${line}  `);
}
