import { existsSync } from "node:fs";
import type { Clock } from "../../core/time.ts";
import type { HistoryWriter, Store } from "../store.ts";
import { annotationReader } from "./annotations.ts";
import { backUp } from "./backup.ts";
import { briefingReader } from "./briefing.ts";
import { decisionReader } from "./decisions.ts";
import { enrichmentReader } from "./enrichments.ts";
import { figureReader } from "./figures.ts";
import { fileReader } from "./files.ts";
import { defineHidden, ExcludedSessions } from "./hidden.ts";
import { hookReader } from "./hook-log.ts";
import { memoryReader } from "./memories.ts";
import { migrations } from "./migrations/index.ts";
import { observationReader } from "./observations.ts";
import { type Connection, openForReading, openForWriting, schemaOf, translate } from "./open.ts";
import { plainIndex } from "./plain-index.ts";
import { receiptReader } from "./receipts.ts";
import { sessionReader } from "./sessions.ts";
import { prepareOn } from "./statements.ts";
import { traceReader } from "./traces.ts";
import { vectorReader } from "./vectors.ts";
import { wordIndex } from "./words.ts";
import { historyWriter } from "./writer.ts";

/**
 * Opens the store in one SQLite file, creating it if there is none.
 *
 * Reading goes over a connection of its own that cannot write; the writing one is opened when it is first asked for.
 * `busyMs`: how long a statement waits for another process.
 */
export async function openSqliteStore(
  path: string,
  clock: Clock,
  { busyMs }: { readonly busyMs?: number } = {},
): Promise<Store> {
  let writing: Connection | undefined;
  const openWriting = (): Connection => {
    if (writing !== undefined) return writing;
    writing = openForWriting(path, busyMs);
    defineHidden(writing);
    return writing;
  };
  // Readers cannot create or migrate; only a store that needs it is opened for writing at once.
  const reading = existsSync(path)
    ? (readable(path, busyMs) ?? afterMigration(path, openWriting, busyMs))
    : afterMigration(path, openWriting, busyMs);
  defineHidden(reading);
  const sql = prepareOn(reading);
  const excluded = new ExcludedSessions(reading, sql);
  let writer: HistoryWriter | undefined;
  const writerOf = (): HistoryWriter => {
    writer ??= translated(path, historyWriter(openWriting()));
    return writer;
  };

  return {
    files: translated(path, fileReader(sql)),
    sessions: translated(path, sessionReader(sql, clock, excluded)),
    observations: translated(path, observationReader(sql, clock)),
    words: translated(path, wordIndex(sql)),
    figures: translated(path, figureReader(reading, sql, path)),
    decisions: translated(path, decisionReader(sql)),
    annotations: translated(path, annotationReader(sql)),
    traces: translated(path, traceReader(sql)),
    memories: translated(path, memoryReader(sql)),
    briefings: translated(path, briefingReader(sql)),
    receipts: translated(path, receiptReader(sql)),
    hooks: translated(path, hookReader(sql)),
    enrichments: translated(path, enrichmentReader(sql)),
    vectors: translated(path, vectorReader(sql)),
    writer: async () => writerOf(),
    backUp: async (target, request) => {
      // In the writer's turn, and as a transaction of its own.
      const still = <T>(work: () => T): Promise<T> => writerOf().transaction(async () => work());
      return backUp(path, target, request, still);
    },
    plainIndex: async () => translated(path, plainIndex()),
    async close() {
      reading.close();
      writing?.close();
    },
  };
}

function readable(path: string, busyMs: number | undefined): Connection | undefined {
  const db = openForReading(path, busyMs);
  if (schemaOf(db) === migrations.length) return db;
  db.close();
  return undefined;
}

function afterMigration(path: string, openWriting: () => Connection, busyMs: number | undefined): Connection {
  openWriting();
  return openForReading(path, busyMs);
}

/** The same methods, with SQLite's failures turned into ours. */
function translated<T extends object>(path: string, capability: T): T {
  return new Proxy(capability, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== "function") return method;
      return async (...values: unknown[]) => {
        try {
          return await method.apply(target, values);
        } catch (error) {
          throw translate(path, error);
        }
      };
    },
  });
}
