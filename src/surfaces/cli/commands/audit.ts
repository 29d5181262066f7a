import type { Command } from "commander";
import { formatMinute } from "../../../core/time.ts";
import type { CallRecord } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { grouped } from "../figures.ts";
import { isoTime } from "../json.ts";
import { printListing } from "../listing.ts";
import { addPageOptions, type PageOptions, readDate } from "../options.ts";
import { type Column, formatTable } from "../table.ts";
import { oneLine } from "../text.ts";

interface AuditOptions extends PageOptions {
  readonly tool?: string;
  readonly client?: string;
  readonly since?: string;
  readonly failed?: true;
}

export function defineAudit(command: Command, context: Context): void {
  command
    .description(
      "List what agents asked over MCP, the latest first: when, by which client, with which tool, for which sessions, and what came of it. Of what was sent and answered, only the length is known.",
    )
    .option("--tool <name>", "calls of this tool, such as search")
    .option("--client <name>", "calls of clients with this in their name")
    .option("--since <date>", "from then on, such as 2026-11-30, 7d or 'last week'")
    .option("--failed", "only those that failed or were refused");
  addPageOptions(command, 50);
  addOutputOptions(command);
  addExamples(command, [
    ["yore audit", "the latest 50 calls"],
    ["yore audit --failed --since 7d", "what went wrong in a week"],
    ["yore audit --client codex --json", "what Codex asked, for a script"],
  ]);
  command.action(async ({ tool, client, since, failed, limit, offset }: AuditOptions) => {
    const from = since === undefined ? undefined : (await readDate("--since", since, context)).from;
    return context.withYore(async (yore) => {
      const page = await yore.audit({
        ...(tool !== undefined && { tool }),
        ...(client !== undefined && { client }),
        ...(from !== undefined && { since: from }),
        ...(failed !== undefined && { failed }),
        limit,
        offset,
      });
      const toLines = (calls: readonly CallRecord[]) => formatCalls(calls, context);
      return printListing(page, { name: "calls", toJson: callJson, toLines }, context);
    });
  });
}

function callJson(call: CallRecord): Record<string, unknown> {
  return {
    at: isoTime(call.at),
    via: call.via,
    client: call.client,
    tool: call.tool,
    session: call.session ?? null,
    outcome: call.outcome,
    ms: call.ms,
    chars: call.chars,
    arguments: call.arguments.map(({ name, chars }) => ({ name, chars })),
    sessions: call.sessions,
  };
}

function formatCalls(calls: readonly CallRecord[], { screen, io }: Context): string[] {
  const columns: readonly Column<CallRecord>[] = [
    { header: "WHEN", value: ({ at }) => formatMinute(at, io.timeZone) },
    { header: "CLIENT", value: ({ client }) => oneLine(client), min: 8, leaves: 2, paint: screen.paint.cyan },
    { header: "TOOL", value: ({ tool }) => oneLine(tool) },
    { header: "OUTCOME", value: ({ outcome }) => oneLine(outcome) },
    { header: "MS", value: ({ ms }) => grouped(ms), align: "right", leaves: 3 },
    { header: "CHARS", value: ({ chars }) => grouped(chars), align: "right", leaves: 3 },
    { header: "SESSIONS", value: describeSessions, min: 8, leaves: 1, paint: screen.paint.yellow },
  ];
  return formatTable(calls, columns, screen.width, screen.paint.dim);
}

function describeSessions({ sessions }: CallRecord): string {
  const [first] = sessions;
  if (first === undefined) return "";
  return `${oneLine(first.slice(0, 8))}${sessions.length > 1 ? ` and ${sessions.length - 1} more` : ""}`;
}
