import { withoutRecall } from "../../core/fence.ts";
import type { Embedding } from "../../vectors/static-embedder.ts";
import type { EmbeddableObservation, Nearest, VectorReader } from "../vectors.ts";
import { IS_SEEN } from "./hidden.ts";
import { integer, type Row, type Statements, text } from "./statements.ts";
import { unpack } from "./text.ts";
import { unpackVectors, type VectorPack, vectorAt } from "./vector-pack.ts";

/** More than any engine looks at of what is long. */
const MAX_CHARS = 4_000;

export function vectorReader(sql: Statements): VectorReader {
  const engineOf = (name: string): EngineRow | undefined => {
    const row = sql.get("SELECT id, dims FROM vector_engines WHERE name = ?", name);
    return row === undefined ? undefined : { id: integer(row.id), dims: integer(row.dims) };
  };

  return {
    async of(observations, name) {
      const found = new Map<number, Embedding>();
      const engine = engineOf(name);
      if (engine === undefined || observations.length === 0) return found;
      const wanted = new Set(observations);
      const packs = sql.lists(
        `SELECT v.entries FROM vectors v WHERE v.engine_id = ? AND v.session_id IN (
           SELECT s.id FROM observations o JOIN sessions s ON s.id = o.session_id
             WHERE o.id IN (SELECT value FROM json_each(?)) AND ${IS_SEEN})`,
        engine.id,
        JSON.stringify(observations),
      );
      for (const [entries] of packs) {
        take(unpackVectors(entries, engine.dims), found, (observation) => wanted.has(observation));
      }
      return found;
    },

    async ofSession(session, name) {
      const found = new Map<number, Embedding>();
      const engine = engineOf(name);
      const isThere = sql.number(`SELECT 1 FROM sessions s WHERE s.id = ? AND ${IS_SEEN}`, session) !== undefined;
      if (engine !== undefined && isThere) take(packOf(sql, session, engine), found, () => true);
      return found;
    },

    async nearest(query, name, { projects, without = [], limit, most }) {
      const engine = engineOf(name);
      if (engine === undefined || engine.dims !== query.values.length) return { found: [], scanned: 0, isWhole: true };
      const best = new Best(limit);
      let scanned = 0;
      let isWhole = true;
      // The sessions first, in the order of their index: thousands of packs are not to be sorted.
      sql.each(
        `SELECT v.entries FROM sessions s CROSS JOIN vectors v ON v.session_id = s.id AND v.engine_id = ?
           WHERE ${IS_SEEN} AND (? IS NULL OR s.project_id IN (SELECT value FROM json_each(?)))
             AND s.id NOT IN (SELECT value FROM json_each(?)) ORDER BY s.ended_at DESC, s.id DESC`,
        ([entries]) => {
          const pack = unpackVectors(entries, engine.dims);
          if (pack === undefined) return undefined;
          const count = Math.min(pack.count, most - scanned);
          isWhole &&= count === pack.count;
          scan(pack, pack.count - count, query, best);
          scanned += count;
          return isWhole ? undefined : "enough";
        },
        engine.id,
        projects === undefined ? null : 1,
        JSON.stringify(projects ?? []),
        JSON.stringify(without),
      );
      return { found: best.found(), scanned, isWhole };
    },

    engines: async () =>
      sql
        .all(
          `SELECT e.name, e.dims, e.counted, coalesce((SELECT sum(v.observations) FROM vectors v WHERE v.engine_id = e.id), 0)
             AS covered FROM vector_engines e ORDER BY e.id`,
        )
        .map((row) => ({
          id: text(row.name),
          dims: integer(row.dims),
          covered: integer(row.covered),
          counted: integer(row.counted),
        })),

    async coverage(name) {
      const row = sql.get(
        `SELECT coalesce(sum(v.observations), 0) AS covered, coalesce(sum(length(v.entries)), 0) AS bytes
           FROM vectors v JOIN vector_engines e ON e.id = v.engine_id JOIN sessions s ON s.id = v.session_id
           WHERE e.name = ? AND ${IS_SEEN}`,
        name,
      );
      const observations = sql.number(
        `SELECT count(*) FROM observations o JOIN sessions s ON s.id = o.session_id WHERE ${IS_SEEN}`,
      );
      return { covered: integer(row?.covered), observations: observations ?? 0, bytes: integer(row?.bytes) };
    },

    pending: async (name, limit) =>
      sql.numbers(
        `SELECT s.id FROM sessions s
           LEFT JOIN vectors v ON v.session_id = s.id AND v.engine_id = (SELECT id FROM vector_engines WHERE name = ?)
           WHERE (v.session_id IS NULL OR v.is_stale = 1) AND ${IS_SEEN}
             AND EXISTS (SELECT 1 FROM observations o WHERE o.session_id = s.id)
           ORDER BY s.ended_at DESC, s.id DESC LIMIT ?`,
        name,
        limit,
      ),

    async toEmbed(session, name, limit) {
      const engine = engineOf(name);
      const pack = engine === undefined ? undefined : packOf(sql, session, engine);
      const known = new Map<number, number>();
      for (let index = 0; pack !== undefined && index < pack.count; index += 1)
        known.set(pack.observation(index), pack.lastSeq(index));
      return sql
        .all("SELECT id, session_id, first_seq, last_seq FROM observations WHERE session_id = ? ORDER BY id", session)
        .filter((row) => known.get(integer(row.id)) !== integer(row.last_seq))
        .slice(0, limit)
        .map((row) => embeddable(sql, row));
    },

    sample: async ({ offset, limit }) =>
      sql
        .all(
          `SELECT o.id, o.session_id, o.first_seq, o.last_seq FROM observations o JOIN sessions s ON s.id = o.session_id
             WHERE ${IS_SEEN} ORDER BY o.at DESC, o.id DESC LIMIT ? OFFSET ?`,
          limit,
          offset,
        )
        .map((row) => embeddable(sql, row)),

    async weights(name) {
      const weights = sql.get("SELECT weights FROM vector_engines WHERE name = ?", name)?.weights;
      return weights instanceof Uint8Array ? weights : undefined;
    },
  };
}

