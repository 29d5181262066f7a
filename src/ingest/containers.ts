import type { Container, FoundFile, FoundPart, Source } from "../sources/source.ts";
import type { StoredFile } from "../store/store.ts";
import type { Candidate, Discovery } from "./discover.ts";
import { compare } from "./fingerprint.ts";
import type { StoredFiles } from "./plan.ts";
import { type Problem, problemOf } from "./problem.ts";

/** Containers that are open in this pass. A pass reads many parts of the same few. */
export class OpenContainers {
  readonly #open = new Map<string, Container>();
  /** What cannot be opened now may take long to tell so, such as a large database that is copied first. */
  readonly #failures = new Map<string, unknown>();

  /** Throws where the container cannot be opened now, and from then on at once. */
  open(source: Source, file: FoundFile): Container {
    const known = this.#open.get(file.path);
    if (known !== undefined) return known;
    if (this.#failures.has(file.path)) throw this.#failures.get(file.path);
    const container = this.#openNow(source, file);
    for (const path of this.#open.keys()) if (this.#open.size >= MAX_OPEN) this.#closeOne(path);
    this.#open.set(file.path, container);
    return container;
  }

  close(): void {
    for (const path of [...this.#open.keys()]) this.#closeOne(path);
  }

  #openNow(source: Source, file: FoundFile): Container {
    try {
      const container = source.open?.(file);
      if (container === undefined) throw new Error(`${source.agent} cannot open containers`);
      return container;
    } catch (error) {
      this.#failures.set(file.path, error);
      throw error;
    }
  }

  #closeOne(path: string): void {
    try {
      this.#open.get(path)?.close();
    } catch {
      // It was read, and nothing was written.
    }
    this.#open.delete(path);
  }
}

const MAX_OPEN = 3;

/** What was found, with parts in place of containers. */
export interface TakenApart {
  readonly discovery: Discovery;
  readonly containers: readonly Candidate[];
  /** Those among them that changed, and whose parts are all known. */
  readonly changed: readonly Candidate[];
  /** Those that changed and were left for later, in the order in which they ought to be opened. */
  readonly unopened: readonly Candidate[];
}

export interface TakeApartOptions {
  readonly rebuild: boolean;
  /** Whether a container that changed is opened now. */
  readonly opens: (container: Candidate) => boolean;
}

/**
 * Puts the parts of containers in their place. Only one that changed is opened; of the others, and of those that cannot be
 * opened now, the parts are those that were there before.
 */
export async function takeApart(
  discovery: Discovery,
  stored: StoredFiles,
  open: OpenContainers,
  { rebuild, opens }: TakeApartOptions,
): Promise<TakenApart> {
  const containers = discovery.candidates.filter(({ file }) => file.unit === "container" && file.part === undefined);
  if (containers.length === 0) return { discovery, containers, changed: [], unopened: [] };
  const problems: Problem[] = [...discovery.problems];
  const changed: Candidate[] = [];
  const unopened: Candidate[] = [];
  const taken = new Map<Candidate, readonly Candidate[]>();
  for (const container of inTurn(containers, stored)) {
    if (!rebuild && compare(container, stored.get(container.file.path)).kind === "unchanged") continue;
    if (!opens(container)) {
      unopened.push(container);
      continue;
    }
    const parts = await listParts(container, open, problems);
    if (parts === undefined) continue;
    changed.push(container);
    taken.set(container, parts);
  }
  const before = partsByContainer(stored);
  const whole = new Set(containers);
  const candidates = discovery.candidates.flatMap((one) => {
    if (!whole.has(one)) return [one];
    return taken.get(one) ?? (before.get(one.file.path) ?? []).map((part) => partBefore(one, part));
  });
  return { discovery: { ...discovery, candidates, problems }, containers, changed, unopened };
}

/** Where time is short, one that changes all the time must not keep the others waiting; small ones are read soonest. */
function inTurn(containers: readonly Candidate[], stored: StoredFiles): readonly Candidate[] {
  const readAt = ({ file }: Candidate) => stored.get(file.path)?.mtimeMs ?? 0;
  return containers.toSorted((a, b) => readAt(a) - readAt(b) || a.size - b.size);
}

/** Undefined where the container cannot be taken apart now. */
async function listParts(
  container: Candidate,
  open: OpenContainers,
  problems: Problem[],
): Promise<readonly Candidate[] | undefined> {
  // Lets a server answer between two containers.
  await new Promise(setImmediate);
  const parts = new Map<string, Candidate>();
  const found: Problem[] = [];
  try {
    for (const part of open.open(container.source, container.file).parts()) {
      if ("problem" in part) found.push(part);
      else if (!parts.has(part.name)) parts.set(part.name, partOf(container, part));
    }
  } catch (error) {
    problems.push(problemOf(container.file.path, error));
    return undefined;
  }
  problems.push(...found);
  return [...parts.values()];
}

function partOf(container: Candidate, { name, revision, createdAt, updatedAt, bytes, copyOf }: FoundPart): Candidate {
  const mtimeMs = updatedAt ?? container.mtimeMs;
  return {
    source: container.source,
    file: { ...container.file, part: name },
    size: bytes ?? 0,
    mtimeMs,
    inode: 0,
    bornMs: Math.min(createdAt ?? mtimeMs, mtimeMs),
    revision,
    ...(copyOf !== undefined && { copyOf: { agent: copyOf.agent, nativeId: copyOf.session } }),
  };
}

/** A part as it was read last, of a container in which nothing changed. */
function partBefore(container: Candidate, part: StoredFile): Candidate {
  return {
    source: container.source,
    file: { ...container.file, part: part.path.slice(container.file.path.length + 1) },
    size: part.size,
    mtimeMs: part.mtimeMs,
    inode: 0,
    bornMs: part.mtimeMs,
    revision: part.window,
  };
}

function partsByContainer(stored: StoredFiles): ReadonlyMap<string, readonly StoredFile[]> {
  const parts = new Map<string, StoredFile[]>();
  for (const file of stored.values()) {
    if (file.container === undefined || file.missing) continue;
    const others = parts.get(file.container);
    if (others === undefined) parts.set(file.container, [file]);
    else others.push(file);
  }
  return parts;
}
