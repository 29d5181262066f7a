import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { YoreError } from "../core/errors.ts";
import {
  type ExclusionSetting,
  type Exclusions,
  exclusionsOf,
  folderOf,
  isExclusion,
  topmost,
} from "../core/exclusion.ts";
import { folderKey, isWithin, lastPart } from "../core/folder.ts";
import type { Store, StoredProject } from "../store/store.ts";
import { findProject } from "./find.ts";
import type { Workbench } from "./workbench.ts";
import type { ExclusionReply, Finding, Yore } from "./yore.ts";

/** What is excluded, as it is set now. */
export class ProjectExclusions {
  readonly setting: ExclusionSetting;
  readonly #home: string;
  readonly #inside: string | undefined;
  #known: { readonly asked: string; readonly exclusions: Exclusions | undefined } | undefined;

  /** `inside`: where programs work that Yore itself starts; what is worked there is excluded once it is there. */
  constructor(setting: ExclusionSetting, home: string, inside?: string) {
    this.setting = setting;
    this.#home = home;
    this.#inside = inside;
  }

  /** Undefined where nothing is; the same object for as long as nothing changes. Throws where the setting makes no sense. */
  current(): Exclusions | undefined {
    const own = this.#inside !== undefined && existsSync(this.#inside) ? [this.#inside] : [];
    const patterns = [...this.setting.fixed, ...this.setting.read(), ...own];
    const asked = JSON.stringify(patterns);
    if (this.#known?.asked !== asked) {
      // Agents may record the path that a link leads to.
      const real = patterns.flatMap((pattern) => realPath(folderOf(pattern, this.#home)));
      const exclusions = patterns.length === 0 ? undefined : exclusionsOf([...patterns, ...real], this.#home);
      this.#known = { asked, exclusions };
    }
    return this.#known.exclusions;
  }

  findings(): readonly Finding[] {
    const wrong = [...this.setting.fixed, ...this.setting.read()].filter((pattern) => !isExclusion(pattern));
    return wrong.map((pattern) => ({
      level: "warning",
      message: `"${pattern}" is set to be excluded, and is neither a folder nor a remote.`,
      remedy: "Give the whole path of a folder, or a remote such as github.com/acme/shop.",
    }));
  }
}

/** Nothing is excluded, and nothing can be. */
export const NO_EXCLUSIONS: ExclusionSetting = {
  fixed: [],
  path: "",
  read: () => [],
  write: () => {
    throw new YoreError("bad-input", "Nothing can be excluded here.");
  },
};

/** Says which projects are not to be stored. */
export function excluding({
  store,
  keeper,
  exclusions,
  environment,
  folder: workFolder,
}: Workbench): Pick<Yore, "exclusions" | "excludeProject" | "includeProject"> {
  const { setting } = exclusions;
  const { home } = environment;
  const isSameFolder = (pattern: string, asked: string): boolean =>
    folderOf(asked, home) !== undefined && folderOf(pattern, home) === folderOf(asked, home);
  const reply = async (changed: readonly string[]): Promise<ExclusionReply> => {
    await store.sessions.hideExcluded(exclusions.current());
    return {
      excluded: [
        ...setting.fixed.map((pattern) => ({ pattern, isFixed: true })),
        ...setting.read().map((pattern) => ({ pattern, isFixed: false })),
      ],
      changed,
      stored: (await store.sessions.excluded()).length,
    };
  };
  const absolute = (place: string): string => {
    const isPath = /^[./\\~]|^[a-z]:[/\\]/i.test(place);
    const isBelow = isPath && !isAbsolute(place) && !/^(?:~|[a-z]:[/\\])/i.test(place);
    return isBelow ? resolve(workFolder ?? "/", place) : place;
  };

  return {
    async exclusions() {
      await keeper.refresh();
      return reply([]);
    },

    async excludeProject({ place }) {
      // Nothing is read first that is not to be stored, unless it takes that to know what is meant.
      const asked = absolute(place.trim());
      const patterns = await patternsFor(store, asked, home).catch(async (error: unknown) => {
        if (!(error instanceof YoreError) || error.code !== "not-found") throw error;
        await keeper.refresh();
        return patternsFor(store, asked, home);
      });
      const before = setting.read();
      const added = patterns.filter((pattern) => ![...before, ...setting.fixed].includes(pattern));
      if (added.length > 0) setting.write([...before, ...added]);
      return reply(added);
    },

    async includeProject({ place }) {
      const asked = absolute(place.trim());
      const isMeant = (pattern: string): boolean =>
        pattern === asked || lastPart(pattern) === asked || isSameFolder(pattern, asked);
      const before = setting.read();
      const removed = before.filter(isMeant);
      if (removed.length === 0 && setting.fixed.some(isMeant)) {
        throw new YoreError("bad-input", "That is excluded by YORE_EXCLUDE_PROJECTS.", {
          hint: "Change the variable where it is set.",
        });
      }
      if (removed.length === 0) {
        throw new YoreError("not-found", "Nothing that is excluded is called that.", {
          hint: "`yore projects exclude` lists what is excluded.",
        });
      }
      setting.write(before.filter((pattern) => !removed.includes(pattern)));
      return reply(removed);
    },
  };
}

/** What stands for a place: a folder or a remote for itself, a project for its remote and the folders it was worked in. */
async function patternsFor(store: Store, place: string, home: string): Promise<readonly string[]> {
  if (isExclusion(place)) return [place];
  if (place === "") throw new YoreError("bad-input", "Give a folder, a project or a remote.");
  const patterns = patternsOf(await findProject(store, place));
  const all = patterns.find((pattern) => isWithin(folderKey(home), folderKey(pattern)));
  if (all !== undefined) {
    throw new YoreError("bad-input", `That project was worked in ${all}, and so is all that is below it.`, {
      hint: "If all of it is to be excluded, give that folder; else give the folders within it.",
    });
  }
  if (patterns.length > 0) return patterns;
  throw new YoreError("bad-input", "It is not known where that project was worked on.", {
    hint: "Give a folder instead.",
  });
}

function patternsOf({ key, folders, formerKeys = [], merged = [] }: StoredProject): readonly string[] {
  const keys = [key, ...formerKeys, ...merged.map((one) => one.key)];
  const pathsIn = (kind: string) =>
    keys.flatMap((one) => (one.startsWith(`${kind}:`) ? [one.slice(kind.length + 1)] : []));
  const paths = [...pathsIn("git"), ...pathsIn("folder"), ...pathsIn("split"), ...folders];
  return [...pathsIn("remote"), ...topmost(paths).filter((path) => isExclusion(path))];
}

function realPath(folder: string | undefined): readonly string[] {
  try {
    if (folder === undefined || /[*?]/.test(folder)) return [];
    const real = realpathSync.native(folder);
    return real === folder ? [] : [real];
  } catch {
    return [];
  }
}
