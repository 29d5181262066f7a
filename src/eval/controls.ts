import { PLACES } from "../core/pieces.ts";
import type { Store } from "../store/store.ts";
import type { Control, QuestionKind } from "./question.ts";
import { type Pool, questionId } from "./sample.ts";

const KINDS: readonly QuestionKind[] = ["title", "error", "commit", "identifier"];

/**
 * Questions that no session answers: of two that do not share a project, where there are several, the beginning of one and
 * the end of the other. Nowhere do these words stand in a row.
 */
export async function controlsFrom(pool: Pool, store: Store, limit: number): Promise<readonly Control[]> {
  const controls: Control[] = [];
  for (const kind of KINDS) {
    const most = Math.ceil(limit / KINDS.length);
    const found = pool.of(kind).slice(0, most * 4);
    const queries = found.map(([first]) => ({ query: first?.query ?? "", project: first?.session.projectId }));
    let drawn = 0;
    for (const [at, one] of queries.entries()) {
      if (drawn >= most) break;
      const others = [...queries.slice(at + 1), ...queries.slice(0, at)];
      const other = others.find(({ project }) => project !== one.project) ?? others[0];
      const query = other === undefined ? undefined : crossed(kind, one.query, other.query);
      if (query === undefined || (await stands(store, query))) continue;
      controls.push({ id: questionId(kind, query), kind, query });
      drawn += 1;
    }
  }
  return controls.slice(0, limit);
}

function crossed(kind: QuestionKind, one: string, other: string): string | undefined {
  const [beginning, end] = [one, other].map((text) => partsOf(kind, text));
  if (beginning === undefined || end === undefined || beginning.length < 2 || end.length < 2) return undefined;
  return [...beginning.slice(0, Math.ceil(beginning.length / 2)), ...end.slice(Math.floor(end.length / 2))].join(
    kind === "identifier" ? "" : " ",
  );
}

/** Of a name of code, with what stands between its parts. */
function partsOf(kind: QuestionKind, text: string): readonly string[] {
  return kind === "identifier" ? text.split(/(?=[_A-Z])/) : text.split(/\s+/);
}

async function stands(store: Store, text: string): Promise<boolean> {
  const found = await store.words.newest({ clauses: [{ text }], places: PLACES }, "all", 1);
  return found.length > 0 || (await store.words.sessionsWith({ text })).length > 0;
}
