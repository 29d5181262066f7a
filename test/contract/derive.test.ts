import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DERIVATION_VERSION } from "../../src/core/observation.ts";
import { rederive } from "../../src/ingest/write.ts";
import { compareDumps, dumpStore, type StoreDump } from "../support/dump.ts";
import { openTemporaryStore, type SeedMessage, START, seed } from "../support/seed.ts";

const SESSION = { agent: "claude-code", nativeId: "s" };

/** Few texts, so that turns, parts, changes and messages without a time meet each other often. */
const message: fc.Arbitrary<SeedMessage> = fc
  .record({
    kind: fc.constantFrom(
      { role: "human", part: "text" } as const,
      { role: "assistant", part: "text" } as const,
      { role: "assistant", part: "text" } as const,
      { role: "assistant", part: "thinking" } as const,
      { role: "tool", part: "call" } as const,
      { role: "tool", part: "result" } as const,
      { role: "summary", part: "text" } as const,
      { role: "system", part: "notice" } as const,
      { role: "system", part: "text" } as const,
    ),
    text: fc.constantFrom(
      "fix the login",
      "add a getUserProfile",
      "",
      "配置 ok",
      "x ".repeat(3_500),
      "y ".repeat(9_000),
    ),
    minute: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
    files: fc.constantFrom([], [{ path: "a.ts", changed: true }], [{ path: "a.ts", changed: false }]),
    branch: fc.constantFrom(undefined, "main", "fix"),
  })
  .map(({ kind, text, minute, files, branch }) => ({
    ...kind,
    text,
    at: minute === undefined ? Number.NaN : START + minute * 60_000,
    ...(branch !== undefined && { branch }),
    ...(kind.role === "tool" && { tool: { name: "Edit", files } }),
  }));

/** Messages, and the numbers of them that arrive together. */
const history = fc.tuple(
  fc.array(message, { minLength: 1, maxLength: 25 }),
  fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 25 }),
);

describe("deriving as messages arrive equals deriving at once", { timeout: 60_000 }, () => {
  it("in any batches", async () => {
    await fc.assert(
      fc.asyncProperty(history, async ([messages, sizes]) => {
        const [whole, pieced] = [await derived(messages, [messages.length]), await derived(messages, sizes)];
        expect(compareDumps(whole, pieced)).toEqual({});
      }),
      { numRuns: 8 },
    );
  });

  it("and deriving anew from what is stored", async () => {
    await fc.assert(
      fc.asyncProperty(history, async ([messages, sizes]) => {
        const [before, after] = [await derived(messages, sizes), await derived(messages, sizes, true)];
        expect(compareDumps(before, after)).toEqual({});
      }),
      { numRuns: 8 },
    );
  });
});

/** What a store holds after the messages came in batches of these sizes, the last of them for all that is left. */
async function derived(messages: readonly SeedMessage[], sizes: readonly number[], anew = false): Promise<StoreDump> {
  const store = await openTemporaryStore();
  try {
    const named = messages.map((one, at) => ({ nativeId: `m${at}`, ...one }));
    for (let from = 0, turn = 0; from < named.length; turn++) {
      const to = turn < sizes.length - 1 ? from + (sizes[turn] ?? 1) : named.length;
      await seed(store, { id: "s", branch: "main", messages: named.slice(from, to) });
      from = to;
    }
    if (anew) {
      const writer = await store.writer();
      await writer.transaction(async (tx) => {
        const { id } = await tx.session(SESSION);
        await rederive(tx, id, SESSION);
        await tx.markDerived(id, DERIVATION_VERSION);
        await tx.settleTitles();
      });
    }
    const dump = dumpStore(store.path);
    // The file's row tells of its last batch only.
    return { ...dump, files: [], messages: dump.messages.map(({ byte: _, ...row }) => row) };
  } finally {
    await store.close();
  }
}
