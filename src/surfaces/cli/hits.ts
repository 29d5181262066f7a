import { neutralise } from "../../core/fence.ts";
import { MEMORY_AGENT } from "../../core/memory.ts";
import { formatAge, formatDay } from "../../core/time.ts";
import type { Hit, SearchReply } from "../../service/yore.ts";
import type { Context } from "./command.ts";
import { counted } from "./figures.ts";
import { describePage } from "./options.ts";
import type { Screen } from "./screen.ts";
import { nameSession } from "./session-table.ts";
import { oneLine, wrap } from "./text.ts";

/** A hit in three parts: where it is from, what it is, and the text that matched, with the matched words bold. */
export function formatHit(hit: Hit, { io, screen }: Context): string[] {
  const { paint, width } = screen;
  const date = `${formatDay(hit.at, io.timeZone)} (${formatAge(hit.at, io.now(), io.timeZone)})`;
  const isMemory = hit.agent === MEMORY_AGENT;
  const source = isMemory ? "memory" : oneLine(hit.agent);
  const origin = [paint.yellow(oneLine(hit.id)), date, source, paint.cyan(oneLine(hit.project.name))];
  return [
    [...origin, ...(isMemory ? [] : [nameSession(hit.session)])].join("  "),
    `  ${paint.dim(`${hit.type}:`)} ${paint.bold(oneLine(hit.title))}${hit.isStale === true ? paint.yellow(" (what it is about changed)") : ""}`,
    ...formatSnippet(hit, screen, width - INDENT.length).map((line) => INDENT + line),
  ];
}

/** How the hits came about: notes for standard error. */
export function describeSearch(reply: SearchReply): string[] {
  const total = `${reply.totalIsExact ? "" : "at least "}${counted(reply.total, "observation")}`;
  const page = reply.hits.length > 0 ? describePage(reply.hits.length, reply.total) : undefined;
  return [
    ...(reply.filters.length > 0 ? [`filters: ${reply.filters.map(oneLine).join(", ")}`] : []),
    ...(reply.ignoredWords.length > 0
      ? [`left out, since nearly everything has them: ${reply.ignoredWords.map(oneLine).join(", ")}`]
      : []),
    ...reply.readings.map(({ typed, as }) => `nothing has ${oneLine(typed)}; looked for ${oneLine(as)}`),
    reply.total > 0 ? TIER_NOTES[reply.tier](total) : TIER_NOTES.none(total),
    ...(page === undefined ? [] : [page]),
  ];
}

const INDENT = "    ";

const TIER_NOTES: Readonly<Record<SearchReply["tier"], (total: string) => string>> = {
  all: (total) => `${total} with all words`,
  some: (total) => `with some of the words, not every one with all: ${total}`,
  prefix: (total) => `nothing has these words; showing words that begin with them: ${total}`,
  similar: (total) => `nothing has these words; showing what is like them: ${total}`,
  recent: (total) => `no words, only filters; the newest first: ${total}`,
  none: () => "nothing found",
};

function formatSnippet(hit: Hit, screen: Screen, width: number): string[] {
  const safe = neutralise(hit.snippet).replace(/\s/g, " ").trimEnd();
  // What making it safe took out before a mark moves the mark.
  const marks = hit.marks
    .map((mark) => mark.map((offset) => neutralise(hit.snippet.slice(0, offset)).length))
    .sort(([a = 0], [b = 0]) => a - b);
  return wrap(safe, width).map(([from, to]) => {
    let line = "";
    let done = from;
    for (const [start = 0, end = 0] of marks) {
      const [first, last] = [Math.max(start, done), Math.min(end, to)];
      if (first >= last) continue;
      line += safe.slice(done, first) + screen.paint.bold(screen.paint.green(safe.slice(first, last)));
      done = last;
    }
    return (line + safe.slice(done, to)).trimEnd();
  });
}
