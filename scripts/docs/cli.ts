import { SETTING_VARIABLES } from "../../src/config/settings.ts";
import { commands } from "../../src/surfaces/cli/commands.ts";
import { run } from "../../src/surfaces/cli/run.ts";
import { code, GENERATED, page } from "./markdown.ts";

/** The help of every command, as the program prints it. */
export async function renderCli(): Promise<string> {
  const sections: string[] = [];
  for (const { name } of commands) {
    const text = await help(name);
    sections.push(`## yore ${name}`, code(text, "text"));
    for (const inner of innerCommands(text)) sections.push(code(await help(name, inner), "text"));
  }
  return page(
    "# Command line",
    GENERATED,
    INTRODUCTION,
    "## yore",
    "Without a command `yore` shows what the store holds, and what to do next. It reads no new history.",
    code(await help(), "text"),
    ...sections,
  );
}

const INTRODUCTION = `Data goes to standard output; notes, warnings, progress and errors go to standard error. Output that does not go to a
terminal is not cut and has no colours. A reader that closes the pipe is no error. Every command but \`mcp\` and
\`watch\` takes \`--json\`; [json.md](json.md) describes what it prints. How to write a query stands in [search](../guides/search.md).`;

/** Names of the commands within a command, as its help lists them. */
function innerCommands(text: string): readonly string[] {
  const [, list = ""] = /^Commands:\n((?: +.*\n)+)/m.exec(text) ?? [];
  return [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name = ""]) => name);
}

async function help(...command: readonly string[]): Promise<string> {
  let text = "";
  await run([...command, "--help"], {
    stdout: {
      write: (part) => {
        text += part;
      },
      flush: async () => {},
    },
    stderr: { write: () => {} },
    stdoutIsTty: false,
    stderrIsTty: false,
    columns: 100,
    colour: "never",
    now: Date.now,
    folder: "/",
    version: "",
    settings: SETTING_VARIABLES,
    open: () => Promise.reject(new Error("Help needs no store")),
    readStdin: async () => "",
    ask: undefined,
    edit: async (text) => text,
    runMcp: async () => {},
    runHook: async () => {},
    installer: () => Promise.reject(new Error("Help connects nothing")),
    onInterrupt: () => () => {},
  });
  return text;
}
