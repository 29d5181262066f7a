import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures, fixtureFiles } from "../../../test/support/fixtures.ts";
import { readerOf, readHandingOver, readItems, readWith } from "../../../test/support/read-items.ts";
import type { FoundFile, Item } from "../source.ts";
import { copilotCli } from "./source.ts";

describeFixtures(copilotCli);

describe("tokens", () => {
  it("sum up to what the processes of a session said at their ends", () => {
    const [file] = fixtureFiles(copilotCli, "processes");
    const sums: Record<string, number[]> = {};
    for (const item of file === undefined ? [] : readItems(copilotCli, file).items) {
      if (item.kind !== "usage") continue;
      const { input, output, cacheRead, cacheWrite } = item.usage;
      const before = sums[item.model ?? ""] ?? [0, 0, 0, 0];
      sums[item.model ?? ""] = [input, output, cacheRead, cacheWrite].map((tokens, at) => tokens + (before[at] ?? 0));
    }
    // Two processes, and the output of a third that has not ended.
    expect(sums).toEqual({
      "claude-opus-4.7": [1_000 + 500, 140 + 30 + 5, 86_021 + 1_500, 25_483],
      "claude-haiku-4.5": [700, 9, 0, 0],
    });
  });
});

describe("a title beside the log", () => {
  it("is told when it changes while the log grows", () => {
    const folder = mkdtempSync(join(tmpdir(), "copilot-title-"));
    const file: FoundFile = { path: join(folder, "s1", "events.jsonl"), unit: "lines" };
    const titles: string[] = [];
    const keep = (item: Item) => void (item.kind === "title" && titles.push(`${item.title}: ${item.text}`));
    let state: unknown;
    try {
      mkdirSync(join(folder, "s1"));
      for (const yaml of [undefined, "name: Tides\n", "name: Tides\n", "name: My tides\nuser_named: true\n"]) {
        if (yaml !== undefined) writeFileSync(join(folder, "s1", "workspace.yaml"), yaml);
        const reader = readerOf(copilotCli, file, state);
        reader.read({ type: "assistant.turn_end", data: {} }, keep);
        reader.read({ type: "assistant.turn_start", data: {} }, keep);
        state = JSON.parse(JSON.stringify(reader.state()));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(titles).toEqual(["generated: Tides", "custom: My tides"]);
  });
});

describe("state", () => {
  it("stays small however long a log or a name is", () => {
    const reader = readerOf(copilotCli, FILE);
    const sizes: number[] = [];
    for (let n = 0; n < 3_000; n += 1) {
      const toolRequests = [{ toolCallId: `call_${n}_${"x".repeat(n)}`, name: "bash", arguments: { command: `${n}` } }];
      const model = `model-${n % 100}`;
      reader.read(
        { type: "assistant.message", data: { model, toolRequests, outputTokens: 1, messageId: `${n}` } },
        drop,
      );
      reader.read({ type: "assistant.reasoning", data: { content: `thought ${n}` } }, drop);
      if (n === 500 || n === 2_999) sizes.push(JSON.stringify(reader.state()).length);
    }
    const [early = 0, late = 0] = sizes;
    expect(late).toBeLessThan(early * 1.1);
    expect(late).toBeLessThan(30_000);
  });

  it.each([null, 1, "x", [], {}, { session: 1, calls: [[1]], told: [["m", 1]], lastCall: 3, records: "2" }])(
    "of another kind (%j) is no reason to fail",
    (state) => {
      const reader = readerOf(copilotCli, FILE, state);
      expect(() => reader.read({ type: "session.shutdown", data: { modelMetrics: { m: {} } } }, drop)).not.toThrow();
    },
  );
});

describe("any JSON value", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const loose = fc.oneof(value, fc.constantFrom("2026-03-01T10:00:00Z", "c1", "", "m", 7, true));
  const types = [
    ...["session.start", "session.resume", "session.context_changed", "session.shutdown", "session.model_change"],
    ...["session.compaction_complete", "session.handoff", "session.error", "user.message", "assistant.message"],
    ...["assistant.reasoning", "tool.user_requested", "tool.execution_start", "tool.execution_complete"],
    ...["subagent.started", "permission.completed", "hook.end", "system.notification", "abort", "other"],
  ];
  const keys = [
    ...["sessionId", "context", "cwd", "branch", "repository", "selectedModel", "modelMetrics", "content", "source"],
    ...["attachments", "toolRequests", "reasoningText", "outputTokens", "apiCallId", "model", "toolCallId", "name"],
    ...["toolName", "arguments", "success", "result", "error", "summaryContent", "compactionTokensUsed", "reason"],
    ...["message", "kind", "shellExecution", "mcpServerName", "mcpToolName", "detachedFromSpawningParentSessionId"],
  ];
  const nested = fc.oneof(loose, fc.dictionary(fc.constantFrom(...keys, "usage", "text"), loose, { maxKeys: 4 }));
  const field = fc.oneof(nested, fc.array(nested, { maxLength: 3 }));
  const event = fc.record(
    {
      type: fc.oneof(loose, fc.constantFrom(...types)),
      data: fc.oneof(loose, fc.dictionary(fc.constantFrom(...keys), field, { maxKeys: 8 })),
      id: loose,
      timestamp: loose,
      agentId: loose,
    },
    { requiredKeys: [] },
  );

  it("is read or passed over, and goes on the same from any state", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(value, event), { maxLength: 8 }), (records) => {
        const { items } = readWith(copilotCli, FILE, records);
        expect(readHandingOver(copilotCli, FILE, records).items).toEqual(items);
        for (const item of items) {
          if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
          if (item.kind === "message") expect(item.nativeId.length).toBeLessThan(400);
          if (item.kind === "usage") expect(Object.values(item.usage).every((tokens) => tokens >= 0)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

const FILE: FoundFile = { path: "/nowhere/session-state/s1/events.jsonl", unit: "lines" };

function drop(): void {}
