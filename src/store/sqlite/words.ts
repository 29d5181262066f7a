import type { Place } from "../../core/pieces.ts";
import type { Role } from "../../core/session.ts";
import { indexable } from "../../core/words.ts";
import type { Clause, Match, WordIndex, WordQuery } from "../store.ts";
import { nearWords } from "./near-words.ts";
import type { Row, Statements } from "./statements.ts";
import { integer } from "./statements.ts";

/**
 * Row ids of the word index say where a piece belongs, so that gathering needs no join: observation, then ten bits
 * for the message within it, then six for the piece within that.
 */
const PER_OBSERVATION = 65_536;
const PER_MESSAGE = 64;

export function wordRow(observation: number, message: number, piece: number): number {
  return observation * PER_OBSERVATION + message * PER_MESSAGE + piece;
}

export function wordRowsOf(observation: number): { readonly first: number; readonly last: number } {
  return { first: observation * PER_OBSERVATION, last: (observation + 1) * PER_OBSERVATION - 1 };
}

/** Weights of output, action, answer, aside, prompt and parts: people's words count most, tool output least. */
const SCORE = "-bm25(words, 0.5, 1.0, 1.3, 0.5, 1.5, 0.4)";

/** The driver binds numbers as floats, and a float bounds no search in FTS5: it would go through the whole list. */
export const WITHIN = "rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)";

/** Up to here all matches of a clause are read at once; beyond, the index has skip lists that make single look-ups cheap. */
const READ_AT_ONCE = 20_000;
/** As many pieces with a rare and a common word are told apart from those with a rare one alone. */
const MOST_BESIDE = 1_000;
/** Looking up one observation costs about as much as reading so many matches. */
const LOOK_UP_COST = 50;

export function wordIndex(sql: Statements): WordIndex {
  const count = (clause: Clause, places: readonly Place[], limit: number, role?: Role): number =>
    sql.number(
      `SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ?${ofRole(role)} LIMIT ?)`,
      match([clause], places, "AND"),
      ...roleValues(role),
      limit,
    ) ?? 0;
  // rowid >> 16 is the observation; matches come in row order, so distinct needs no sorting.
  const observationsWith = (clause: Clause, places: readonly Place[], limit: number, role?: Role): number[] =>
    unique(
      sql.numbers(
        `SELECT rowid >> 16 FROM words WHERE words MATCH ?${ofRole(role)} ORDER BY rowid DESC LIMIT ?`,
        match([clause], places, "AND"),
        ...roleValues(role),
        limit,
      ),
    ).reverse();

  return {
    count: async (clause, places, limit, role) => count(clause, places, limit, role),
    observationsWith: async (clause, places, limit, role) => observationsWith(clause, places, limit, role),

    async list(clause, places, limit, role) {
      const rows = sql.numbers(
        `SELECT rowid FROM words WHERE words MATCH ?${ofRole(role)} ORDER BY rowid DESC LIMIT ?`,
        match([clause], places, "AND"),
        ...roleValues(role),
        limit,
      );
      return {
        pieces: rows.length,
        observations: new Set(rows.map(observationOf)),
        newest: (count) => rows.slice(0, count).map((rowid) => matchOf({ rowid, score: 0 })),
      };
    },

    async among(observations, clause, places, role) {
      const listLimit = Math.min(READ_AT_ONCE, observations.length * LOOK_UP_COST);
      if (count(clause, places, listLimit + 1) <= listLimit) {
        const having = new Set(observationsWith(clause, places, listLimit, role));
        return observations.filter((observation) => having.has(observation));
      }
      const expression = match([clause], places, "AND");
      return observations.filter((observation) => {
        const { first, last } = wordRowsOf(observation);
        return sql.get(
          `SELECT 1 FROM words WHERE words MATCH ? AND ${WITHIN}${ofRole(role)} LIMIT 1`,
          expression,
          first,
          last,
          ...roleValues(role),
        );
      });
    },

    async piecesIn(observation, { clauses, places, role }, limit) {
      const { first, last } = wordRowsOf(observation);
      return sql
        .all(
          `SELECT rowid, 0 AS score FROM words WHERE words MATCH ? AND ${WITHIN}${ofRole(role)} ORDER BY rowid LIMIT ?`,
          match(clauses, places, "OR"),
          first,
          last,
          ...roleValues(role),
          limit,
        )
        .map(matchOf);
    },

    async newest(query, how, limit) {
      const expression = how === "pairs" ? pairs(query) : match(query.clauses, query.places, "AND");
      return sql
        .all(
          `SELECT rowid, 0 AS score FROM words WHERE words MATCH ?${ofRole(query.role)} ORDER BY rowid DESC LIMIT ?`,
          expression,
          ...roleValues(query.role),
          limit,
        )
        .map(matchOf);
    },

    best: async (query, limit) =>
      sql
        .all(
          `SELECT rowid, ${SCORE} AS score FROM words WHERE words MATCH ?${ofRole(query.role)} ORDER BY score DESC, rowid DESC LIMIT ?`,
          match(query.clauses, query.places, "OR"),
          ...roleValues(query.role),
          limit,
        )
        .map(matchOf),

    beside: async ({ clauses, places, role }, clause) =>
      sql
        .numbers(
          `SELECT rowid FROM words WHERE words MATCH ?${ofRole(role)} ORDER BY rowid DESC LIMIT ?`,
          `${columns(places)} : ((${clauses.map(phrase).join(" OR ")}) AND ${phrase(clause)})`,
          ...roleValues(role),
          MOST_BESIDE,
        )
        .map((rowid) => matchOf({ rowid, score: 0 })),

    near: async (word, limit) =>
      nearWords(sql, word, limit).map(({ term, rows }) => ({ term, pieces: rows.map(placeOfRow) })),

    sessionsWith: async (clause) =>
      sql.numbers("SELECT rowid FROM session_words WHERE session_words MATCH ?", phrase(clause)),

    observationsOf: async (sessions) =>
      sql.numbers(
        "SELECT id FROM observations WHERE session_id IN (SELECT value FROM json_each(?)) ORDER BY id",
        JSON.stringify(sessions),
      ),

    openingOf: async (sessions) =>
      sql.numbers(
        `SELECT o.id FROM observations o JOIN json_each(?) j ON j.value = o.session_id
         WHERE o.first_seq = (SELECT min(first_seq) FROM observations WHERE session_id = o.session_id) ORDER BY o.id`,
        JSON.stringify(sessions),
      ),

    async sessionsOf(observations) {
      const found = new Map(
        sql
          .all(
            "SELECT id, session_id FROM observations WHERE id IN (SELECT value FROM json_each(?))",
            JSON.stringify(observations),
          )
          .map((row) => [integer(row.id), integer(row.session_id)]),
      );
      return observations.map((observation) => found.get(observation) ?? 0);
    },

    // Pieces are not numbered through; an observation has four on average.
    extent: async () => ((sql.number("SELECT max(id) FROM words_docsize") ?? 0) / PER_OBSERVATION) * 4,

    size: async () => sql.number("SELECT count(*) FROM words_docsize") ?? 0,
  };
}

