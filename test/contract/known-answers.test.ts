import { describe, expect, it } from "vitest";
import type { SearchReply } from "../../src/service/yore.ts";
import { createHome } from "../support/home.ts";
import { type KnownAnswer, knownAnswers, tagTold, toldSessions, writeTold } from "../support/known-answers.ts";

const NOW = "2026-06-15T12:00:00Z";
const LIMIT = 10;

/** Queries whose answer is known and not found yet. One that is found has to leave this list. */
const OPEN: readonly string[] = ["webhook fix in may", "commit message convention"];

describe("queries with a known answer", () => {
  it("find it, and where they don't it is one of those that are open", { timeout: 120_000 }, async () => {
    const home = createHome({ now: Date.parse(NOW) });
    const told = toldSessions();
    const ids = writeTold(home, told);
    const yore = await home.open();
    await tagTold(yore, told, ids);
    const names = new Map([...ids].map(([name, id]) => [id, name]));
    const failed: { readonly q: string; readonly why: string }[] = [];
    for (const answer of knownAnswers()) {
      home.now = Date.parse(answer.now ?? NOW);
      const why = faultOf(answer, await yore.search({ query: answer.q, limit: LIMIT }), names);
      if (why !== undefined) failed.push({ q: answer.q, why });
    }
    const regressed = failed.filter(({ q }) => !OPEN.includes(q)).map(({ q, why }) => `${q} → ${why}`);
    const closed = OPEN.filter((q) => !failed.some((one) => one.q === q));
    expect({ regressed, closed }).toEqual({ regressed: [], closed: [] });
  });
});

/** What is wrong with a reply, with what was found instead. */
function faultOf(answer: KnownAnswer, reply: SearchReply, names: ReadonlyMap<string, string>): string | undefined {
  const found = reply.hits.map((hit) => names.get(hit.session.id) ?? hit.session.id);
  const { want, in: within = 1, none = false, not = [], tier } = answer;
  const told = `${reply.tier}: ${found.slice(0, 5).join(", ")}`;
  if (none && found.length > 0) return `something was found (${told})`;
  if (want !== undefined && !found.slice(0, within).includes(want))
    return `${want} is not among the first ${within} (${told})`;
  const unwanted = not.filter((name) => found.includes(name));
  if (unwanted.length > 0) return `${unwanted.join(", ")} among the hits (${told})`;
  if (tier !== undefined && reply.tier !== tier) return `tier is not ${tier} (${told})`;
  return undefined;
}
