import { YoreError } from "../core/errors.ts";
import { parseUid } from "../core/ids.ts";
import { idIn } from "../sources/exported/line.ts";
import { sessionIn } from "../sources/exported/reader.ts";
import { type Fields, textOf } from "../sources/fields.ts";
import type { Source } from "../sources/source.ts";
import type { HistoryWriter, LeaseHolder, SessionKey } from "../store/store.ts";
import { Admission } from "./admission.ts";
import type { ArchivedOf } from "./archive/place.ts";
import { Archive } from "./archive/writer.ts";
import { ExportedTranscript, projectIn, sessionRecord } from "./exported-transcript.ts";
import { type ProjectIdentifier, projectIdentifier } from "./identify-project.ts";
import { LEASE_MS, leaseHolder, type Patience, waitForLease } from "./lease.ts";
import type { CatchUpDependencies } from "./look-around.ts";

/** Where the sessions go, and which of them may. */
export type TakeInDependencies = Omit<CatchUpDependencies, "environment"> & { readonly home: string };

/** What an export held. */
export interface TakenIn {
  readonly sessions: number;
  /** What the store lacked of them, in the archive now and to be read from there. */
  readonly transcripts: readonly ArchivedOf[];
  /** Lines that tell what someone put on sessions. */
  readonly annotations: readonly Fields[];
  /** Agents that are not known here, or are left out by a setting. */
  readonly strangers: readonly string[];
  /** Sessions that may not be stored, since their place is excluded, or they were removed for good. */
  readonly refused: number;
  readonly badLines: number;
  /** Sessions that it says it holds. */
  readonly promised: number;
}

/**
 * Writes what an export of ours holds, and the store lacks, into the archive, as a transcript for each session: from there
 * it is read like every other one, now and whenever the store is lost. Throws `busy` where another process writes.
 */
export async function takeInExport(
  lines: AsyncIterable<Fields | undefined>,
  dependencies: TakeInDependencies,
  patience: Patience,
): Promise<TakenIn> {
  const writer = await dependencies.store.writer();
  const holder = leaseHolder();
  if ((await waitForLease(writer, holder, dependencies.clock, patience)) === "taken") throw busy();
  try {
    const admission = await Admission.of(dependencies.store, dependencies.exclusions);
    const intake = new Intake(dependencies, admission, writer, holder);
    for await (const line of lines) {
      if (patience.signal?.aborted === true) break;
      await intake.take(line);
    }
    await intake.endSession();
    return intake.taken;
  } finally {
    await writer.releaseLease(holder).catch(() => {});
  }
}

interface Begun {
  readonly fields: Fields;
  readonly source: Source;
  /** The store has messages of it, or model calls. */
  readonly isKnown: boolean;
  /** Keys of the model calls that the store has. */
  readonly calls: ReadonlySet<string>;
  readonly usage: Fields[];
  waiting: Fields[];
  transcript?: ExportedTranscript;
}

/** So many messages are looked up at once. */
const LOOKED_UP = 500;

class Intake {
  readonly #dependencies: TakeInDependencies;
  readonly #writer: HistoryWriter;
  readonly #holder: LeaseHolder;
  readonly #archive: Archive;
  readonly #transcripts: ArchivedOf[] = [];
  readonly #annotations: Fields[] = [];
  readonly #strangers = new Set<string>();
  readonly #admission: Admission;
  readonly #identify: ProjectIdentifier;
  #sessions = 0;
  #refused = 0;
  #badLines = 0;
  #promised = 0;
  #begun: Begun | undefined;
  /** What follows is of a session that is left out. */
  #isLeftOut = false;

  constructor(dependencies: TakeInDependencies, admission: Admission, writer: HistoryWriter, holder: LeaseHolder) {
    this.#dependencies = dependencies;
    this.#admission = admission;
    this.#identify = projectIdentifier(dependencies.home);
    this.#writer = writer;
    this.#holder = holder;
    this.#archive = new Archive(dependencies.archive);
  }

