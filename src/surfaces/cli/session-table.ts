import { formatMinute } from "../../core/time.ts";
import type { SessionSummary } from "../../service/yore.ts";
import type { Context } from "./command.ts";
import { grouped } from "./figures.ts";
import { type Column, formatTable } from "./table.ts";
import { oneLine } from "./text.ts";

/** Sessions as a table that fits the terminal. */
export function formatSessions(sessions: readonly SessionSummary[], context: Context, fullIds = false): string[] {
  const { io, screen } = context;
  const idLength = fullIds ? undefined : shortIdLength(sessions);
  const columns: readonly Column<SessionSummary>[] = [
    { header: "ID", value: (session) => oneLine(session.id.slice(0, idLength)), paint: screen.paint.yellow },
    { header: "LAST ACTIVE", value: (session) => lastActive(session, io.timeZone), leaves: 3 },
    { header: "AGENT", value: (session) => oneLine(session.agent), leaves: 2 },
    {
      header: "PROJECT",
      value: (session) => oneLine(session.project.name),
      min: 8,
      leaves: 4,
      paint: screen.paint.cyan,
    },
    { header: "TURNS", value: (session) => grouped(session.turns), align: "right", leaves: 1 },
    { header: "TITLE", value: (session) => nameSession(session), min: 20 },
    { header: "MARKS", value: marks, min: 6, leaves: 5, paint: screen.paint.dim },
  ];
  return formatTable(sessions, columns, screen.width, screen.paint.dim);
}

/** Alias and title, made safe for one line. */
export function nameSession({ alias, title }: { readonly alias?: string; readonly title: string }): string {
  return oneLine(alias === undefined ? title : `${alias}: ${title}`);
}

/**
 * How much of the ids tells these sessions apart: 8 characters if that will do. Ids that begin with the time are
 * alike there for sessions of one minute. Undefined means all of it.
 */
export function shortIdLength(sessions: readonly SessionSummary[]): number | undefined {
  const ids = sessions.map((session) => session.id);
  const different = new Set(ids).size;
  return SHORT_LENGTHS.find((length) => new Set(ids.map((id) => id.slice(0, length))).size === different);
}

const SHORT_LENGTHS = [8, 13, 18, 23];

function lastActive(session: SessionSummary, timeZone: string | undefined): string {
  const at = session.endedAt ?? session.startedAt;
  return at === undefined ? "" : formatMinute(at, timeZone);
}

function marks(session: SessionSummary): string {
  const words = [
    ...(session.state === "idle" ? [] : [session.state]),
    ...(session.pinned ? ["pinned"] : []),
    ...(session.hasNote ? ["note"] : []),
    ...(session.relation === undefined ? [] : [session.relation]),
    ...session.tags.map((tag) => `#${oneLine(tag)}`),
  ];
  return words.join(" ");
}
