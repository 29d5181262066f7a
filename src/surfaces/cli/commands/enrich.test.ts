import { describe, expect, it } from "vitest";
import { runCli, terminal } from "../../../../test/support/cli.ts";
import { createFakeYore } from "../../../../test/support/fake-yore.ts";
import type { EnrichReport } from "../../../service/enrichment-api.ts";

const OLLAMA = ["--engine", "openai-compatible", "--url", "http://127.0.0.1:9/v1", "--model", "llama"];

async function enrich(argv: readonly string[], world: Parameters<typeof runCli>[1] = {}, report: object = {}) {
  const fake = createFakeYore();
  const yore = {
    ...fake,
    enrich: async (request: Parameters<typeof fake.enrich>[0]): Promise<EnrichReport> => ({
      ...(await fake.enrich(request)),
      ...report,
    }),
  };
  const result = await runCli(["enrich", ...argv], { yore, ...world });
  const calls = fake.calls.filter(({ method }) => method !== "close");
  return { ...result, asked: calls.map(({ method }) => method), request: calls.at(-1)?.request };
}

const answering = (answer: string) => ({ ...terminal(100), ask: async () => answer });

describe("yore enrich", () => {
  it("says what it would cost and whom it goes to, and sends it once that was agreed to", async () => {
    const { exit, stdout, stderr, asked, request } = await enrich([...OLLAMA, "--no-color"], answering(" Yes "), {
      outcome: "budget",
      problem: undefined,
      unusable: [],
    });
    expect([exit, asked]).toEqual([0, ["planEnrichment", "enrich"]]);
    expect(stderr).toBe(
      "2 sessions, about 4,300 tokens of 100,000, to llama at http://127.0.0.1:9.\nMore are left for another run.\n",
    );
    expect(request).toMatchObject({
      engine: { kind: "openai-compatible", model: "llama", url: "http://127.0.0.1:9/v1" },
    });
    expect(stdout).toBe(
      "llama wrote of 1 session, for 4,000 tokens in and 200 out.\nStopped before the budget of 100,000 tokens could be exceeded.\n",
    );
  });

  it.each(["", "n", "what?"])("sends nothing where %j was answered", async (answer) => {
    const { exit, stdout, stderr, asked } = await enrich(OLLAMA, answering(answer));
    expect([exit, stdout, asked]).toEqual([1, "", ["planEnrichment"]]);
    expect(stderr).toContain("nothing was sent");
  });

  it("takes every choice", async () => {
    const choices = [
      "--budget",
      "20,000",
      "-n",
      "3",
      "--project",
      "shop",
      "--agent",
      "codex",
      "--refresh",
      "--timeout",
      "9",
    ];
    const { request } = await enrich([
      ...OLLAMA,
      ...choices,
      "--key-env",
      "MY_KEY",
      "--since",
      "2026-06-01",
      "--dry-run",
    ]);
    expect(request).toEqual({
      engine: { kind: "openai-compatible", model: "llama", url: "http://127.0.0.1:9/v1", keyVariable: "MY_KEY" },
      filter: { project: "shop", agent: "codex", since: Date.UTC(2026, 5, 1) },
      budget: 20_000,
      limit: 3,
      refresh: true,
      timeoutMs: 9_000,
      signal: expect.any(AbortSignal),
    });
  });

  it("gives a program all that stands behind the dashes", async () => {
    const { request, stdout } = await enrich([
      "--engine",
      "command",
      "--dry-run",
      "--",
      "claude",
      "-p",
      "--model",
      "x",
    ]);
    expect(request).toMatchObject({ engine: { kind: "command", command: ["claude", "-p", "--model", "x"] } });
    expect(stdout).toContain("2 sessions, about 4,300 tokens");
  });

  it("tells why it stopped, and what could not be used", async () => {
    const { exit, stdout } = await enrich([...OLLAMA, "--yes"], {}, { isEstimated: true });
    expect(exit).toBe(1);
    expect(stdout).toBe(
      [
        "llama wrote of 1 session, for 4,000 tokens in and 200 out, some or all of them estimated.",
        "Of 1 session the answer could not be used:",
        "  0197f2c4  The answer is not what was asked for.",
        "Stopped: The endpoint refused the key (401). Check ANTHROPIC_API_KEY.",
        "",
      ].join("\n"),
    );
    expect((await enrich([...OLLAMA, "--yes"], {}, { outcome: "stopped" })).exit).toBe(1);
  });

  it("lists what was written, and removes it, all or that of one model", async () => {
    expect((await enrich(["--no-color"])).stdout).toMatch(/^MODEL +SESSIONS +TOKENS IN +OUT\nsmall +2 +4,000 +200\n$/);
    expect(await enrich(["--drop"])).toMatchObject({ stdout: "Removed what models wrote of 2 sessions.\n", exit: 0 });
    expect((await enrich(["--drop", "--model", "small"])).request).toEqual({ model: "small" });
  });

  it.each([
    [[...OLLAMA], "There is no terminal to ask on."],
    [[...OLLAMA, "--json"], "There is no terminal to ask on."],
    [["--engine", "anthropic", "--yes"], "No model was named."],
    [["--engine", "openai-compatible", "--model", "x", "--yes"], "The address of the API is not given."],
    [[...OLLAMA, "--yes", "--", "claude"], "A program is started with --engine command only."],
    [["--yes", "claude"], "A program is started with --engine command only."],
    [["--engine", "command", "--url", "http://x", "--yes", "x"], "--url means nothing to a program."],
    [["--engine", "command", "--key-env", "X", "--yes", "x"], "--key-env means nothing to a program."],
    [["--engine", "magic"], "argument 'magic' is invalid"],
    [[...OLLAMA, "--budget", "0"], "Expected a whole number above 0."],
    [[...OLLAMA, "--budget", "1e5"], "Expected a whole number above 0."],
  ])("refuses %j", async (argv, message) => {
    const { exit, stderr, asked } = await enrich(argv);
    expect([exit, asked]).toEqual([2, []]);
    expect(stderr).toContain(message);
  });
});
