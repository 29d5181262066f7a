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
  return db
    .transaction(() => {
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
    })
    .immediate();
}

export function releaseLease(sql: Statements, holder: LeaseHolder, purpose: LeasePurpose): void {
  sql.run(`DELETE FROM ${TABLES[purpose]} WHERE id = 1 AND token = ?`, holder.token);
}

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
