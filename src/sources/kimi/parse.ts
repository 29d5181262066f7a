import { type Fields, fieldsOf, hashOf, isFields, textOf } from "../fields.ts";
import { malformed } from "../skip.ts";
import type { FoundFile, Item, Reader, SessionItem, Sidecars } from "../source.ts";
import { type Beside, lookBeside } from "./beside.ts";
import { readCode } from "./code.ts";
import { readContext } from "./context.ts";
import { dumpMemory, loadMemory, type Memory } from "./memory.ts";
import { type Place, placeOf } from "./place.ts";
import { type Namer, Scribe } from "./scribe.ts";
import { readWire } from "./wire.ts";

/** Reads a transcript of either generation: Kimi CLI's wire log or context file, or Kimi Code's journal. */
export function createReader(file: FoundFile, state: unknown, sidecars: Sidecars): Reader {
  const place = placeOf(file.path);
  const memory = loadMemory(state);
  const namer = place.format === "context" ? countingNamer(place) : numberingNamer(place, memory);
  let hasLooked = false;
  let roleBefore: unknown;
  return {
    get session() {
      return nameOf(memory.root, place);
    },
    read(record, emit) {
      if (!hasLooked) {
        hasLooked = true;
        introduce(lookBeside(place, sidecars), memory, emit);
      }
      if (!isFields(record)) {
        emit(malformed("not an object"));
        return;
      }
      const scribe = new Scribe(memory, emit, record.timestamp ?? record.time, namer);
      if (place.format === "context") readContext(record, roleBefore, place, scribe);
      else if (place.format === "wire") readWire(record, place, scribe);
      else {
        tellFolder(folderOf(record), memory, emit);
        readCode(record, place, scribe);
      }
      roleBefore = record.role;
    },
    state: () => dumpMemory(memory),
  };
}

/** Names by words, and by how often they were said before: rewinds and compactions copy a context into a new file. */
function countingNamer({ session }: Place): Namer {
  const counts = new Map<string, number>();
  return (key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return `${session}:${key}:${count}`;
  };
}

function numberingNamer(place: Place, memory: Memory): Namer {
  return () => {
    memory.unnamed += 1;
    return `${nameOf(memory.label ?? memory.root, place)}#${memory.unnamed}`;
  };
}

/** Native id of the file's session below a root session of another name. */
function nameOf(root: string | undefined, { session, agent }: Place): string {
  if (root === undefined) return session;
  return agent === undefined ? root : `${root}/${agent}`;
}

/** Tells what stands beside the file, as far as it wasn't told before. */
function introduce(beside: Beside, memory: Memory, emit: (item: Item) => void): void {
  if (!memory.isStarted) {
    memory.isStarted = true;
    memory.isCopying = beside.isFork === true;
    memory.hasOriginal = beside.imported?.hasOriginal === true;
    memory.root = beside.root;
    memory.label = beside.imported?.session;
  }
  memory.model ??= beside.model;
  tellFolder(beside.cwd, memory, emit);
  const { parent, startedAt } = beside;
  tell("parent", parent && { parent }, memory, emit);
  tell("startedAt", startedAt === undefined ? undefined : { startedAt }, memory, emit);
  const { title } = beside;
  const mark = title === undefined ? undefined : `${title.title}:${hashOf(title.text)}`;
  if (title === undefined || mark === undefined || memory.told.get("title") === mark) return;
  memory.told.set("title", mark);
  emit({ kind: "title", ...title });
}

function tellFolder(cwd: string | undefined, memory: Memory, emit: (item: Item) => void): void {
  tell("cwd", cwd === undefined ? undefined : { cwd }, memory, emit);
}

/** Tells a fact of which the first one stays. */
function tell(
  name: string,
  fact: Omit<SessionItem, "kind"> | undefined,
  memory: Memory,
  emit: (item: Item) => void,
): void {
  if (fact === undefined || memory.told.has(name)) return;
  memory.told.set(name, "");
  emit({ kind: "session", ...fact });
}

/** The working folder, as Kimi Code's records say it. */
function folderOf(record: Fields): string | undefined {
  return textOf(record.cwd) ?? textOf(fieldsOf(record.environmentDisclosure).cwd);
}
