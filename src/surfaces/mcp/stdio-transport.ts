import type { Readable, Writable } from "node:stream";
import {
  deserializeMessage,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/server";

/**
 * Messages over standard input and output, one a line.
 *
 * Differs from the SDK's own in how it ends: requests that came before the end of input are answered before it
 * closes, for at most `drainMs`, so that a script can pipe its requests in. `onEnd` is called once, when nothing more
 * will be read or written.
 */
export function stdioTransport(
  input: Readable,
  output: Writable,
  options: { readonly drainMs: number; readonly onEnd: () => void },
): Transport {
  const unanswered = new Set<string | number>();
  const lines = lineReader((line) => receive(line));
  let hasEnded = false;
  let isClosed = false;

  function receive(line: string): void {
    const message = parse(line);
    if (message === undefined) return;
    if (isJSONRPCRequest(message)) unanswered.add(message.id);
    const cancelled = "method" in message && message.method === "notifications/cancelled" ? message.params : undefined;
    const id = cancelled?.requestId;
    if (typeof id === "string" || typeof id === "number") settle(id);
    transport.onmessage?.(message);
  }

  function parse(line: string): JSONRPCMessage | undefined {
    try {
      return deserializeMessage(line);
    } catch (error) {
      transport.onerror?.(new Error("A line on standard input is not a protocol message", { cause: error }));
      return undefined;
    }
  }

  function settle(id: string | number): void {
    unanswered.delete(id);
    if (hasEnded && unanswered.size === 0) close();
  }

  function endOfInput(): void {
    if (hasEnded) return;
    hasEnded = true;
    if (unanswered.size === 0) close();
    else setTimeout(close, options.drainMs);
  }

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    input.off("data", lines);
    input.pause();
    transport.onclose?.();
    options.onEnd();
  }

  const transport: Transport = {
    async start() {
      input.on("data", lines);
      input.on("end", endOfInput);
      input.on("close", endOfInput);
      input.on("error", endOfInput);
      // Without a listener a broken pipe would be an uncaught exception.
      output.on("error", close);
    },
    async send(message) {
      if (isClosed) return;
      await new Promise<void>((written) => output.write(serializeMessage(message), () => written()));
      if ((isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) && message.id !== undefined) {
        settle(message.id);
      }
    },
    async close() {
      close();
    },
  };
  return transport;
}

/** Cuts chunks into lines. A line that outgrows the limit is dropped to its end, and so never held in memory. */
function lineReader(onLine: (line: string) => void): (chunk: Buffer) => void {
  let pieces: Buffer[] = [];
  let length = 0;
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, end);
      start = end + 1;
      if (length + piece.length <= MAX_LINE_BYTES) {
        const line = Buffer.concat([...pieces, piece])
          .toString("utf8")
          .trim();
        pieces = [];
        length = 0;
        if (line !== "") onLine(line);
      } else {
        pieces = [];
        length = 0;
      }
    }
    length += chunk.length - start;
    if (length <= MAX_LINE_BYTES) pieces.push(chunk.subarray(start));
    else pieces = [];
  };
}

const NEWLINE = 10;
const MAX_LINE_BYTES = 10 * 1024 * 1024;