  get taken(): TakenIn {
    return {
      sessions: this.#sessions,
      transcripts: this.#transcripts,
      annotations: this.#annotations,
      strangers: [...this.#strangers].sort(),
      refused: this.#refused,
      badLines: this.#badLines,
      promised: this.#promised,
    };
  }

  async take(line: Fields | undefined): Promise<void> {
    switch (line?.type) {
      case "export":
        this.#promised = Number(line.sessions) || 0;
        return;
      case "session":
        await this.endSession();
        return this.#beginSession(line);
      case "message":
        return this.#takeMessage(line);
      case "usage":
        this.#begun?.usage.push(withoutSession(line));
        return;
      case "annotation":
        this.#annotations.push(line);
        return;
      default:
        this.#badLines += 1;
    }
  }

  async endSession(): Promise<void> {
    const begun = this.#begun;
    this.#begun = undefined;
    if (begun === undefined) return;
    await this.#sift(begun);
    // All messages may be there, and calls still be missing; and a session without messages may have cost something.
    const call = begun.usage.find((one) => !begun.calls.has(idIn(one) ?? ""));
    if (call !== undefined) begun.transcript ??= this.#begin(begun, idIn(call) ?? "");
    if (begun.transcript === undefined) return;
    for (const record of begun.usage) begun.transcript.add(record);
    await this.#write(begun.transcript, true);
    this.#transcripts.push(begun.transcript.of);
  }

  async #beginSession(fields: Fields): Promise<void> {
    const [agent, nativeId] = [textOf(fields.agent), textOf(fields.id)];
    this.#isLeftOut = false;
    if (agent === undefined || nativeId === undefined || nativeId.length > MAX_ID) {
      this.#badLines += 1;
      return;
    }
    const source = this.#dependencies.sources.find((one) => one.agent === agent);
    if (source === undefined) {
      this.#strangers.add(agent.replace(/[^\w.-]/g, "?").slice(0, 40));
      this.#isLeftOut = true;
      return;
    }
    this.#sessions += 1;
    if (this.#isRefused({ agent, nativeId }, fields)) {
      this.#refused += 1;
      this.#isLeftOut = true;
      return;
    }
    const { sessions } = this.#dependencies.store;
    const known = await sessions.byKey({ agent, nativeId });
    const stored = known === undefined ? [] : (await sessions.details(known.id)).usage;
    const calls = new Set(stored.map(({ key }) => key));
    this.#begun = { fields, source, isKnown: (known?.messages ?? 0) > 0, calls, usage: [], waiting: [] };
  }

  #isRefused({ agent, nativeId }: SessionKey, fields: Fields): boolean {
    const before = projectIn(fields);
    const identify: ProjectIdentifier = (...asked) => {
      const now = this.#identify(...asked);
      return now.identity === "folder" ? (before ?? now) : now;
    };
    const fact = sessionIn(sessionRecord(fields));
    const verdict = this.#admission.judge({ agent, session: nativeId, facts: [fact], messages: [] }, identify);
    return verdict === "refused" || verdict === "likely";
  }

  async #takeMessage(line: Fields): Promise<void> {
    const begun = this.#begun;
    const isOfIt = begun !== undefined && line.session === begun.fields.id && line.agent === begun.fields.agent;
    if (!isOfIt || idIn(line) === undefined) {
      if (!this.#isLeftOut) this.#badLines += 1;
      return;
    }
    begun.waiting.push(line);
    if (begun.waiting.length >= LOOKED_UP) await this.#sift(begun);
  }

  /** Hands on those messages that the store does not have. */
  async #sift(begun: Begun): Promise<void> {
    const lines = begun.waiting;
    begun.waiting = [];
    const uids = lines.map((line) => parseUid(idIn(line) ?? ""));
    const stored = uids.length === 0 ? [] : await this.#writer.transaction((tx) => tx.findMessages(uids));
    for (const [at, line] of lines.entries()) {
      if (stored[at] !== undefined) continue;
      begun.transcript ??= this.#begin(begun, idIn(line) ?? "");
      begun.transcript.add(withoutSession(line));
      if (begun.transcript.isFull) await this.#write(begun.transcript, false);
    }
  }

  #begin({ fields, source, isKnown }: Begun, message: string): ExportedTranscript {
    const now = this.#dependencies.clock();
    return new ExportedTranscript({ archive: this.#archive, source, session: fields, message, isKnown, now });
  }

  async #write(transcript: ExportedTranscript, isLast: boolean): Promise<void> {
    const now = this.#dependencies.clock();
    if (!(await this.#writer.acquireLease(this.#holder, now + LEASE_MS, now))) throw busy();
    await transcript.write(isLast);
  }
}

const MAX_ID = 1_000;

function withoutSession({ agent: _, session: __, file: ___, byte: ____, ...record }: Fields): Fields {
  return record;
}

function busy(): YoreError {
  return new YoreError("busy", "Another process is writing to the store.", { hint: "Try again in a moment." });
}
