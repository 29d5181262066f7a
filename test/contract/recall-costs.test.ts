import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/core/text.ts";
import type { Yore } from "../../src/service/yore.ts";
import { sources } from "../../src/sources/registry.ts";
import { fixtureGroups, fixtureHome } from "../support/fixture-home.ts";
import { callTool } from "../support/mcp.ts";

/*
 * What an agent pays for each step of recall: about 50 tokens a hit, about 100 an entry. The bench
 * `recall` prints the figures over real transcripts.
 */
const HIT = { mean: 55, most: 75 };
const ENTRY = { mean: 105, most: 165 };

const QUERIES = ["the", "tide", "error", "test failed", "file", "read", "session", "npm", "why", "type:discovery"];

const [fixtures = []] = fixtureGroups(sources);

async function open(): Promise<Yore> {
  const written = fixtureHome(fixtures);
  for (const file of written.files) written.write(file);
  return written.home.open();
}

describe("recall in three steps, over the fixtures of all agents", () => {
  it("costs about 50 tokens a hit and about 100 an entry", async () => {
    const yore = await open();
    const hits: string[] = [];
    for (const query of QUERIES) hits.push(...recordsIn(await callTool("search", { query, limit: 20 }, { yore })));
    const ids = [...new Set(hits.flatMap((hit) => /^\[([0-9a-z]{12})\]/.exec(hit)?.[1] ?? []))].slice(0, 30);
    expect(ids.length).toBeGreaterThan(5);
    const entries: string[] = [];
    for (const observation of ids) entries.push(...recordsIn(await callTool("timeline", { observation }, { yore })));
    for (const [records, limit] of [
      [hits, HIT],
      [entries, ENTRY],
    ] as const) {
      const costs = records.map(estimateTokens);
      expect(costs.reduce((sum, cost) => sum + cost, 0) / costs.length).toBeLessThanOrEqual(limit.mean);
      expect(Math.max(...costs)).toBeLessThanOrEqual(limit.most);
    }
  });

  it("says at each step what the next one costs", async () => {
    const yore = await open();
    const found = await callTool("search", { query: "type:discovery" }, { yore });
    const id = /\n\[([0-9a-z]{12})\]/.exec(found)?.[1] ?? "";
    expect(found).toMatch(
      /next: get_observations ids=\["\w+"\] reads one \(~[\d,]+ tokens whole.*~100 tokens an entry/,
    );
    const around = await callTool("timeline", { observation: id }, { yore });
    expect(around).toMatch(/next: get_observations ids=\["\w+"\] reads it \(~[\d,]+ tokens whole\)/);
    expect(around).toMatch(/earlier: timeline .*\(~100 tokens an entry\)/);
    expect(await callTool("get_observations", { ids: [id] }, { yore })).toMatch(
      /next: detail="full" adds .*\(~[\d,]+ tokens\); timeline .*\(~100 tokens an entry\)/,
    );
    const session = await sessionOf(yore);
    expect(await callTool("get_session", { session }, { yore })).toMatch(/whole session \(~2,000 tokens/);
    expect(await callTool("context_for_session", { session }, { yore })).toMatch(/at most ~2,000 tokens a page/);
  });
});

/** What stands in the fence, cut where an id begins a line. */
function recordsIn(reply: string): readonly string[] {
  const quoted = /<<yore \w+\n([\s\S]*)\nyore \w+>>/.exec(reply)?.[1];
  const records = quoted?.split(/\n(?=(?:→ )?\[[0-9a-z]{12}\])/) ?? [];
  return records.filter((record) => /^(?:→ )?\[[0-9a-z]{12}\]/.test(record));
}

async function sessionOf(yore: Yore): Promise<string> {
  return (await yore.sessions({ limit: 1 })).items[0]?.id ?? "";
}
