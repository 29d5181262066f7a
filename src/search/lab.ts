import type { Store } from "../store/store.ts";
import { cosine, createStaticEmbedder, type Embedding, together } from "../vectors/static-embedder.ts";
import { tokenTable } from "../vectors/token-table.ts";

const cache = new Map<number, Embedding | undefined>();
const asked = new Map<string, Embedding | undefined>();
let embedder: ReturnType<typeof createStaticEmbedder> | undefined;

async function vectorOf(store: Store, id: number): Promise<Embedding | undefined> {
  embedder ??= createStaticEmbedder(tokenTable());
  if (!cache.has(id)) {
    const [observation] = await store.observations.byIds([id]);
    if (observation === undefined) return undefined;
    const messages = await store.observations.messages(observation);
    const said = (role: string) =>
      messages
        .filter((m) => m.role === role && m.part === "text")
        .map((m) => m.text)
        .join("\n");
    cache.set(id, together([embedder.embed(said("human")), embedder.embed(said("assistant"))].filter((v) => v !== undefined)));
  }
  return cache.get(id);
}
export async function labOf(store: Store, query: string, ids: readonly number[]): Promise<Map<number, number>> {
  embedder ??= createStaticEmbedder(tokenTable());
  if (!asked.has(query)) asked.set(query, embedder.embed(query));
  const q = asked.get(query);
  const out = new Map<number, number>();
  for (const id of ids) {
    const v = await vectorOf(store, id);
    if (v !== undefined && q !== undefined) out.set(id, cosine(q, v));
  }
  return out;
}
/** All of the first project filter. */
export async function labNearest(store: Store, query: string, filter: any, limit: number): Promise<number[]> {
  const { items } = await store.observations.recent(filter, { offset: 0, limit: 10000 });
  const all = await labOf(
    store,
    query,
    items.map((o) => o.id),
  );
  return [...all]
    .sort((a, b) => b[1] - a[1])
    .slice(0, limit)
    .map(([id]) => id);
}
