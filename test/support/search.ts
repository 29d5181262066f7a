import type { Role } from "../../src/core/session.ts";
import { parseQuery } from "../../src/search/query.ts";
import { type SearchInput, type SearchOutcome, search } from "../../src/search/search.ts";
import type { ObservationFilter, Store } from "../../src/store/store.ts";
import { answer, DAY, human, type SeedMessage, type SeedSession, START, seed } from "./seed.ts";

/** Long after all that is seeded. */
export const NOW = START + 400 * DAY;

export interface Find {
  readonly filter?: Partial<ObservationFilter>;
  readonly role?: Role;
  readonly offset?: number;
  readonly limit?: number;
  readonly now?: number;
  readonly meaningOf?: SearchInput["meaningOf"];
  readonly here?: SearchInput["here"];
}

/** Searches for a query as it was typed, filters aside. */
export function find(store: Store, query: string, more: Find = {}): Promise<SearchOutcome> {
  const { terms, excluded } = parseQuery(query);
  const { filter, role, offset = 0, limit = 50, now = NOW, meaningOf, here } = more;
  return search(store, {
    terms,
    excluded,
    filter: { subagents: true, ...filter },
    offset,
    limit,
    now,
    timeZone: "UTC",
    ...(role !== undefined && { role }),
    ...(meaningOf !== undefined && { meaningOf }),
    ...(here !== undefined && { here }),
  });
}

/** Which sessions the hits are of, best first. */
export function sessionsOf(outcome: SearchOutcome): string[] {
  return outcome.hits.map((hit) => hit.observation.session);
}

/** A session of one turn for each text, named by its place: `a`, `b`, `c`. All of the same moment. */
export async function seedTexts(store: Store, ...texts: readonly (string | readonly SeedMessage[])[]): Promise<void> {
  const sessions = texts.map((text, at): SeedSession => {
    const messages = typeof text === "string" ? [human("please look"), answer(text)] : text;
    return { id: String.fromCharCode(97 + at), messages: [...messages] };
  });
  await seed(store, ...sessions);
}
