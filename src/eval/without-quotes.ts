import { stem, tokenize } from "../core/words.ts";
import type {
  Clause,
  Match,
  ObservationReader,
  Store,
  StoredMessage,
  StoredObservation,
  WordIndex,
  WordQuery,
} from "../store/store.ts";
import type { VectorReader } from "../store/vectors.ts";
import type { LeftOut } from "./question.ts";

/** Pieces of one observation that are looked at, to tell whether others than those left out have a word. */
const PIECES = 256;

/**
 * The store as if some messages and titles were not in its index, for readers: what searches it is none the wiser. The
 * statistics by which words are weighed still count them.
 */
export function withoutQuotes(store: Store, leftOut: LeftOut): Store {
  if (leftOut.messages.length === 0 && leftOut.titles.length === 0) return store;
  return {
    ...store,
    words: wordsWithout(store, leftOut),
    observations: observationsWithout(store, leftOut),
    vectors: vectorsWithout(store, leftOut),
  };
}

function wordsWithout(store: Store, leftOut: LeftOut): WordIndex {
  const { words } = store;
  const isOut = isOutOf(leftOut);
  const touched = new Set(leftOut.messages.map(({ observation }) => observation));
  const titles = new Set(leftOut.titles);
  const seen = (matches: readonly Match[]): Match[] =>
    matches.filter(({ observation, message }) => !isOut(observation, message));
  const piecesIn = async (observation: number, query: WordQuery, limit: number): Promise<readonly Match[]> => {
    if (!touched.has(observation)) return words.piecesIn(observation, query, limit);
    return seen(await words.piecesIn(observation, query, limit + PIECES)).slice(0, limit);
  };
  /** Those that have the clause in what is not left out. */
  const having = async (observations: readonly number[], query: WordQuery): Promise<number[]> => {
    const gone = new Set<number>();
    for (const observation of observations) {
      if (touched.has(observation) && (await piecesIn(observation, query, 1)).length === 0) gone.add(observation);
    }
    return observations.filter((observation) => !gone.has(observation));
  };
  const queryOf = (clause: Clause, places: WordQuery["places"], role: WordQuery["role"]): WordQuery => ({
    clauses: [clause],
    places,
    ...(role !== undefined && { role }),
  });
  return {
    // Tells only whether a word is common, or nowhere at all.
    count: (clause, places, limit, role) => words.count(clause, places, limit, role),
    observationsWith: async (clause, places, limit, role) =>
      having(await words.observationsWith(clause, places, limit, role), queryOf(clause, places, role)),
    async list(clause, places, limit, role) {
      const found = await words.list(clause, places, limit, role);
      if (![...touched].some((observation) => found.observations.has(observation))) return found;
      const pieces = seen(found.newest(found.pieces));
      return {
        pieces: pieces.length,
        observations: new Set(pieces.map(({ observation }) => observation)),
        newest: (count) => pieces.slice(0, count),
      };
    },
    among: async (observations, clause, places, role) =>
      having(await words.among(observations, clause, places, role), queryOf(clause, places, role)),
    best: async (query, limit) => seen(await words.best(query, limit + leftOut.messages.length)).slice(0, limit),
    beside: async (query, clause) => seen(await words.beside(query, clause)),
    newest: async (query, how, limit) =>
      seen(await words.newest(query, how, limit + leftOut.messages.length)).slice(0, limit),
    piecesIn,
    async sessionsWith(clause) {
      const kept: number[] = [];
      for (const session of await words.sessionsWith(clause)) {
        if (!titles.has(session) || (await isPlaceOf(store, session, clause))) kept.push(session);
      }
      return kept;
    },
    async near(word, limit) {
      const near = await words.near(word, limit);
      return near.map(({ term, pieces }) => ({
        term,
        pieces: pieces.filter(({ observation, message }) => !isOut(observation, message)),
      }));
    },
    observationsOf: (sessions) => words.observationsOf(sessions),
    openingOf: (sessions) => words.openingOf(sessions),
    sessionsOf: (observations) => words.sessionsOf(observations),
    extent: () => words.extent(),
    size: () => words.size(),
  };
}

function observationsWithout({ observations }: Store, leftOut: LeftOut): ObservationReader {
  const isOut = isOutOf(leftOut);
  const titles = new Set(leftOut.titles);
  const untitled = (observation: StoredObservation): StoredObservation =>
    titles.has(observation.sessionId) ? { ...observation, sessionTitle: "" } : observation;
  const emptied = (message: StoredMessage): StoredMessage => ({ ...message, text: "" });
  return {
    byIds: async (ids) => (await observations.byIds(ids)).map(untitled),
    narrow: (ids, filter) => observations.narrow(ids, filter),
    byPrefix: (prefix, limit) => observations.byPrefix(prefix, limit),
    nearest: (publicId, limit) => observations.nearest(publicId, limit),
    recent: (filter, slice) => observations.recent(filter, slice),
    around: (at, filter, options) => observations.around(at, filter, options),
    beside: (ids) => observations.beside(ids),
    spans: (session) => observations.spans(session),
    uidsAt: (observation, indexes) => observations.uidsAt(observation, indexes),
    messages: async (observation) =>
      (await observations.messages(observation)).map((message) =>
        isOut(observation.id, message.seq - observation.firstSeq) ? emptied(message) : message,
      ),
    async messageAt(observation, index) {
      const message = await observations.messageAt(observation, index);
      return message !== undefined && isOut(observation.id, index) ? emptied(message) : message;
    },
    files: (observation) => observations.files(observation),
    traits: (observation) => observations.traits(observation),
  };
}

/** A vector is of all that was said in an observation: where some of that is left out, there is none. */
function vectorsWithout({ vectors }: Store, { messages }: LeftOut): VectorReader {
  const touched = new Set(messages.map(({ observation }) => observation));
  const isWhole = ({ observation }: { readonly observation: number }): boolean => !touched.has(observation);
  return {
    of: (ids, engine) =>
      vectors.of(
        ids.filter((id) => !touched.has(id)),
        engine,
      ),
    ofSession: async (session, engine) =>
      new Map([...(await vectors.ofSession(session, engine))].filter(([observation]) => isWhole({ observation }))),
    async nearest(query, engine, request) {
      const nearest = await vectors.nearest(query, engine, { ...request, limit: request.limit + touched.size });
      return { ...nearest, found: nearest.found.filter(isWhole).slice(0, request.limit) };
    },
    engines: () => vectors.engines(),
    coverage: (engine) => vectors.coverage(engine),
    pending: (engine, limit) => vectors.pending(engine, limit),
    toEmbed: async (session, engine, limit) => (await vectors.toEmbed(session, engine, limit)).filter(isWhole),
    sample: async (slice) => (await vectors.sample(slice)).filter(isWhole),
    weights: (engine) => vectors.weights(engine),
  };
}

function isOutOf({ messages }: LeftOut): (observation: number, message: number) => boolean {
  const out = new Set(messages.map(({ observation, message }) => `${observation} ${message}`));
  return (observation, message) => out.has(`${observation} ${message}`);
}

/** Whether the words stand in the name of the project or the branch, which the index keeps with the title. */
async function isPlaceOf({ sessions }: Store, id: number, { text, prefix }: Clause): Promise<boolean> {
  const session = await sessions.get(id);
  if (session === undefined) return false;
  const wanted = stems(text).join(" ");
  return [session.projectName, session.branch ?? ""].some((place) =>
    ` ${stems(place).join(" ")} `.includes(prefix === true ? ` ${wanted}` : ` ${wanted} `),
  );
}

function stems(text: string): readonly string[] {
  return tokenize(text).map(({ word }) => stem(word));
}
