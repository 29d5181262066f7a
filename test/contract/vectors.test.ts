import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { VectorEngineRequest } from "../../src/service/vectors-api.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { type ModelCall, modelServer } from "../support/model-server.ts";

const ID = "openai-compatible/small";
const at = (url: string): VectorEngineRequest => ({ engine: "openai-compatible", model: "small", url });

/** So many sessions of one prompt and answer, the first the oldest. */
function worked(count: number): TestHome {
  const home = createHome();
  for (let number = 1; number <= count; number += 1) {
    const talk = claudeTranscript({ session: sessionId(number), startedAt: Date.UTC(2026, 2, number) });
    talk.prompt(`count barnacle ${number} in ${home.home}/code/tide`);
    talk.calls("Bash", { command: "cat secret-plan.txt" });
    talk.returns("limpet output");
    talk.says(`There are ${number} of them.`);
    home.write(home.claudePath(sessionId(number)), talk.lines);
  }
  return home;
}

const textsOf = ({ body }: ModelCall): readonly string[] => JSON.parse(body).input;

/** A vector for each text, of its length. */
function vectorsFor(call: ModelCall) {
  const data = textsOf(call).map((text, index) => ({ index, embedding: [text.length, 10, 1] }));
  return { body: JSON.stringify({ data }) };
}

describe("vectors of an endpoint", () => {
  it("are made of what was asked and answered, the latest first, and searches answered by it from then on", async () => {
    const { url, calls } = await modelServer(vectorsFor);
    const home = worked(3);
    const yore = await home.open();
    const plan = await yore.planVectors({ engine: at(url) });
    expect(plan).toMatchObject({ engine: ID, to: `small at ${url}/v1`, isSent: true, observations: 3, isAll: true });
    expect(calls).toEqual([]);
    const progress: (readonly [number, number])[] = [];
    const report = await yore.makeVectors({
      engine: at(url),
      onProgress: ({ done, total }) => progress.push([done, total]),
    });
    expect(report).toMatchObject({ engine: ID, outcome: "done", embedded: 3, left: 0, tokens: plan.tokens });
    expect(progress.at(-1)).toEqual([3, 3]);
    const sent = calls.slice(1).flatMap(textsOf);
    expect(sent.filter((text) => text.startsWith("count")).map((text) => text.split(" ")[2])).toEqual(["3", "2", "1"]);
    expect(sent.join("\n")).toContain("~/code/tide");
    expect(sent.join("\n")).not.toMatch(/limpet output|secret-plan/);
    expect(sent.join("\n")).not.toContain(home.home);
    expect(await yore.vectors()).toMatchObject({
      observations: 3,
      chosen: "openai-compatible",
      engines: [{ engine: ID, dims: 3, covered: 3, isAsked: true }],
    });
  });

  it.each(["limit", "budget"] as const)("end at the %s, and go on from there", async (outcome) => {
    const { url, calls } = await modelServer(vectorsFor);
    const yore = await worked(3).open();
    const { tokens } = await yore.planVectors({ engine: at(url) });
    const request = { engine: at(url), ...(outcome === "limit" ? { limit: 2 } : { budget: tokens - 1 }) };
    expect(await yore.planVectors(request)).toMatchObject({ observations: 2, isAll: false });
    expect(await yore.makeVectors(request)).toMatchObject({ outcome, embedded: 2, left: 1 });
    const before = calls.length;
    expect(await yore.makeVectors({ engine: at(url) })).toMatchObject({ outcome: "done", embedded: 1, left: 0 });
    expect(calls.slice(before + 1).flatMap(textsOf)).toEqual([
      expect.stringContaining("barnacle 1"),
      expect.any(String),
    ]);
    expect(await yore.makeVectors({ engine: at(url) })).toMatchObject({ outcome: "done", embedded: 0 });
  });

  it("keep what was made when the endpoint fails or the signal comes", async () => {
    const stop = new AbortController();
    const { url } = await modelServer((call, number) => {
      if (number === 3) return { status: 401 };
      if (number === 5) stop.abort();
      return number === 6 ? "hang" : vectorsFor(call);
    });
    const yore = await worked(4).open();
    expect(await yore.makeVectors({ engine: at(url) })).toMatchObject({
      outcome: "failed",
      embedded: 1,
      left: 3,
      problem: { message: "The endpoint refused the key (401).", hint: expect.any(String) },
    });
    const stopped = await yore.makeVectors({ engine: at(url), signal: stop.signal });
    expect(stopped.outcome).toBe("stopped");
    expect((await yore.vectors()).engines).toMatchObject([{ covered: 1 + stopped.embedded }]);
  });

  it("are not made of what is forgotten or excluded", async () => {
    const { url, calls } = await modelServer(vectorsFor);
    const yore = await worked(3).open();
    await yore.annotate({ kind: "forget", sessions: [sessionId(2)] });
    expect(await yore.makeVectors({ engine: at(url) })).toMatchObject({ outcome: "done", embedded: 2, left: 0 });
    expect(calls.flatMap(textsOf).join("\n")).not.toContain("barnacle 2");
    await yore.excludeProject({ place: "/home/ana/code/tide" });
    await yore.dropVectors();
    expect(await yore.planVectors({ engine: at(url) })).toMatchObject({ observations: 0, isAll: true });
  });

  it("leave what a model is made of out of what is redacted and searched for traces", async () => {
    const home = worked(2);
    const yore = await home.open();
    await yore.index();
    const folder = join(home.yoreHome, "models/node_modules/some-model");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "notes.txt"), `count barnacle 2 ghp_${"a1B2".repeat(9)}`);
    writeFileSync(join(folder, "weights.bin"), new Uint8Array(9));
    const before = (await yore.redact({})).uncovered.map(({ path }) => path);
    expect(before.filter((path) => path?.includes("models"))).toEqual([]);
    const purged = await yore.purge({ sessions: [sessionId(2)] });
    expect(purged.left.filter(({ path }) => path?.includes("models"))).toEqual([]);
  });

  it("are chosen and dropped by name", async () => {
    const { url } = await modelServer(vectorsFor);
    const home = worked(2);
    const yore = await home.open();
    await expect(yore.useVectors(at(url))).rejects.toMatchObject({ code: "not-found" });
    await yore.makeVectors({ engine: at(url) });
    await yore.useVectors({ engine: "off" });
    expect(await yore.vectors()).toMatchObject({ chosen: "off", engines: [{ isAsked: false }] });
    await yore.useVectors(at(url));
    expect(await (await home.open()).vectors()).toMatchObject({ chosen: "openai-compatible" });
    await expect(yore.dropVectors({ engine: "minilm" })).rejects.toMatchObject({ code: "not-found" });
    expect(await yore.dropVectors({ engine: "openai-compatible" })).toEqual({ observations: 2 });
    expect((await yore.doctor()).findings).toContainEqual(
      expect.objectContaining({ level: "note", message: expect.stringContaining("0 of 2 observations") }),
    );
  });
});
