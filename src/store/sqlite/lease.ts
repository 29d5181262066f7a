import type { LeaseHolder, LeasePurpose } from "../store.ts";
import type { Connection } from "./open.ts";
import type { Statements } from "./statements.ts";

const TABLES: Readonly<Record<LeasePurpose, string>> = { write: "lease", watch: "watch_lease" };

/** True when the lease is the holder's until `until`. */
export function acquireLease(
  db: Connection,
  sql: Statements,
  holder: LeaseHolder,
  until: number,
  now: number,
  purpose: LeasePurpose,
): boolean {
  // Looked at first without the write lock, which whoever has the lease may be holding for seconds.
  if (!isFreeFor(sql, holder, now, purpose)) return false;
  const take = db.transaction(() => {
    const isFree = isFreeFor(sql, holder, now, purpose);
    if (isFree) {
      sql.run(
        `INSERT OR REPLACE INTO ${TABLES[purpose]} (id, host, pid, token, until) VALUES (1, ?, ?, ?, ?)`,
        holder.host,
        holder.pid,
        holder.token,
        until,
      );
    }
    return isFree;
  });
  return waiting(db, purpose, () => take.immediate());
}

export function releaseLease(db: Connection, sql: Statements, holder: LeaseHolder, purpose: LeasePurpose): void {
  waiting(db, purpose, () => sql.run(`DELETE FROM ${TABLES[purpose]} WHERE id = 1 AND token = ?`, holder.token));
}

/** A server that watches has questions to answer, and time enough to try again. */
function waiting<T>(db: Connection, purpose: LeasePurpose, work: () => T): T {
  if (purpose === "write") return work();
  const usual = Number(db.pragma("busy_timeout", { simple: true }));
  db.pragma(`busy_timeout = ${WATCH_WAIT_MS}`);
  try {
    return work();
  } finally {
    db.pragma(`busy_timeout = ${usual}`);
  }
}

const WATCH_WAIT_MS = 100;

function isFreeFor(sql: Statements, holder: LeaseHolder, now: number, purpose: LeasePurpose): boolean {
  const current = sql.get(`SELECT host, pid, token, until FROM ${TABLES[purpose]} WHERE id = 1`);
  return (
    current === undefined ||
    current.token === holder.token ||
    Number(current.until) <= now ||
    (current.host === holder.host && !isAlive(Number(current.pid)))
  );
}

// A holder that was killed must not keep everyone waiting for its lease to run out.
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
