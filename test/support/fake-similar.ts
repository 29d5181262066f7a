import type { SimilarReply } from "../../src/service/similar-api.ts";

export const SIMILAR: SimilarReply = {
  of: { kind: "observation", id: "k00000000001", title: "Fix the fence" },
  hits: [
    {
      id: "k00000000002",
      session: { id: "0197f2c4-0000-7000-8000-000000000002", title: "Bare" },
      agent: "codex",
      project: { id: "p0000001", name: "yore" },
      at: Date.UTC(2026, 5, 1, 10),
      type: "feature",
      title: "A gate in the fence",
      cosine: 0.712,
    },
  ],
  warnings: [],
  freshness: {},
};
