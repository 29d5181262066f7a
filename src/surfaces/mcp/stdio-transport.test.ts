import { PassThrough } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { stdioTransport } from "./stdio-transport.ts";

async function open(drainMs = 10_000) {
  const input = new PassThrough();
  const output = new PassThrough();
  const received: unknown[] = [];
  const problems: string[] = [];
  let ended = 0;
  const transport = stdioTransport(input, output, { drainMs, onEnd: () => ended++ });
  transport.onmessage = (message) => received.push(message);
  transport.onerror = (error) => problems.push(error.message);
  await transport.start();
  return { input, output, transport, received, problems, ended: () => ended };
}

const request = (id: number) => ({ jsonrpc: "2.0" as const, id, method: "ping" });
const line = (message: unknown) => `${JSON.stringify(message)}\n`;
const reply = (id: number) => ({ jsonrpc: "2.0" as const, id, result: {} });

describe("stdioTransport", () => {
  it("puts messages together from pieces, whatever the cuts", async () => {
    const { input, received } = await open();
    const bytes = Buffer.from(line({ ...request(1), method: "größe" }) + line(request(2)));
    for (const byte of bytes) input.write(Buffer.from([byte]));
    await wait(1);
    expect(received).toEqual([{ ...request(1), method: "größe" }, request(2)]);
  });

  it.each([
    ["no JSON", "hello\n"],
    ["JSON that is no message", '{"a":1}\n'],
    ["broken UTF-8", Buffer.from([0xff, 0xfe, 10])],
    ["a line beyond all measure", `${"x".repeat(11 * 1024 * 1024)}\n`],
    ["empty lines", "\n\r\n"],
  ])("goes on after %s", async (_, garbage) => {
    const { input, received, ended } = await open();
    input.write(garbage);
    input.write(line(request(1)));
    await wait(1);
    expect(received).toEqual([request(1)]);
    expect(ended()).toBe(0);
  });

  it("ends with the input when nothing is unanswered", async () => {
    const { input, ended } = await open();
    input.end();
    await wait(1);
    expect(ended()).toBe(1);
  });

  it("answers what came before the end of input", async () => {
    const { input, output, transport, ended } = await open();
    input.end(line(request(1)) + line(request(2)));
    await wait(1);
    await transport.send(reply(2));
    expect(ended()).toBe(0);
    await transport.send(reply(1));
    expect(ended()).toBe(1);
    expect(String(output.read())).toBe(line(reply(2)) + line(reply(1)));
  });

  it("does not wait for a request that was cancelled", async () => {
    const { input, ended } = await open();
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    input.end(line(request(1)) + line(cancelled));
    await wait(1);
    expect(ended()).toBe(1);
  });

  it("stops waiting in the end", async () => {
    const { input, ended } = await open(5);
    input.end(line(request(1)));
    await expect.poll(ended).toBe(1);
  });

  it("ends when nobody reads any more", async () => {
    const { output, transport, ended } = await open();
    output.destroy(new Error("EPIPE"));
    await expect.poll(ended).toBe(1);
    await expect(transport.send(reply(1))).resolves.toBeUndefined();
  });
});
