import type { MemoryRecord, Yore } from "../../src/service/yore.ts";

type Memories = Pick<Yore, "remember" | "memories">;

export const FAKE_MEMORY: MemoryRecord = {
  id: "m3m0ry0001ab",
  type: "decision",
  title: "Tokens live 15 minutes",
  text: "Tokens live 15 minutes, since mobile clients refresh in the background.",
  project: { id: "yorep001", name: "yore" },
  tags: ["auth"],
  by: "person",
  at: Date.UTC(2026, 10, 1, 9),
  session: "0197f2c4-0000-7000-8000-000000000001",
  evidence: ["k3v9m2x7q0ab"],
  supersedes: [],
  state: "current",
  anchors: [{ place: "src/auth.ts#issue", state: "moved", now: "src/tokens.ts:12" }],
};

/** One memory that is known; what is remembered is told as saved, and is much like it. */
export function fakeMemories(
  at: number,
  log: (method: keyof Memories, request?: unknown) => void,
  more: Partial<MemoryRecord> = {},
): Memories {
  const standing: MemoryRecord = { ...FAKE_MEMORY, ...more };
  return {
    async remember(request) {
      log("remember", request);
      if (request.text === standing.text)
        return { outcome: "unchanged", memory: standing, similar: [], superseded: [], warnings: [] };
      const { text, title = text, type = "note", supersedes = [] } = request;
      const { session: _, ...known } = standing;
      const memory: MemoryRecord = { ...known, id: "m3m0ry0002cd", type, title, text, at, supersedes, anchors: [] };
      const superseded = supersedes.length > 0 ? [{ ...standing, supersededBy: memory.id }] : [];
      const similar = supersedes.length > 0 ? [] : [standing];
      return { number: 7, outcome: "added", memory, similar, superseded, warnings: [] };
    },
    async memories(request) {
      log("memories", request);
      return { items: [standing], total: 1, offset: 0, freshness: {} };
    },
  };
}
