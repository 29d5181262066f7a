import { serve } from "../../src/surfaces/mcp/stdio.ts";
import { isToolset, toolsOf } from "../../src/surfaces/mcp/tools/registry.ts";
import { EMPTY, SAMPLE } from "./fake-data.ts";
import { createFakeYore } from "./fake-yore.ts";

// An MCP server over a fake, as a program. Its arguments make it misbehave in ways the real one might.
const faults = new Set(process.argv.slice(2));
const toolset = process.argv.find((argument) => isToolset(argument));
const yore = createFakeYore(faults.has("empty") ? EMPTY : SAMPLE);

await serve({
  version: "0.0.0-test",
  tools: toolsOf(toolset ?? "all"),
  yore: async () => {
    if (faults.has("no-store")) throw new Error("the store cannot be opened");
    if (faults.has("prints")) {
      // biome-ignore-start lint/suspicious/noConsole: a library that prints is what is tried here
      console.log("banner on standard output");
      console.info("more of it");
      // biome-ignore-end lint/suspicious/noConsole: a library that prints is what is tried here
    }
    if (faults.has("handles")) setInterval(() => undefined, 1_000);
    return {
      ...yore,
      async search(request) {
        if (request.query === "throw") throw new TypeError("secret of the database");
        if (request.query === "crash") setTimeout(() => missingFunction(), 1);
        if (request.query === "slow") await new Promise((resolve) => setTimeout(resolve, 300));
        return yore.search(request);
      },
      async close() {
        if (faults.has("hangs")) await new Promise(() => undefined);
        process.stderr.write("store closed\n");
      },
    };
  },
});

function missingFunction(): never {
  throw new Error("nobody catches this");
}
