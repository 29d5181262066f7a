import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageUid } from "../core/ids.ts";
import type { ObservationDraft, OpenObservation } from "../store/store.ts";
import { type DerivableMessage, deriveObservations } from "./derive.ts";

/** Few texts, so that turns, parts, changes and messages without a time meet each other often. */
const message: fc.Arbitrary<Omit<DerivableMessage, "uid" | "seq">> = fc
  .record({
    kind: fc.constantFrom(
      { role: "human", part: "text" } as const,
      { role: "assistant", part: "text" } as const,
      { role: "assistant", part: "thinking" } as const,
      { role: "tool", part: "call" } as const,
      { role: "tool", part: "result" } as const,
      { role: "summary", part: "text" } as const,
      { role: "system", part: "notice" } as const,
    ),
    text: fc.constantFrom(
      "fix the login",
      "add a getUserProfile",
      "We decided to use SQLite.",
      "yes",
      "Want me to fix it, or leave it as it is?",
      "User selected: SQLite",
      "no, it should be a file",
      "/theme",
      "The user doesn't want to proceed with this tool use.",
      "",
      "配置 ok",
      "x".repeat(9_000),
      "y".repeat(20_000),
    ),
    at: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
    files: fc.constantFrom(undefined, [{ path: "a.ts", changed: true }], [{ path: "a.ts", changed: false }]),
    isError: fc.constantFrom(undefined, true),
    tool: fc.constantFrom(undefined, "Edit", "ask_user", "mcp__yore__search"),
    branch: fc.constantFrom(undefined, "main", "fix"),
  })
  .map(({ kind, text, ...maybe }) => ({
    ...kind,
    text,
    ...(maybe.at !== undefined && { at: maybe.at }),
    ...(maybe.isError !== undefined && { isError: maybe.isError }),
    ...(maybe.files !== undefined && { files: maybe.files }),
    ...(maybe.tool !== undefined && { tool: maybe.tool }),
    ...(maybe.branch !== undefined && { branch: maybe.branch }),
  }));

/** Messages with gaps in their numbers, and how many of them arrive together. */
const history = fc.tuple(
  fc.array(fc.tuple(message, fc.constantFrom(1, 1, 1, 1, 2, 400)), { minLength: 1, maxLength: 40 }),
  fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 40 }),
);

describe("deriving as messages arrive", () => {
  it("equals deriving at once, however they come", async () => {
    await fc.assert(
      fc.asyncProperty(history, async ([parts, sizes]) => {
        const messages = numbered(parts);
        expect(await derived(messages, sizes)).toEqual(await derived(messages, [messages.length]));
      }),
      { numRuns: 400 },
    );
  });

  it("leaves out only notices before anyone spoke, and numbers messages within what the index can hold", async () => {
    await fc.assert(
      fc.asyncProperty(history, async ([parts, sizes]) => {
        const messages = numbered(parts);
        const drafts = await derived(messages, sizes);
        for (const one of messages) {
          const owners = drafts.filter((draft) => one.seq >= draft.firstSeq && one.seq <= draft.lastSeq);
          const before = messages.filter((other) => other.seq <= one.seq);
          expect(owners).toHaveLength(before.every((other) => other.part === "notice") ? 0 : 1);
        }
        for (const { message: position } of drafts.flatMap((draft) => draft.pieces))
          expect(position).toBeLessThan(1_024);
      }),
      { numRuns: 200 },
    );
  });
});

function numbered(parts: readonly (readonly [Omit<DerivableMessage, "uid" | "seq">, number])[]): DerivableMessage[] {
  let seq = 0;
  return parts.map(([one, gap]) => {
    seq += gap;
    return { ...one, seq, uid: messageUid("codex", String(seq)) };
  });
}

/** Observations as a store would have them after each batch; the last batch has all that is left. */
async function derived(messages: readonly DerivableMessage[], sizes: readonly number[]): Promise<ObservationDraft[]> {
  const stored: ObservationDraft[] = [];
  let lastAt = 0;
  for (let from = 0, turn = 0; from < messages.length; turn++) {
    const to = turn < sizes.length - 1 ? from + (sizes[turn] ?? 1) : messages.length;
    const batch = messages.slice(from, to);
    const last = stored.at(-1);
    const context = {
      agent: "codex",
      session: "s",
      branch: "main",
      lastAt,
      opening: async () => messages.find((one) => one.seq === last?.firstSeq) ?? { text: "" },
      ...(last !== undefined && { open: openOf(last, stored.length - 1) }),
    };
    for (const draft of await deriveObservations(context, batch)) save(stored, draft);
    lastAt = Math.max(lastAt, ...batch.map((one) => one.at ?? 0));
    from = to;
  }
  return stored;
}

function openOf(draft: ObservationDraft, id: number): OpenObservation {
  const { firstSeq, lastSeq, part, chars, type, traits } = draft;
  return { id, firstSeq, part, chars, type, traits, messages: lastSeq - firstSeq + 1 };
}

function save(stored: ObservationDraft[], draft: ObservationDraft): void {
  const { id, ...fresh } = draft;
  const known = id === undefined ? undefined : stored[id];
  if (id === undefined || known === undefined) stored.push(fresh);
  else {
    const { lastSeq, type, traits, chars, title = known.title } = fresh;
    const endedAt = Math.max(known.endedAt, fresh.endedAt);
    const [files, pieces] = [
      [...known.files, ...fresh.files],
      [...known.pieces, ...fresh.pieces],
    ];
    stored[id] = {
      ...known,
      lastSeq,
      type,
      traits,
      chars,
      endedAt,
      files,
      pieces,
      ...(title !== undefined && { title }),
    };
  }
}
