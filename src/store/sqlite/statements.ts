import type Database from "better-sqlite3";
import type { Connection } from "./open.ts";

export type Value = string | number | Uint8Array | null;
export type Row = Record<string, unknown>;

/** Prepared statements of one connection, each prepared once. */
export interface Statements {
  all(sql: string, ...values: readonly Value[]): Row[];
  /** Rows as lists of their columns: half the cost, where there are thousands. */
  lists(sql: string, ...values: readonly Value[]): unknown[][];
  /** Hands over one row after the other, as a list of its columns, until `visit` says that it has enough. */
  each(sql: string, visit: (row: unknown[]) => "enough" | undefined, ...values: readonly Value[]): void;
  get(sql: string, ...values: readonly Value[]): Row | undefined;
  /** First column of each row. */
  numbers(sql: string, ...values: readonly Value[]): number[];
  /** First column of the first row; undefined when there is no row or the column is null. */
  number(sql: string, ...values: readonly Value[]): number | undefined;
  /** Returns the row id of an insert. */
  run(sql: string, ...values: readonly Value[]): number;
}

export function prepareOn(db: Connection): Statements {
  const prepared = new Map<string, Database.Statement<unknown[]>>();
  const prepare = (sql: string, shape: "rows" | "values" | "lists" = "rows"): Database.Statement<unknown[]> => {
    const key = shape === "rows" ? sql : `${shape} ${sql}`;
    const known = prepared.get(key);
    if (known !== undefined) return known;
    const statement = db.prepare<unknown[]>(sql);
    if (shape === "values") statement.pluck();
    if (shape === "lists") statement.raw();
    prepared.set(key, statement);
    return statement;
  };
  return {
    all: (sql, ...values) =>
      prepare(sql)
        .all(...values.map(wellFormed))
        .filter(isRow),
    lists: (sql, ...values) =>
      prepare(sql, "lists")
        .all(...values.map(wellFormed))
        .filter(Array.isArray),
    each: (sql, visit, ...values) => {
      for (const row of prepare(sql, "lists").iterate(...values.map(wellFormed))) {
        if (Array.isArray(row) && visit(row) === "enough") return;
      }
    },
    get: (sql, ...values) => {
      const row = prepare(sql).get(...values.map(wellFormed));
      return isRow(row) ? row : undefined;
    },
    numbers: (sql, ...values) =>
      prepare(sql, "values")
        .all(...values.map(wellFormed))
        .map(Number),
    number: (sql, ...values) => {
      const value = prepare(sql, "values").get(...values.map(wellFormed));
      return value === null || value === undefined ? undefined : Number(value);
    },
    run: (sql, ...values) => Number(prepare(sql).run(...values.map(wellFormed)).lastInsertRowid),
  };
}

/** Half a character has no UTF-8; as it is, it would come back as three replacement characters. */
function wellFormed(value: Value): Value {
  return typeof value === "string" && HALF.test(value) ? value.replace(LONE_SURROGATES, "\ufffd") : value;
}

// Says at once that a text of Latin letters has none, which the other one looks through.
const HALF = /[\ud800-\udfff]/;
const LONE_SURROGATES = /\p{Surrogate}/gu;

function isRow(row: unknown): row is Row {
  return typeof row === "object" && row !== null;
}

/** Columns as values of ours; SQL's null is undefined. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function maybeText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function integer(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

export function maybeInteger(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** `?, ?, ?` for a list. */
export function holes(count: number): string {
  return Array.from({ length: count }, () => "?").join(", ");
}
