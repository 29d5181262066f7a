import { parseArgs } from "node:util";
import packageJson from "../../package.json" with { type: "json" };
import { openYore } from "../app.ts";
import { readSettings } from "../config/settings.ts";
import { serve } from "../surfaces/mcp/stdio.ts";
import { isToolset, TOOLSETS, toolsOf } from "../surfaces/mcp/tools/registry.ts";

/** `yore mcp`: serves until the client goes away. Wrong flags end the process with 2. */
export async function runMcp(argv: readonly string[]): Promise<void> {
  const flags = readFlags(argv);
  if (flags === undefined) {
    process.stderr.write(`usage: yore mcp [--toolset ${TOOLSETS.join("|")}] [--read-only]\n`);
    process.exit(2);
  }
  const settings = readSettings();
  const session = settings.variables.CLAUDE_CODE_SESSION_ID ?? settings.variables.COPILOT_AGENT_SESSION_ID;
  await serve({
    yore: () => openYore(settings, { isLasting: true }),
    version: packageJson.version,
    watch: settings.watch,
    tools: toolsOf(flags.toolset),
    readOnly: flags.readOnly || settings.readOnly,
    keepsReceipts: settings.receiptDays > 0,
    writesPerMinute: settings.writesPerMinute,
    folder: settings.folder,
    ...(settings.timeZone !== undefined && { timeZone: settings.timeZone }),
    ...(session !== undefined && session !== "" && { currentSession: session }),
  });
}

function readFlags(argv: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { toolset: { type: "string", default: "all" }, "read-only": { type: "boolean", default: false } },
    });
    return isToolset(values.toolset) ? { toolset: values.toolset, readOnly: values["read-only"] } : undefined;
  } catch {
    return undefined;
  }
}
