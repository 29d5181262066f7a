import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What came in. */
export interface ModelCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** `hang`: no answer ever comes. */
export type ModelReply =
  | "hang"
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/** A stand-in for a model's endpoint on this machine, until the test ends. */
export async function modelServer(
  reply: (call: ModelCall, number: number) => ModelReply,
): Promise<{ readonly url: string; readonly calls: readonly ModelCall[] }> {
  const calls: ModelCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const call = { path: request.url ?? "", headers: request.headers, body };
      calls.push(call);
      const answer = reply(call, calls.length);
      if (answer === "hang") return;
      response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
      response.end(answer.body ?? "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, calls };
}

/** What a model writes of a session. */
export function written(
  title = "Barnacles counted",
  summary = "The hull was cleaned, and keels were weighed.",
): string {
  return JSON.stringify({ title, summary });
}

/** As Anthropic's Messages API answers. */
export function anthropicReply(text: string, usage: object | undefined = { input_tokens: 400, output_tokens: 50 }) {
  return { body: JSON.stringify({ type: "message", content: [{ type: "text", text }], usage }) };
}

/** As chat completions answer. */
export function openaiReply(text: string, usage: object | undefined = { prompt_tokens: 400, completion_tokens: 50 }) {
  return { body: JSON.stringify({ choices: [{ message: { role: "assistant", content: text } }], usage }) };
}
