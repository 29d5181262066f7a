import { type CallToolResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { receiptId } from "../../core/ids.ts";
import type { Trace } from "../../core/trace.ts";
import type { CallOutcome } from "../../service/yore.ts";
import { pagingOf } from "./cursor.ts";
import { describeFailure } from "./errors.ts";
import { type Answer, type Caller, measureArguments, outcomeOf, recordCall } from "./record-call.ts";
import { countOf, oneLine, withReceipt } from "./reply.ts";
import type { ServerDeps } from "./server.ts";
import type { Tool } from "./tool.ts";

/** What a server that only reads offers of its tools. */
export function offeredTools({ tools, readOnly = false }: ServerDeps): readonly Tool[] {
  return tools.filter((tool) => !readOnly || tool.annotations.readOnlyHint);
}

/** Calls a tool. What goes wrong within it is a result too; a tool that does not exist is an error of the protocol. */
export function callTool(
  params: { readonly name: string; readonly arguments?: unknown },
  caller: Caller,
  deps: ServerDeps,
): Promise<CallToolResult> {
  const tool = deps.tools.find(({ name }) => name === params.name);
  const call = {
    tool: tool?.name ?? "?",
    arguments: measureArguments(params.arguments, Object.keys(tool?.schema().properties ?? {})),
    caller,
  };
  return recordCall(call, deps, async (about) => {
    if (tool === undefined) {
      const error = unknownTool(params.name, deps);
      return { error, outcome: "unknown-tool", chars: error.message.length };
    }
    const refusal = refuse(tool, deps);
    if (refusal !== undefined) return refusal;
    const sessions = new Set<string>();
    let trace: Trace | undefined;
    try {
      const text = await tool.call(params.arguments, {
        yore: deps.yore,
        clock: deps.clock,
        nonce: deps.nonce,
        ...(deps.timeZone !== undefined && { timeZone: deps.timeZone }),
        ...(deps.folder !== undefined && { folder: deps.folder }),
        paging: pagingOf(tool.name, deps.cursors),
        currentSessions: caller.sessions,
        client: caller.client,
        about(session) {
          sessions.add(session);
          about(session);
        },
        explain(told) {
          trace = told;
        },
      });
      const isKept = tool.isRecall === true && deps.keepsReceipts !== false;
      const reply = isKept ? handOut(tool, text, { request: params.arguments, caller, sessions, trace }, deps) : text;
      return { result: { content: [{ type: "text", text: reply }] }, outcome: "done", chars: reply.length };
    } catch (error) {
      return failure(describeFailure(error, tool, deps.log), outcomeOf(error));
    }
  });
}

/** The text with its receipt named, which is kept after the answer. */
function handOut(
  tool: Tool,
  text: string,
  about: {
    readonly request: unknown;
    readonly caller: Caller;
    readonly sessions: ReadonlySet<string>;
    readonly trace: Trace | undefined;
  },
  { yore, clock }: ServerDeps,
): string {
  const { request, caller, sessions, trace } = about;
  const id = receiptId(tool.name, text);
  const [session] = caller.sessions;
  const reply = withReceipt(text, id);
  void yore.recordReceipt({
    at: clock(),
    via: "mcp",
    tool: tool.name,
    client: caller.client,
    ...(session !== undefined && { session }),
    request: request ?? {},
    ...(trace !== undefined && { trace }),
    shows: [...sessions],
    text: reply,
    id,
  });
  return reply;
}

/** Why a tool that writes is not even tried. */
function refuse(tool: Tool, deps: ServerDeps): Answer<CallToolResult> | undefined {
  if (tool.annotations.readOnlyHint) return undefined;
  if (deps.readOnly === true) {
    return failure(
      `${tool.name} writes, and this server only reads: it was started with --read-only, or YORE_READ_ONLY is set. Nothing was changed. A person can do it in a terminal: \`yore --help\`.`,
      "read-only",
    );
  }
  const waitMs = deps.writes.take();
  if (waitMs === 0) return undefined;
  return failure(
    `Too many writes: ${deps.writes.most} a minute are allowed, so ${tool.name} was not done. Try again in ${countOf(Math.ceil(waitMs / 1_000), "second")}. apply_tags tags many sessions in one write; YORE_WRITES_PER_MINUTE sets the limit.`,
    "rate-limited",
  );
}

// Text only: clients that get structured content show the model nothing else.
function failure(text: string, outcome: CallOutcome): Answer<CallToolResult> {
  return { result: { content: [{ type: "text", text }], isError: true }, outcome, chars: text.length };
}

function unknownTool(name: string, deps: ServerDeps): ProtocolError {
  const names = offeredTools(deps).map((tool) => tool.name);
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool "${oneLine(name, 64)}". Tools: ${names.join(", ")}.`,
  );
}
