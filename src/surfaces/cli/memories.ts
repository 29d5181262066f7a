import { formatDay, formatMinute } from "../../core/time.ts";
import type { AnchorRecord, MemoryRecord } from "../../service/yore.ts";
import type { Context } from "./command.ts";
import { isoTime } from "./json.ts";
import { type Column, formatTable } from "./table.ts";
import { oneLine } from "./text.ts";

export function memoryJson(memory: MemoryRecord): Record<string, unknown> {
  return {
    id: memory.id,
    type: memory.type,
    title: memory.title,
    text: memory.text,
    project: memory.project?.name ?? null,
    tags: memory.tags,
    by: memory.by,
    at: isoTime(memory.at),
    session: memory.session ?? null,
    evidence: memory.evidence,
    from: isoTime(memory.from),
    until: isoTime(memory.until),
    supersedes: memory.supersedes,
    supersededBy: memory.supersededBy ?? null,
    state: memory.state,
    anchors: memory.anchors.map(({ place, lines, state, now }) => ({
      place,
      lines: lines ?? null,
      state,
      now: now ?? null,
    })),
  };
}

/** Id, type and title on one line. */
export function nameMemory({ id, type, title }: MemoryRecord): string {
  return `${oneLine(id)} (${type}) ${oneLine(title)}`;
}

/** Where it belongs, and when it holds where that was said. */
export function placeMemory({ project, from, until }: MemoryRecord, { io }: Context): string {
  const day = (at: number) => formatDay(at, io.timeZone);
  return [
    project === undefined ? "in no project" : `in ${oneLine(project.name)}`,
    ...(from === undefined ? [] : [`from ${day(from)}`]),
    ...(until === undefined ? [] : [`until ${day(until - 1)}`]),
  ].join(", ");
}

export function formatMemories(memories: readonly MemoryRecord[], { screen, io }: Context): string[] {
  const columns: readonly Column<MemoryRecord>[] = [
    { header: "ID", value: ({ id }) => oneLine(id), paint: screen.paint.yellow },
    { header: "SAVED", value: ({ at }) => formatDay(at, io.timeZone), leaves: 3 },
    { header: "TYPE", value: ({ type }) => type, leaves: 4 },
    {
      header: "PROJECT",
      value: ({ project }) => oneLine(project?.name ?? ""),
      min: 8,
      leaves: 2,
      paint: screen.paint.cyan,
    },
    { header: "TITLE", value: ({ title }) => oneLine(title), min: 20 },
    { header: "STATE", value: describeState, leaves: 5 },
    { header: "BY", value: ({ by }) => oneLine(by), leaves: 1 },
  ];
  return formatTable(memories, columns, screen.width, screen.paint.dim);
}

/** What a memory adds to the facts of an observation. */
export function memoryFacts(memory: MemoryRecord, { io }: Context): (readonly [string, string | undefined])[] {
  const day = (at: number | undefined) => (at === undefined ? undefined : formatMinute(at, io.timeZone));
  return [
    ["saved", `${day(memory.at)} by ${memory.by}`],
    ["state", memory.supersededBy === undefined ? memory.state : `superseded by ${memory.supersededBy}`],
    ["holds from", day(memory.from)],
    ["holds until", day(memory.until === undefined ? undefined : memory.until - 1)],
    ["tags", memory.tags.join(", ")],
    ["supersedes", memory.supersedes.join(", ")],
    ["said in", memory.session],
    ["evidence", memory.evidence.join(", ")],
    ...memory.anchors.map((anchor) => ["about", describeAnchor(anchor)] as const),
  ];
}

export function describeAnchor({ place, lines, state, now }: AnchorRecord): string {
  const where = lines === undefined ? place : `${place}, lines ${lines.join("-")}`;
  return now === undefined ? `${where} (${state})` : `${where} (moved to ${now})`;
}

/** Of a memory that holds, whether what it is about still stands. */
function describeState({ state, anchors }: MemoryRecord): string {
  const worst = (["gone", "changed", "moved", "unknown"] as const).find((one) => anchors.some((a) => a.state === one));
  if (state !== "current") return state;
  return worst === undefined ? (anchors.length > 0 ? "fresh" : "") : worst;
}
