import { YoreError } from "../../core/errors.ts";
import type { AnnotationStep, AnnotationWrites, ChangeNote, StoredEdit } from "../store.ts";
import { annotationReader, latestNumber, MIRRORED } from "./annotations.ts";
import { maybeText, type Statements } from "./statements.ts";

export function annotationWrites(sql: Statements): AnnotationWrites {
  return {
    annotations: annotationReader(sql),

    async annotate(steps, note) {
      const number = latestNumber(sql) + 1;
      const edits = steps.flatMap((step) => {
        const was = storedValue(sql, step);
        // Of tags and collections the value is always empty; that they are there is what counts.
        if (was === step.value) return [];
        if (isTaken(sql, step)) throw new YoreError("bad-input", "Another session has that alias.");
        put(sql, step, note);
        return [{ kind: step.kind, session: step.session, key: step.key, was, became: step.value }];
      });
      if (edits.length === 0) return undefined;
      record(sql, number, note, edits);
      return number;
    },

    async adoptChange(change, apply) {
      const latest = latestNumber(sql);
      const isTaken = sql.number("SELECT 1 FROM annotation_history WHERE number = ? LIMIT 1", change.number);
      const number = isTaken === undefined && change.number > 0 ? change.number : latest + 1;
      record(sql, number, change, change.edits);
      if (apply) for (const edit of change.edits) applyEdit(sql, edit, change);
      return number;
    },

    async noteMirrored(through) {
      sql.run("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", MIRRORED, String(through));
    },

    async noteMirrorFile(name, file) {
      if (file === undefined) {
        sql.run("DELETE FROM mirror_files WHERE name = ?", name);
        return;
      }
      sql.run(
        "INSERT OR REPLACE INTO mirror_files (name, hash, size, mtime_ms, agent, session) VALUES (?, ?, ?, ?, ?, ?)",
        name,
        file.hash,
        file.size,
        file.mtimeMs,
        file.session?.agent ?? null,
        file.session?.nativeId ?? null,
      );
    },
  };
}

function storedValue(sql: Statements, { session, kind, key }: AnnotationStep): string | undefined {
  return maybeText(
    sql.get(
      "SELECT value FROM annotations WHERE agent = ? AND session = ? AND kind = ? AND key = ?",
      session.agent,
      session.nativeId,
      kind,
      key,
    )?.value,
  );
}

function applyEdit(sql: Statements, { became, ...key }: StoredEdit, note: ChangeNote): void {
  const step = { ...key, value: became };
  if (!isTaken(sql, step)) put(sql, step, note);
}

function isTaken(sql: Statements, { kind, session, value }: AnnotationStep): boolean {
  if (kind !== "alias" || value === undefined) return false;
  return (
    sql.number(
      "SELECT 1 FROM annotations WHERE kind = 'alias' AND value = ? AND NOT (agent = ? AND session = ?)",
      value,
      session.agent,
      session.nativeId,
    ) !== undefined
  );
}

/** The session is found by words of what it is called, tagged and noted, so these are made anew. */
function put(sql: Statements, { session, kind, key, value }: AnnotationStep, { at, by }: ChangeNote): void {
  const { agent, nativeId } = session;
  if (value === undefined) {
    sql.run(
      "DELETE FROM annotations WHERE agent = ? AND session = ? AND kind = ? AND key = ?",
      agent,
      nativeId,
      kind,
      key,
    );
  } else {
    sql.run(
      "INSERT OR REPLACE INTO annotations (agent, session, kind, key, value, at, by) VALUES (?, ?, ?, ?, ?, ?, ?)",
      agent,
      nativeId,
      kind,
      key,
      value,
      at,
      by,
    );
  }
  if (kind === "memory") sql.run("UPDATE sessions SET derived = 0 WHERE agent = ? AND native_id = ?", agent, nativeId);
  else sql.run("UPDATE sessions SET title_stale = 1 WHERE agent = ? AND native_id = ?", agent, nativeId);
}

function record(sql: Statements, number: number, note: ChangeNote, edits: readonly StoredEdit[]): void {
  for (const { kind, session, key, was, became } of edits) {
    sql.run(
      `INSERT INTO annotation_history (number, at, by, via, kind, agent, session, key, was, became, undoes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      number,
      note.at,
      note.by,
      note.via,
      kind,
      session.agent,
      session.nativeId,
      key,
      was ?? null,
      became ?? null,
      note.undoes ?? null,
    );
  }
  if (note.undoes === undefined) return;
  // What took back the change that is taken back now holds no longer.
  sql.run("UPDATE annotation_history SET undone_by = NULL WHERE undone_by = ?", note.undoes);
  sql.run("UPDATE annotation_history SET undone_by = ? WHERE number = ?", number, note.undoes);
}
