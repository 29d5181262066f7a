import { describe, expect, it } from "vitest";
import { type ModelReply, modelServer } from "../../../test/support/model-server.ts";
import { openaiEmbeddings } from "./embeddings.ts";
import { EmbeddingStop } from "./engine.ts";

const KEY = "test-key-7";
const signal = new AbortController().signal;
const options = { model: "small", key: undefined, keyVariable: undefined, timeoutMs: 5_000, signal };
const plain = (text: string): string => text;

/** A vector for each text, which says how long it is. */
function vectors(body: string, dims = 3): ModelReply {
  const { input } = JSON.parse(body) as { readonly input: readonly string[] };
  const data = input.map((text, index) => ({ index, embedding: [text.length, ...new Array(dims - 1).fill(1)] }));
  return { body: JSON.stringify({ object: "list", data: data.reverse() }) };
}

describe("embeddings of an endpoint", () => {
  it("are asked for as OpenAI's are, and brought into the order of the texts", async () => {
    const { url, calls } = await modelServer(({ body }) => vectors(body));
    const engine = await openaiEmbeddings({
      ...options,
      url: `${url}/v1`,
      key: KEY,
      keyVariable: "SOME_KEY",
      outgoing: (text) => text.replace("secret", "[redacted]"),
    });
    expect(engine).toMatchObject({ id: "openai-compatible/small", dims: 3 });
    const found = await engine.embed(["1", " ", "a secret"]);
    expect(found.map((vector) => vector && Math.round(vector.values[0] ?? 0))).toEqual([127, undefined, 127]);
    expect(found[0]?.values).toEqual(Int8Array.of(127, 127, 127));
    expect(calls.map(({ path, headers, body }) => [path, headers.authorization, JSON.parse(body)])).toEqual([
      ["/v1/embeddings", `Bearer ${KEY}`, { model: "small", input: ["memory"] }],
      ["/v1/embeddings", `Bearer ${KEY}`, { model: "small", input: ["1", "a [redacted]"] }],
    ]);
  });

  it("are asked for sixteen texts at a time, of each its beginning", async () => {
    const { url, calls } = await modelServer(({ body }) => vectors(body));
    const engine = await openaiEmbeddings({ ...options, url, outgoing: plain });
    expect(await engine.embed(new Array(40).fill(`${"x".repeat(999)}🎉`))).toHaveLength(40);
    const sent = calls.slice(1).map(({ body }) => JSON.parse(body).input as readonly string[]);
    expect(sent.map((texts) => texts.length)).toEqual([16, 16, 8]);
    expect(sent[0]?.[0]).toBe(`${"x".repeat(999)}\ufffd`);
    expect(calls[1]?.headers.authorization).toBeUndefined();
  });

  it("are asked for again where the endpoint is busy", async () => {
    const { url, calls } = await modelServer(({ body }, number) =>
      number === 2 ? { status: 429, headers: { "retry-after": "0.01" } } : vectors(body),
    );
    const engine = await openaiEmbeddings({ ...options, url, outgoing: plain });
    expect(await engine.embed(["x"])).toHaveLength(1);
    expect(calls).toHaveLength(3);
  });

  it.each<[string, ModelReply, RegExp]>([
    ["refuses the key", { status: 401 }, /refused the key/],
    ["knows no such model", { status: 404, body: "model 'small' not found" }, /no such address or model/],
    ["is too slow", "hang", /No answer came in time/],
    ["answers something else", { body: JSON.stringify({ choices: [] }) }, /holds no vectors/],
    ["answers no numbers", { body: JSON.stringify({ data: [{ embedding: ["x"] }] }) }, /holds no vectors/],
    ["answers zeros", { body: JSON.stringify({ data: [{ embedding: [0, 0] }] }) }, /holds no vectors/],
    ["answers no JSON", { body: "<html>" }, /no JSON/],
  ])("end where it %s", async (_, reply, message) => {
    const { url } = await modelServer(() => reply);
    const opening = openaiEmbeddings({ ...options, url, timeoutMs: 300, outgoing: plain });
    await expect(opening).rejects.toThrow(EmbeddingStop);
    await expect(opening).rejects.toMatchObject({ failure: { message: expect.stringMatching(message) } });
  });

  it("end where vectors are suddenly longer", async () => {
    const { url } = await modelServer(({ body }, number) => vectors(body, number + 2));
    const engine = await openaiEmbeddings({ ...options, url, outgoing: plain });
    await expect(engine.embed(["x"])).rejects.toMatchObject({ failure: { message: expect.stringMatching(/length/) } });
  });

  it("end with the signal", async () => {
    const ending = new AbortController();
    const { url } = await modelServer(({ body }, number) => {
      if (number === 1) return vectors(body);
      setImmediate(() => ending.abort());
      return "hang";
    });
    const engine = await openaiEmbeddings({ ...options, signal: ending.signal, url, outgoing: plain });
    await expect(engine.embed(["x"])).rejects.toMatchObject({ name: "EmbeddingStop", failure: undefined });
  });
});
