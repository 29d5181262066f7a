import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import type { TestHome } from "./home.ts";

/** What someone put on sessions and decided about projects, as it stands in the rows of the store. */
export interface Kept {
  readonly annotations: readonly AnnotationRow[];
  readonly history: readonly HistoryRow[];
  readonly decisions: readonly DecisionRow[];
  readonly decisionHistory: readonly DecisionHistoryRow[];
}

export interface AnnotationRow {
  readonly kind: string;
  readonly session: string;
  readonly key: string;
  readonly value: string;
  readonly at: number;
  readonly by: string;
}

export interface HistoryRow {
  readonly number: number;
  readonly at: number;
  readonly by: string;
  readonly via: string;
  readonly kind: string;
  readonly session: string;
  readonly key: string;
  readonly was: string | null;
  readonly became: string | null;
  readonly undoes: number | null;
}

interface DecisionRow {
  readonly number: number;
  readonly kind: string;
  readonly name: string | null;
  readonly at: number;
  readonly by: string;
  readonly undone_at: number | null;
}

interface DecisionHistoryRow {
  readonly at: number;
  readonly by: string;
  readonly action: string;
  readonly decision: number;
  readonly was: string;
  readonly became: string;
}

/** Reads the rows without touching the store. */
export function rowsIn({ storePath }: Pick<TestHome, "storePath">): Kept {
  const db = new Database(storePath, { readonly: true });
  try {
    const all = <T>(sql: string): T[] => db.prepare<[], T>(sql).all();
    return {
      annotations: all("SELECT kind, session, key, value, at, by FROM annotations ORDER BY kind, session, key"),
      history: all(
        `SELECT number, at, by, via, kind, session, key, was, became, undoes FROM annotation_history ORDER BY number, id`,
      ),
      decisions: all("SELECT number, kind, name, at, by, undone_at FROM project_decisions ORDER BY number"),
      decisionHistory: all("SELECT at, by, action, decision, was, became FROM project_history ORDER BY id"),
    };
  } finally {
    db.close();
  }
}

/**
 * By code that shares nothing with the program: the history leads to the rows without a gap, and the files of the mirror
 * tell what the rows tell, no more and no less. Where lines of the history were `lost`, it leads there all the same.
 */
export function expectAgreement(
  home: Pick<TestHome, "storePath" | "yoreHome">,
  { lost = false }: { readonly lost?: boolean } = {},
): Kept {
  const kept = rowsIn(home);
  if (!lost) expectNoGap(kept);
  expectHistoryLeadsToRows(kept);
  expectMirrorOfAnnotations(join(home.yoreHome, "mirror"), kept);
  expectMirrorOfProjects(join(home.yoreHome, "mirror", "projects.json"), kept);
  return kept;
}

function expectNoGap({ history }: Kept): void {
  const numbers = [...new Set(history.map(({ number }) => number))];
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  const standing = new Map<string, string | null>();
  for (const { kind, session, key, was, became } of history) {
    const id = `${kind} ${session} ${key}`;
    expect([id, standing.get(id) ?? null]).toEqual([id, was]);
    standing.set(id, became);
  }
}

function expectHistoryLeadsToRows({ annotations, history }: Kept): void {
  const standing = new Map(history.map(({ kind, session, key, became }) => [`${kind} ${session} ${key}`, became]));
  const rows = annotations.map(({ kind, session, key, value }) => [`${kind} ${session} ${key}`, value]);
  expect([...standing].filter(([, became]) => became !== null).sort()).toEqual(rows.sort());
}

function expectMirrorOfAnnotations(folder: string, { annotations, history }: Kept): void {
  const lines = linesOf(join(folder, "history.jsonl"));
  const told = lines.flatMap(({ number, at, by, via, undoes = null, edits }) =>
    edits.map(({ kind, session, key = "", was, became }: Record<string, unknown>) => {
      return { number, at: Date.parse(at), by, via, kind, session, key, was, became, undoes };
    }),
  );
  expect(told).toEqual(history);
  for (const [name, list, kind, field] of LISTS) {
    const rows = annotations.filter((row) => row.kind === kind);
    const entries: readonly Record<string, string>[] = jsonOf(join(folder, name))?.[list] ?? [];
    expect([
      name,
      entries
        .map(({ [field]: value = "", session, at = "", by }) => `${session} ${value} ${Date.parse(at)} ${by}`)
        .sort(),
    ]).toEqual([
      name,
      rows.map(({ session, key, value, at, by }) => `${session} ${key === "" ? value : key} ${at} ${by}`).sort(),
    ]);
  }
  const texts = textsBelow(join(folder, "notes")).map((text) => {
    const [, session, at = "", by, body] =
      /^---\nsession: (.*)\nagent: .*\nwhen: (.*)\nby: (.*)\n---\n\n([\s\S]*)\n$/.exec(text) ?? [];
    return { kind: "note", session, key: "", value: body, at: Date.parse(at), by };
  });
  texts.sort((a, b) => ((a.session ?? "") < (b.session ?? "") ? -1 : 1));
  expect(texts).toEqual(annotations.filter(({ kind }) => kind === "note"));
  const memories = annotations.filter(({ kind }) => kind === "memory").map(({ value }) => value);
  expect([...textsBelow(join(folder, "memories"))].sort()).toEqual(memories.sort());
}

/** Texts of Markdown files. */
function textsBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(join(folder, name), "utf8"));
}

const LISTS = [
  ["aliases.json", "aliases", "alias", "alias"],
  ["tags.json", "tags", "tag", "tag"],
  ["tags.json", "removed", "untag", "tag"],
  ["pins.json", "pins", "pin", "decision"],
  ["collections.json", "collections", "collection", "collection"],
  ["forgotten.json", "forgotten", "forgotten", "reason"],
] as const;

function expectMirrorOfProjects(path: string, { decisions, decisionHistory }: Kept): void {
  if (decisions.length === 0 && !existsSync(path)) return;
  const told = jsonOf(path);
  expect(
    told?.decisions.map(({ number, kind, name = null, at, by, undoneAt = null }: Record<string, unknown>) => {
      return { number, kind, name, at, by, undone_at: undoneAt };
    }),
  ).toEqual(decisions);
  expect(told?.history).toEqual(
    decisionHistory.map(({ was, became, ...event }) => ({
      ...event,
      was: JSON.parse(was),
      became: JSON.parse(became),
    })),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: what is in the file is what is asked
function jsonOf(path: string): any {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: what is in the file is what is asked
function linesOf(path: string): any[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, "utf8");
  expect(text.endsWith("\n")).toBe(true);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
