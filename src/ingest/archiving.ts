import { YoreError } from "../core/errors.ts";
import { type ProjectIdentity, UNARCHIVED, UNREAD } from "../store/store.ts";
import { type Archive, ArchiveGap } from "./archive/writer.ts";
import type { ReadBatch } from "./batches.ts";
import { keyOf } from "./discover.ts";
import type { ProjectIdentifier } from "./identify-project.ts";
import type { Work } from "./plan.ts";
import { describe, type Problem } from "./problem.ts";

/** A stretch of a file that was read. */
export interface ArchivableBatch {
  readonly item: Work;
  readonly batch: ReadBatch;
}

/** Archives what a pass reads, before that is stored, and knows of which files the archive lacks something. */
export class Archiving {
  readonly #archive: Archive;
  readonly #identify: ProjectIdentifier;
  readonly #problems: Problem[];
  readonly #lacking = new Map<string, typeof UNREAD | typeof UNARCHIVED>();
  /** Files of which a gap was found, and that are read anew for it. */
  readonly #closed = new Set<string>();

  constructor(
    { archive, identify }: { readonly archive: Archive; readonly identify: ProjectIdentifier },
    problems: Problem[],
  ) {
    this.#archive = archive;
    this.#identify = identify;
    this.#problems = problems;
  }

  /** A transcript that cannot be archived is still to be stored, and noted as one to be archived later. */
  async write(group: readonly ArchivableBatch[]): Promise<void> {
    // Batches of one file are archived in turn, since each goes on from the one before.
    const turns = new Map<string, Promise<void>>();
    for (const entry of group) {
      const { path } = entry.batch.file;
      turns.set(
        path,
        (turns.get(path) ?? Promise.resolve()).then(() => this.#writeBatch(entry)),
      );
    }
    await Promise.all(turns.values());
  }

  /** The version that says that the archive lacks something of a file. */
  versionOf(path: string): typeof UNREAD | typeof UNARCHIVED | undefined {
    return this.#lacking.get(path);
  }

  /**
   * What is to be read, besides what is planned, so that the archive has all of a file that was read to its end: the file
   * anew, as the next pass would read it. Once, since it may be torn for good.
   */
  closing({ candidate, stored }: Work, planned: readonly Work[]): readonly Work[] {
    const path = keyOf(candidate.file);
    if (stored === undefined || this.#lacking.get(path) !== UNREAD || this.#closed.has(path)) return [];
    this.#closed.add(path);
    const isPlanned = planned.some((one) => one.change.kind === "anew" && keyOf(one.candidate.file) === path);
    return isPlanned ? [] : [{ candidate, stored, change: { kind: "anew" }, takesBack: [stored.id], isChanged: false }];
  }

  async #writeBatch({ item, batch }: ArchivableBatch): Promise<void> {
    const { source, file, archived, bornMs } = item.candidate;
    if (archived !== undefined) return;
    const { readerState: _, skipped: __, agent, path, ...row } = batch.file;
    const project = projectOf(batch, this.#identify);
    const { from, entries, isLast } = batch;
    const isAnew = item.change.kind === "anew";
    try {
      await this.#archive.write({
        agent: source.agent,
        file,
        from,
        row,
        bornMs,
        ...(project !== undefined && { project }),
        entries,
        isAnew,
        isLast,
      });
      if (from === 0) this.#lacking.delete(path);
    } catch (error) {
      if (isDiskFull(error)) throw diskFull(this.#archive.root, error);
      const isGap = error instanceof ArchiveGap;
      // What is missing in the archive is there again once the file was read anew; where nothing can be written, that
      // would be done over and over.
      if (!this.#lacking.has(path)) this.#lacking.set(path, isGap ? UNREAD : UNARCHIVED);
      if (isGap) return;
      const problem = `could not be archived (${describe(error)})`;
      this.#problems.push({ path: keyOf(file), problem, kind: "unarchived" });
    }
  }
}

/** The project that a stretch of a transcript says it is of, if it says so at all. */
function projectOf({ facts, messages }: ReadBatch, identify: ProjectIdentifier): ProjectIdentity | undefined {
  const cwd = facts.find((fact) => fact.cwd !== undefined)?.cwd ?? messages.find(({ cwd }) => cwd !== undefined)?.cwd;
  const folderName = facts.find((fact) => fact.folderName !== undefined)?.folderName;
  const repositoryUrl = facts.find((fact) => fact.repositoryUrl !== undefined)?.repositoryUrl;
  if (cwd === undefined && folderName === undefined) return undefined;
  // What the disk tells now may not hold when it comes back from the archive.
  const { seen: _, ...project } = identify(cwd, repositoryUrl, folderName);
  return project;
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}

/** As the store says it: the pass ends, and what it has stored so far stays. */
function diskFull(path: string, cause: unknown): YoreError {
  return new YoreError("disk-full", `There is no space left to write to ${path}.`, {
    hint: "What was indexed so far is kept. Free some space and run the command again.",
    cause,
  });
}
