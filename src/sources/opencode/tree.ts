import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { asFields, type Fields, nameOf, parseJson, textOf, timeOf } from "../fields.ts";
import type { Container, FoundPart } from "../source.ts";
import { isMoved } from "./moved.ts";
import { folderNames, type Place, placeOfSession } from "./place.ts";
import type { Program } from "./programs.ts";
import { sessionRecord } from "./records.ts";
import { slim } from "./slim.ts";

/**
 * Opens a session that stands in files: the one part. The move into a database left the files where they were, so there
 * is none where a database beside them has the session. Throws while the file that describes it is half written.
 */
export function openTree(path: string, program: Program): Container {
  const session = asFields(readJson(path));
  if (session === undefined) throw new Error("is no JSON object");
  const name = nameOf(session.id) ?? basename(path, ".json");
  const place = placeOfSession(path, textOf(session.id) ?? basename(path, ".json"));
  return {
    parts: () => (isMoved(name, place.data, program) ? [] : listPart(path, name, session, place)),
    *records() {
      yield sessionRecord({ ...session, id: name });
      for (const file of folderNames(place.messages)) yield* readMessage(place, file);
    },
    close: () => {},
  };
}

/** A larger file is told as one that cannot be read. */
const MAX_BYTES = 32_000_000;

function listPart(path: string, name: string, session: Fields, place: Place): readonly FoundPart[] {
  const files = folderNames(place.messages);
  if (files.length === 0) return [];
  const sum = { count: 0, bytes: 0, newest: 0 };
  look(path, sum);
  for (const file of files) {
    look(join(place.messages, file), sum);
    const parts = partsFolder(place, file);
    for (const part of folderNames(parts)) look(join(parts, part), sum);
  }
  const createdAt = timeOf(asFields(session.time)?.created);
  return [
    {
      name,
      revision: `${sum.newest}:${sum.count}:${sum.bytes}`,
      ...(createdAt !== undefined && { createdAt }),
      updatedAt: Math.round(sum.newest),
      bytes: sum.bytes,
    },
  ];
}

function look(path: string, sum: { count: number; bytes: number; newest: number }): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  sum.count += 1;
  sum.bytes += stats.size;
  sum.newest = Math.max(sum.newest, stats.mtimeMs);
}

function* readMessage(place: Place, file: string): Iterable<unknown> {
  const data = slim(readJson(join(place.messages, file)));
  yield { table: "message", id: data?.id ?? basename(file, ".json"), data: data ?? null };
  const folder = place.parts(textOf(data?.id) ?? basename(file, ".json"));
  for (const part of folderNames(folder)) yield { table: "part", data: slim(readJson(join(folder, part))) ?? null };
}

/** By the name of the message's file, which is its id, so that the file needn't be read. */
function partsFolder(place: Place, file: string): string {
  return place.parts(basename(file, ".json"));
}

/** Undefined where there is no JSON: a file is written in place, and may be half written. */
function readJson(path: string): unknown {
  try {
    return statSync(path).size > MAX_BYTES ? undefined : parseJson(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
