import type { Container, FoundFile, FoundPart, Source } from "../sources/source.ts";
import type { StoredFile } from "../store/store.ts";
import { type Candidate, type Discovery, describe, type Problem } from "./discover.ts";
import { compare } from "./fingerprint.ts";
import type { StoredFiles } from "./plan.ts";

/** Containers that are open in this pass. A pass reads many parts of the same few. */
export class OpenContainers {
  readonly #open = new Map<string, Container>();

  /** Throws where the container cannot be opened now. */
  open(source: Source, file: FoundFile): Container {
    const known = this.#open.get(file.path);
    if (known !== undefined) return known;
    const container = source.open?.(file);
    if (container === undefined) throw new Error(`${source.agent} cannot open containers`);
    for (const path of this.#open.keys()) if (this.#open.size >= MAX_OPEN) this.#closeOne(path);
    this.#open.set(file.path, container);
    return container;
  }

  close(): void {
    for (const path of [...this.#open.keys()]) this.#closeOne(path);
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
}

/**
 * Puts the parts of containers in their place. Only one that changed is opened; of the others, and of those that cannot be
 * opened now, the parts are those that were there before. Once `mustStop`, none is opened any more.
 */
export function takeApart(
  discovery: Discovery,
  stored: StoredFiles,
  open: OpenContainers,
  { rebuild, mustStop }: { readonly rebuild: boolean; readonly mustStop: () => boolean },
): TakenApart {
  const containers = discovery.candidates.filter(({ file }) => file.unit === "container" && file.part === undefined);
  if (containers.length === 0) return { discovery, containers, changed: [] };
  const problems: Problem[] = [...discovery.problems];
  const changed: Candidate[] = [];
  const known = partsByContainer(stored);
  const candidates = discovery.candidates.flatMap((candidate): readonly Candidate[] => {
    if (!containers.includes(candidate)) return [candidate];
    const before = () => (known.get(candidate.file.path) ?? []).map((part) => partBefore(candidate, part));
    const isChanged = rebuild || compare(candidate, stored.get(candidate.file.path)).kind !== "unchanged";
    if (!isChanged || mustStop()) return before();
    try {
      const parts = listParts(candidate, open, problems);
      changed.push(candidate);
      return parts;
    } catch (error) {
      problems.push({ path: candidate.file.path, problem: describe(error) });
      return before();
    }
  });
  return { discovery: { ...discovery, candidates, problems }, containers, changed };
}

function listParts(container: Candidate, open: OpenContainers, problems: Problem[]): Candidate[] {
  const parts = new Map<string, Candidate>();
  for (const part of open.open(container.source, container.file).parts()) {
    if ("problem" in part) problems.push(part);
    else if (!parts.has(part.name)) parts.set(part.name, partOf(container, part));
  }
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
