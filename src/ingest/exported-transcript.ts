import { exportedFile } from "../sources/exported/source.ts";
import { type Fields, fieldsOf, textOf, timeOf } from "../sources/fields.ts";
import type { Source } from "../sources/source.ts";
import type { ProjectIdentity } from "../store/store.ts";
import type { ArchivedOf } from "./archive/place.ts";
import type { Archive } from "./archive/writer.ts";
import { readingVersion } from "./fingerprint.ts";
import { clean, cleanRecord } from "./prepare.ts";

/** So much of a transcript shares a segment. */
const SEGMENT_CHARS = 2_000_000;

/** What the store lacked of a session of an export, on its way into the archive. */
export class ExportedTranscript {
  readonly of: ArchivedOf;
  readonly #archive: Archive;
  readonly #source: Source;
  readonly #session: Fields;
  /** Where nothing in the export says when it was. */
  readonly #now: number;
  #entries: string[] = [];
  #chars = 0;
  #records = 0;
  #written = 0;

  /** `message` is the first one; `isKnown`: the store has others of the session, and what goes with it. */
  constructor(options: {
    readonly archive: Archive;
    readonly source: Source;
    readonly session: Fields;
    readonly message: string;
    readonly isKnown: boolean;
    readonly now: number;
  }) {
    const { archive, source, session, message, isKnown, now } = options;
    this.#archive = archive;
    this.#source = source;
    this.#session = session;
    this.#now = now;
    this.of = { agent: source.agent, path: exportedFile(source.agent, textOf(session.id) ?? "", message).path };
    this.add(isKnown ? { type: "session" } : sessionRecord(session));
  }

  get isFull(): boolean {
    return this.#chars >= SEGMENT_CHARS;
  }

  add(record: Fields): void {
    const json = JSON.stringify(cleanRecord(record));
    this.#entries.push(`${this.#records} ${json}`);
    this.#chars += json.length;
    this.#records += 1;
  }

  async write(isLast: boolean): Promise<void> {
    const entries = this.#entries;
    const from = this.#written;
    const project = projectIn(this.#session);
    const startedAt = timeOf(this.#session.startedAt);
    const endedAt = timeOf(this.#session.endedAt) ?? startedAt ?? this.#now;
    this.#entries = [];
    this.#chars = 0;
    this.#written = this.#records;
    await this.#archive.write({
      agent: this.of.agent,
      file: { path: this.of.path, unit: "exported" },
      from,
      row: {
        sourceVersion: readingVersion(this.#source),
        size: 0,
        mtimeMs: endedAt,
        inode: 0,
        offset: this.#records,
        window: "",
        items: this.#records,
      },
      bornMs: startedAt ?? endedAt,
      ...(project !== undefined && { project }),
      entries,
      isAnew: true,
      isLast,
    });
  }
}

/** Of the session what a reader is to know; of which project it is stands beside, in the archive's own words. */
export function sessionRecord(session: Fields): Fields {
  const { agent: _, id: __, title: ___, project, models: ____, usage: _____, messages: ______, ...facts } = session;
  const { name } = fieldsOf(project);
  return facts.cwd === undefined && name !== undefined ? { ...facts, folderName: name } : facts;
}

/** Undefined where it does not say. */
export function projectIn({ project }: Fields): ProjectIdentity | undefined {
  const { key, name, identity, worktree } = fieldsOf(project);
  if (typeof key !== "string" || typeof name !== "string" || !isIdentity(identity)) return undefined;
  return {
    key: clean(key),
    name: clean(name),
    identity,
    ...(typeof worktree === "string" && { worktree: clean(worktree) }),
  };
}

function isIdentity(value: unknown): value is ProjectIdentity["identity"] {
  return value === "remote" || value === "git" || value === "folder";
}
