import type { HistoryRow, Kept } from "./layers.ts";
import type { Draw } from "./secret-corpus/draw.ts";

/** What a write is made with. */
export interface Occasion {
  /** A word that no other write of the same home has: letters and digits. */
  readonly mark: string;
  readonly draw: Draw;
  readonly sessions: readonly [string, ...string[]];
  /** Folder of a project. */
  readonly project: string;
  /** What is kept before it; nothing where others write meanwhile. */
  readonly kept?: Kept;
}

/** A write as it was asked for, and what was answered. */
export interface Write {
  readonly kind: WriteKind;
  readonly mark: string;
  /** What it is about, where it is about another write. */
  readonly of?: string;
  /** The change's number, where the answer told one. */
  readonly number?: number;
}

/** A way to tell Yore something. Whatever is listed here goes through all that kills and crowds writes. */
export interface WriteKind {
  readonly name: string;
  /** Tool and arguments over MCP; absent where agents have no such tool. */
  readonly call?: (occasion: Occasion) => readonly [string, object];
  /** Undefined where it cannot be done yet, as there is nothing to rename. The last word may say what it is about. */
  readonly argv: (occasion: Occasion) => readonly string[] | undefined;
  /** How often a write is kept: once where it was answered, and never twice. */
  readonly count: (kept: Kept, write: Write) => number;
}

export const WRITE_KINDS: readonly WriteKind[] = [
  {
    name: "alias",
    call: (on) => ["set_alias", { session: oneOf(on), alias: on.mark }],
    argv: (on) => ["alias", oneOf(on), on.mark],
    count: made(({ kind, became }, { mark }) => kind === "alias" && became === mark),
  },
  {
    name: "tag",
    call: (on) => ["add_tag", { session: oneOf(on), tag: on.mark }],
    argv: (on) => ["tag", on.mark, oneOf(on)],
    count: made(isTagged),
  },
  {
    name: "tags of several",
    call: ({ mark, sessions }) => ["apply_tags", { sessions, tags: [mark, `${mark}b`] }],
    argv: ({ mark, sessions }) => ["tag", `${mark},${mark}b`, ...sessions],
    count: made(isTagged),
  },
  {
    name: "note",
    call: (on) => ["add_note", { session: oneOf(on), text: `${on.mark}.` }],
    argv: (on) => ["note", oneOf(on), `${on.mark}.`, "--append"],
    count: made(({ kind, was, became }, { mark }) => {
      const [before, after] = [was, became].map((text) => (text ?? "").split("\n\n").includes(`${mark}.`));
      return kind === "note" && after === true && before === false;
    }),
  },
  {
    name: "pin",
    call: (on) => ["pin_session", { session: oneOf(on), ...(on.draw.number(2) === 0 && { unpin: true }) }],
    argv: (on) => [on.draw.number(2) === 0 ? "unpin" : "pin", oneOf(on)],
    // Where it was so already, there is no change and no number.
    count: (kept, write) =>
      write.number === undefined
        ? 0
        : changes(({ kind, number }) => kind === "pin" && number === write.number)(kept, write),
  },
  {
    name: "collection",
    call: (on) => ["add_to_collection", { session: oneOf(on), collection: `work/${on.mark}` }],
    argv: (on) => ["collect", oneOf(on), `work/${on.mark}`],
    count: made(isCollected),
  },
  {
    name: "memory",
    call: ({ mark }) => ["remember", { text: `The tide of ${mark}.`, type: "decision" }],
    argv: ({ mark }) => ["remember", `The tide of ${mark}.`, "--type", "decision"],
    count: made(isNewMemory),
  },
  {
    name: "memory in place of another",
    argv: ({ mark, kept }) => {
      const id = standingMemory(kept);
      return id === undefined ? undefined : ["remember", `The tide of ${mark}.`, "--supersedes", id];
    },
    count: made(isNewMemory),
  },
  {
    name: "memory that is forgotten",
    argv: ({ kept }) => {
      const id = standingMemory(kept);
      return id === undefined ? undefined : ["forget", id];
    },
    // One that was taken back may be forgotten again, which is another change of the same memory.
    count: (kept, write) => Math.min(1, timesForgotten(kept, write)),
  },
  {
    name: "new name of a tag",
    argv: ({ mark, kept }) => renamed("tags", kept?.annotations.find(({ kind }) => kind === "tag")?.key, mark),
    count: made(isTagged),
  },
  {
    name: "new name of a collection",
    argv: ({ mark, kept }) =>
      renamed("collections", kept?.annotations.find(({ kind }) => kind === "collection")?.key, `work/${mark}`),
    count: made(isCollected),
  },
  {
    name: "undo",
    argv: ({ kept }) => {
      const latest = kept?.history.at(-1)?.number;
      return latest === undefined ? undefined : ["undo", String(latest)];
    },
    count: changes(({ undoes }, { of }) => undoes === Number(of)),
  },
  {
    name: "name of a project",
    argv: ({ mark, project }) => ["projects", "rename", project, mark],
    count: ({ decisionHistory }, { mark }) =>
      decisionHistory.filter(({ action, became }) => action === "rename" && JSON.parse(became).name === mark).length,
  },
  {
    name: "undo of what was decided on a project",
    argv: ({ kept }) => {
      const latest = kept?.decisions.findLast(({ undone_at }) => undone_at === null)?.number;
      return latest === undefined ? undefined : ["projects", "undo", String(latest)];
    },
    count: ({ decisionHistory }, { of }) =>
      decisionHistory.filter(({ action, decision }) => action === "undo" && decision === Number(of)).length,
  },
];

/** In how many changes there is such an edit. */
function changes(isMeant: (edit: HistoryRow, write: Write) => boolean): WriteKind["count"] {
  return ({ history }, write) =>
    new Set(history.filter((edit) => isMeant(edit, write)).map(({ number }) => number)).size;
}

/** The same of changes that take none back. */
function made(isMeant: (edit: HistoryRow, write: Write) => boolean): WriteKind["count"] {
  return changes((edit, write) => edit.undoes === null && isMeant(edit, write));
}

function isTagged({ kind, key, became }: HistoryRow, { mark }: Write): boolean {
  return kind === "tag" && key === mark && became !== null;
}

function isCollected({ kind, key, became }: HistoryRow, { mark }: Write): boolean {
  return kind === "collection" && key === `work/${mark}` && became !== null;
}

function isNewMemory({ kind, was, became }: HistoryRow, { mark }: Write): boolean {
  return kind === "memory" && was === null && (became?.includes(`The tide of ${mark}.`) ?? false);
}

const timesForgotten = made(
  ({ kind, session, was, became }, { of }) => kind === "forgotten" && session === of && was === null && became !== null,
);

function standingMemory(kept: Kept | undefined): string | undefined {
  const forgotten = new Set(kept?.annotations.flatMap(({ kind, session }) => (kind === "forgotten" ? [session] : [])));
  return kept?.annotations.find(
    ({ kind, session, value }) => kind === "memory" && !value.includes("superseded-by:") && !forgotten.has(session),
  )?.session;
}

function renamed(what: string, from: string | undefined, to: string): readonly string[] | undefined {
  return from === undefined ? undefined : [what, "rename", from, to];
}

function oneOf({ draw, sessions }: Occasion): string {
  return sessions[draw.number(sessions.length)] ?? sessions[0];
}
