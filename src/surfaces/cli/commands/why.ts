import type { Command } from "commander";
import { formatMinute } from "../../../core/time.ts";
import type { TraceCandidate } from "../../../core/trace.ts";
import type { ExplainedPlace, Explanation, Receipt, ReceiptSummary } from "../../../service/receipts-api.ts";
import type { Yore } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { type Fact, factsPage, formatObservationFacts } from "../facts.ts";
import { counted, grouped } from "../figures.ts";
import { isoTime } from "../json.ts";
import { printListing } from "../listing.ts";
import { memoryJson } from "../memories.ts";
import { addPageOptions, type PageOptions } from "../options.ts";
import { type Column, formatTable } from "../table.ts";
import { oneLine } from "../text.ts";
import { formatCandidates, traceFacts, traceJson } from "../traces.ts";

export function defineWhy(command: Command, context: Context): void {
  command
    .description(
      "Say how something that was handed to an agent came about: who asked what, how it was understood, which observations were weighed and by which signals, and why some were left out. Of an observation: where it comes from, whether it stands, and which receipts show it. Without an argument: the latest receipts.",
    )
    .argument(
      "[id]",
      "id of a receipt, as it stands at the end of what was handed out, or of an observation or memory",
    );
  addPageOptions(command, 20);
  addOutputOptions(command);
  addExamples(command, [
    ["yore why", "what was handed out lately"],
    ["yore why r-3fk2m9x7q0", "how one of these came about"],
    ["yore why k3v9m2x7q0ab", "where an observation comes from"],
    ["yore replay r-3fk2m9x7q0", "what the agent was given"],
  ]);
  command.action((id: string | undefined, options: PageOptions) =>
    context.withYore((yore) => why(yore, id?.trim(), options, context)),
  );
}

async function why(yore: Yore, id: string | undefined, options: PageOptions, context: Context): Promise<ExitCode> {
  const { screen, json } = context;
  if (id === undefined) {
    const { limit, offset } = options;
    const toLines = (receipts: readonly ReceiptSummary[]) => formatReceipts(receipts, context);
    const listing = { name: "receipts", toJson: summaryJson, toLines };
    return printListing(await yore.receipts({ limit, offset }), listing, context);
  }
  if (id.toLowerCase().startsWith("r-")) {
    const receipt = await yore.receipt(id);
    if (json) screen.printJson({ receipt: receiptJson(receipt) });
    else screen.print(...formatReceipt(receipt, context));
    return EXIT.done;
  }
  const explained = await yore.explain({ observation: id });
  if (json) screen.printJson(explanationJson(explained));
  else screen.print(...formatExplanation(explained, context));
  return EXIT.done;
}

function formatReceipts(receipts: readonly ReceiptSummary[], { screen, io }: Context): string[] {
  const columns: readonly Column<ReceiptSummary>[] = [
    { header: "WHEN", value: ({ at }) => formatMinute(at, io.timeZone) },
    { header: "RECEIPT", value: ({ id }) => oneLine(id), paint: screen.paint.yellow },
    { header: "CLIENT", value: ({ client }) => oneLine(client), min: 8, leaves: 2, paint: screen.paint.cyan },
    { header: "WHAT", value: ({ tool }) => oneLine(tool) },
    { header: "STATE", value: ({ state }) => state },
    { header: "SHOWN", value: ({ shown }) => grouped(shown.length), align: "right", leaves: 3 },
    { header: "CHARS", value: ({ chars }) => grouped(chars), align: "right", leaves: 3 },
  ];
  return formatTable(receipts, columns, screen.width, screen.paint.dim);
}

function formatReceipt(receipt: Receipt, context: Context): string[] {
  const { io } = context;
  const { id, at, via, tool, client, session, state, chars, request, trace } = receipt;
  return [
    ...factsPage(`${tool}, handed out ${via === "hook" ? "by a hook" : "over MCP"}`, context, [
      ["receipt", id],
      ["when", formatMinute(at, io.timeZone)],
      ["client", client],
      ["session", session],
      ["asked", request === undefined ? undefined : JSON.stringify(request)],
      ...(trace === undefined ? [] : traceFacts(trace, context)),
      ["size", counted(chars, "character")],
      ["state", STATE_WORDS[state]],
    ]),
    ...(trace === undefined ? [] : formatTraced(trace.candidates, context)),
  ];
}

const STATE_WORDS: Readonly<Record<Receipt["state"], string>> = {
  whole: "whole: `yore replay` prints it",
  redacted: "something in it was redacted, so that what was handed out was dropped",
  hidden: "shows a session that is forgotten or excluded now, so that no more is told of it",
};

function formatTraced(candidates: readonly TraceCandidate[], context: Context): readonly string[] {
  const of = (outcome: TraceCandidate["outcome"]) => candidates.filter((one) => one.outcome === outcome);
  return [
    ...formatCandidates("Shown", of("shown"), context),
    ...formatCandidates("Left out", of("cut"), context),
    ...(candidates.length === 0 ? ["", "Nothing was weighed."] : []),
  ];
}

function formatExplanation({ observation, typeRule, places, receipts }: Explanation, context: Context): string[] {
  const shown = receipts.items.map(({ id, tool, at }) => `${id} (${tool}, ${formatMinute(at, context.io.timeZone)})`);
  const more = receipts.total > shown.length ? [`and ${grouped(receipts.total - shown.length)} more`] : [];
  return formatObservationFacts({ ...observation, files: [], commands: [] }, context, [
    ["type since", typeRule],
    ...places.map((place): Fact => ["stands in", placeWords(place)]),
    ["shown by", shown.length === 0 ? "no receipt" : [...shown, ...more].join(", ")],
  ]);
}

function placeWords({ path, part, from, to, messages, state }: ExplainedPlace): string {
  const unit = part === undefined ? "byte" : "record";
  const where = from === to ? `${unit} ${from}` : `${unit} ${from} to ${to}`;
  const of = part === undefined ? "" : `, ${part}`;
  return `${path}${of}, ${where} (${counted(messages, "message")}; ${PLACE_WORDS[state]})`;
}

const PLACE_WORDS: Readonly<Record<ExplainedPlace["state"], string>> = {
  there: "the file is there",
  archived: "the file is gone, and in the archive",
  stored: "the file is gone, and only the store has it",
};

function summaryJson(receipt: ReceiptSummary): Record<string, unknown> {
  const { id, at, via, tool, client, session, state, chars, shown } = receipt;
  return { id, at: isoTime(at), via, tool, client, session: session ?? null, state, chars, shown };
}

function receiptJson(receipt: Receipt): Record<string, unknown> {
  const { request, trace } = receipt;
  return {
    ...summaryJson(receipt),
    request: request ?? null,
    trace: trace === undefined ? null : traceJson(trace),
  };
}

function explanationJson({ observation, typeRule, places, receipts }: Explanation): Record<string, unknown> {
  const { id, type, title, agent, project, session, at, endedAt, memory, withdrawnBy = [] } = observation;
  return {
    observation: {
      id,
      type,
      typeRule: typeRule ?? null,
      title,
      agent,
      project: project.name,
      session: session.id,
      at: isoTime(at),
      endedAt: isoTime(endedAt),
      memory: memory === undefined ? null : memoryJson(memory),
      withdrawnBy,
    },
    places: places.map(({ path, part, from, to, messages, state }) => ({
      path,
      part: part ?? null,
      from,
      to,
      messages,
      state,
    })),
    receipts: receipts.items.map(summaryJson),
    receiptsTotal: receipts.total,
  };
}
