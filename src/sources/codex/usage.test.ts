import { describe, expect, it } from "vitest";
import { readerOf } from "../../../test/support/read-items.ts";
import type { Item } from "../source.ts";
import { codex } from "./source.ts";

const counts = (input: number, cached: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  total_tokens: input + output,
});
const snapshot = (total: unknown, last?: unknown) => ({
  type: "event_msg",
  payload: { type: "token_count", info: { total_token_usage: total, last_token_usage: last } },
});
const record = (total: unknown, usage: unknown) => ({
  type: "token_usage_record",
  payload: { usage, thread_token_usage: total },
});

describe("tokens", () => {
  it.each([
    { what: "one call", records: [snapshot(counts(100, 40, 5), counts(100, 40, 5))], usage: [[60, 40, 5]] },
    {
      what: "a snapshot without info",
      records: [{ type: "event_msg", payload: { type: "token_count", info: null } }],
      usage: [],
    },
    {
      what: "the same snapshot again",
      records: [snapshot(counts(9, 0, 1), counts(9, 0, 1)), snapshot(counts(9, 0, 1), counts(9, 0, 1))],
      usage: [[9, 0, 1]],
    },
    {
      what: "two calls",
      records: [snapshot(counts(9, 0, 1), counts(9, 0, 1)), snapshot(counts(30, 9, 2), counts(21, 9, 1))],
      usage: [
        [9, 0, 1],
        [12, 9, 1],
      ],
    },
    {
      what: "totals alone",
      records: [snapshot(counts(9, 0, 1)), snapshot(counts(30, 9, 2))],
      usage: [
        [9, 0, 1],
        [12, 9, 1],
      ],
    },
    {
      what: "totals that began anew",
      records: [snapshot(counts(50, 0, 5)), snapshot(counts(9, 0, 1))],
      usage: [
        [50, 0, 5],
        [9, 0, 1],
      ],
    },
    { what: "more cached than was sent", records: [snapshot(counts(5, 9, 1), counts(5, 9, 1))], usage: [[0, 5, 1]] },
    { what: "no totals", records: [snapshot(null, counts(5, 0, 1))], usage: [] },
    {
      what: "a record beside its event",
      records: [
        record(counts(9, 0, 1), counts(9, 0, 1)),
        snapshot(counts(9, 0, 1), counts(9, 0, 1)),
        record(counts(20, 0, 2), counts(11, 0, 1)),
        snapshot(counts(20, 0, 2), counts(11, 0, 1)),
      ],
      usage: [
        [9, 0, 1],
        [11, 0, 1],
      ],
    },
    {
      what: "records alone",
      records: [record(counts(9, 0, 1), counts(9, 0, 1)), record(counts(20, 0, 2), counts(11, 0, 1))],
      usage: [
        [9, 0, 1],
        [11, 0, 1],
      ],
    },
  ])("of $what are counted once, what was cached apart", ({ records, usage }) => {
    const items = read(records).flatMap((item) => (item.kind === "usage" ? [item] : []));
    expect(items.map(({ usage: { input, cacheRead, output } }) => [input, cacheRead, output])).toEqual(usage);
    expect(new Set(items.map(({ key }) => key)).size).toBe(usage.length);
  });

  it("written to the cache are no part of the input", () => {
    const info = {
      total_token_usage: { input_tokens: 10, cached_input_tokens: 3, cache_write_input_tokens: 2, output_tokens: 1 },
    };
    const [item] = read([{ type: "event_msg", payload: { type: "token_count", info } }]);
    expect(item).toMatchObject({ usage: { input: 5, cacheRead: 3, cacheWrite: 2, output: 1 } });
  });
});

function read(records: readonly unknown[]): Item[] {
  const items: Item[] = [];
  const reader = readerOf(codex, { path: "/rollout-x.jsonl", unit: "lines" });
  for (const one of records) reader.read(one, (item) => items.push(item));
  return items;
}