/** The row of a piece tells its message; the message tells its role. */
function ofRole(role: Role | undefined): string {
  return role === undefined
    ? ""
    : ` AND EXISTS (SELECT 1 FROM observations o JOIN messages m ON m.session_id = o.session_id
          AND m.seq = o.first_seq + ((words.rowid >> 6) & 1023) WHERE o.id = words.rowid >> 16 AND m.role = ?)`;
}

function roleValues(role: Role | undefined): readonly Role[] {
  return role === undefined ? [] : [role];
}

function match(clauses: readonly Clause[], places: readonly Place[], operator: "AND" | "OR"): string {
  return `${columns(places)} : (${clauses.map(phrase).join(` ${operator} `)})`;
}

function pairs(query: WordQuery): string {
  const phrases = query.clauses.map(phrase);
  const both = phrases.flatMap((one, at) => phrases.slice(at + 1).map((other) => `(${one} AND ${other})`));
  return `${columns(query.places)} : (${both.length > 0 ? both.join(" OR ") : phrases.join(" OR ")})`;
}

// `parts` goes along with every place: it holds only the pieces of identifiers that stand in one of them.
function columns(places: readonly Place[]): string {
  return `{${[...places, "parts"].join(" ")}}`;
}

// Inside double quotes nothing is syntax; a quote is doubled. NUL would end the expression.
function phrase(clause: Clause): string {
  const words = indexable(clause.text).replaceAll("\u0000", " ").replaceAll('"', '""');
  return `"${words}"${clause.prefix === true ? "*" : ""}`;
}

function observationOf(row: number): number {
  return Math.floor(row / PER_OBSERVATION);
}

function matchOf(row: Row): Match {
  return { ...placeOfRow(integer(row.rowid)), score: integer(row.score) };
}

/** Which piece a row of the word index is. */
export function placeOfRow(row: number): Omit<Match, "score"> {
  return {
    observation: observationOf(row),
    message: Math.floor((row % PER_OBSERVATION) / PER_MESSAGE),
    piece: row % PER_MESSAGE,
  };
}

function unique(sorted: readonly number[]): number[] {
  return sorted.filter((value, at) => at === 0 || value !== sorted[at - 1]);
}