interface EngineRow {
  readonly id: number;
  readonly dims: number;
}

function take(
  pack: VectorPack | undefined,
  into: Map<number, Embedding>,
  isWanted: (observation: number) => boolean,
): void {
  for (let index = 0; pack !== undefined && index < pack.count; index += 1) {
    const observation = pack.observation(index);
    const vector = isWanted(observation) ? vectorAt(pack, index) : undefined;
    if (vector !== undefined) into.set(observation, vector);
  }
}

/** Undefined also for what is damaged: it is as if it had never been made. */
export function packOf(sql: Statements, session: number, { id, dims }: EngineRow): VectorPack | undefined {
  const row = sql.get("SELECT entries FROM vectors WHERE session_id = ? AND engine_id = ?", session, id);
  return unpackVectors(row?.entries, dims);
}

/** Looks at the vectors from `start` on. */
function scan(
  { dims, values, count, scale, observation }: VectorPack,
  start: number,
  query: Embedding,
  best: Best,
): void {
  const wanted = Float64Array.from(query.values);
  for (let index = start; index < count; index += 1) {
    const own = scale(index);
    if (own === 0) continue;
    const cosine = dotAt(wanted, values, index * dims) * own * query.scale;
    if (cosine >= best.least) best.add(observation(index), cosine);
  }
}

/** Four sums at once take half the time of one. */
function dotAt(wanted: Float64Array, values: Int8Array, offset: number): number {
  const whole = wanted.length - (wanted.length % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let dim = 0; dim < whole; dim += 4) {
    const at = offset + dim;
    a += (wanted[dim] ?? 0) * (values[at] ?? 0);
    b += (wanted[dim + 1] ?? 0) * (values[at + 1] ?? 0);
    c += (wanted[dim + 2] ?? 0) * (values[at + 2] ?? 0);
    d += (wanted[dim + 3] ?? 0) * (values[at + 3] ?? 0);
  }
  let rest = 0;
  for (let dim = whole; dim < wanted.length; dim += 1) rest += (wanted[dim] ?? 0) * (values[offset + dim] ?? 0);
  return a + b + c + d + rest;
}

/** The nearest of those that were added. */
class Best {
  /** What is further away than this is none of them. */
  least = Number.NEGATIVE_INFINITY;
  readonly #limit: number;
  #kept: Nearest["found"][number][] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(observation: number, cosine: number): void {
    this.#kept.push({ observation, cosine });
    // Sorted so seldom that it costs next to nothing for each.
    if (this.#kept.length >= this.#limit * 2 + 64) this.#cut();
  }

  found(): Nearest["found"] {
    this.#cut();
    return this.#kept;
  }

  #cut(): void {
    this.#kept.sort((a, b) => b.cosine - a.cosine || a.observation - b.observation);
    this.#kept.length = Math.min(this.#kept.length, this.#limit);
    if (this.#kept.length === this.#limit) this.least = this.#kept.at(-1)?.cosine ?? Number.POSITIVE_INFINITY;
  }
}

function embeddable(sql: Statements, row: Row): EmbeddableObservation {
  const said = sql.lists(
    `SELECT role, text FROM messages WHERE session_id = ? AND seq BETWEEN ? AND ? AND part = 'text'
       AND role <> 'tool' ORDER BY seq`,
    integer(row.session_id),
    integer(row.first_seq),
    integer(row.last_seq),
  );
  // What opens a subagent was written by its spawner, and stands as the system's.
  const asked = said.filter(([role]) => role === "human" || role === "system");
  const answered = said.filter(([role]) => role === "assistant" || role === "summary").reverse();
  return {
    observation: integer(row.id),
    lastSeq: integer(row.last_seq),
    asked: joined(asked),
    answered: joined(answered),
  };
}

/** Without what an earlier recall put into them. */
function joined(rows: readonly unknown[][]): string {
  let whole = "";
  for (const [, column] of rows) {
    if (whole.length >= MAX_CHARS) break;
    const said = withoutRecall(unpack(column)).trim();
    if (said !== "") whole += whole === "" ? said : `\n\n${said}`;
  }
  return whole.slice(0, MAX_CHARS);
}
