import { createHash } from "node:crypto";
import type { Exclusions, WorkPlace } from "../core/exclusion.ts";
import { folderKey } from "../core/folder.ts";
import type { SessionItem } from "../sources/source.ts";
import type { FileRow, SessionKey, Store, StoredSessionKey } from "../store/store.ts";
import type { ProjectIdentifier } from "./identify-project.ts";
import type { PreparedMessage } from "./prepare.ts";

/** What is known of a session from the beginning of its file. */
export interface Opening {
  readonly agent: string;
  readonly session: string;
  readonly facts: readonly SessionItem[];
  readonly messages: readonly Pick<PreparedMessage, "cwd">[];
  readonly file?: Pick<FileRow, "copyOf">;
}

/**
 * `unknown`: nothing tells yet where it was worked; `likely`: it was in a place that is excluded, or in one with a like
 * name.
 */
export type Verdict = "admitted" | "refused" | "likely" | "unknown";

/** What is excluded now; undefined where nothing is. The same object for as long as nothing changes. */
export type AskExclusions = () => Exclusions | undefined;

/** Says which sessions may be stored: none of an excluded place, and none that was removed for good. */
export class Admission {
  /** Names what is refused now: what was refused under another name has to be looked at again. */
  readonly stamp: string;
  readonly #ask: AskExclusions | undefined;
  readonly #exclusions: Exclusions | undefined;
  /** Removed for good. */
  readonly #removed: ReadonlySet<string>;
  /** Excluded: those that are stored from before, and those that this pass refused. */
  readonly #excluded: Set<string>;
  readonly #stored: ReadonlySet<number>;
  readonly #projects: ReadonlyMap<string, readonly string[]>;

  private constructor(facts: {
    readonly ask: AskExclusions | undefined;
    readonly exclusions: Exclusions | undefined;
    readonly removed: readonly (SessionKey & { readonly id?: number })[];
    readonly stored: readonly StoredSessionKey[];
    readonly places: readonly WorkPlace[];
  }) {
    const { ask, exclusions, removed, stored, places } = facts;
    this.#ask = ask;
    this.#exclusions = exclusions;
    this.#removed = new Set(removed.map(idOf));
    this.#excluded = new Set(stored.map(idOf));
    this.#stored = new Set([...stored, ...removed].flatMap(({ id }) => id ?? []));
    this.#projects = new Map(places.map(({ folder = "", projects = [] }) => [folderKey(folder), projects]));
    this.stamp = createHash("sha256")
      .update(JSON.stringify([exclusions?.patterns ?? [], removed.map(idOf)]))
      .digest("base64url")
      .slice(0, 12);
  }

  /** As it is now. Sessions of excluded places are hidden from then on. */
  static async of({ sessions, files }: Store, ask: AskExclusions | undefined): Promise<Admission> {
    const exclusions = ask?.();
    await sessions.hideExcluded(exclusions);
    const isOpen = exclusions === undefined;
    return new Admission({
      ask,
      exclusions,
      removed: await files.refused(),
      stored: isOpen ? [] : await sessions.excluded(),
      places: isOpen ? [] : await files.workPlaces(),
    });
  }

  /** Whether something else is excluded since. Throws where the setting makes no sense any more. */
  isOutdated(): boolean {
    return this.#ask?.() !== this.#exclusions;
  }

  /** Whether nothing more of a stored session may be stored. */
  isClosed(session: number | undefined): boolean {
    return session !== undefined && this.#stored.has(session);
  }

  judge({ agent, session, facts, messages, file }: Opening, identify: ProjectIdentifier): Verdict {
    const parents = facts.flatMap(({ parent }) => (parent?.relation === "subagent" ? [parent.session] : []));
    const names = [session, ...parents].map((nativeId) => idOf({ agent, nativeId }));
    // What repeats a session, such as a list of prompts, goes where that went.
    const original = file?.copyOf === undefined ? [] : [idOf(file.copyOf)];
    if ([...names, ...original].some((name) => this.#removed.has(name))) return "refused";
    if (this.#exclusions === undefined) return "admitted";
    const verdict = names.some((name) => this.#excluded.has(name)) ? "yes" : undefined;
    const place = this.#placeOf({ facts, messages }, identify);
    const test = verdict ?? this.#exclusions.test(place);
    if (test === "yes") this.#excluded.add(idOf({ agent, nativeId: session }));
    if (test === "yes") return "refused";
    if (place.folder !== undefined) return "admitted";
    return test === "likely" ? "likely" : "unknown";
  }

  #placeOf({ facts, messages }: Pick<Opening, "facts" | "messages">, identify: ProjectIdentifier): WorkPlace {
    const folder = first(facts, ({ cwd }) => cwd) ?? first(messages, ({ cwd }) => cwd);
    const folderName = first(facts, (fact) => fact.folderName);
    const remote = first(facts, ({ repositoryUrl }) => repositoryUrl);
    const known = folder === undefined ? [] : (this.#projects.get(folderKey(folder)) ?? []);
    const isTold = folder !== undefined || folderName !== undefined || remote !== undefined;
    return {
      projects: [...(isTold ? [identify(folder, remote, folderName).key] : []), ...known],
      ...(folder !== undefined && { folder }),
      ...(folderName !== undefined && { folderName }),
    };
  }
}

function first<T>(items: readonly T[], tell: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const told = tell(item);
    if (told !== undefined && told !== "") return told;
  }
  return undefined;
}

function idOf({ agent, nativeId }: SessionKey): string {
  return `${agent} ${nativeId}`;
}
