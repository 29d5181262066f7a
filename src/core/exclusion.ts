import { folderKey, isWithin } from "./folder.ts";
import { normaliseRemote } from "./project.ts";

/** Where work was done, as far as it is known. */
export interface WorkPlace {
  readonly folder?: string;
  /** Name of the agent's own folder, made of the path; for work whose path is not known. */
  readonly folderName?: string;
  /** Keys of the projects that it is of: `remote:…`, `git:…`, `folder:…`. */
  readonly projects?: readonly string[];
}

/** Which places are excluded. */
export interface Exclusions {
  /** As they were given. */
  readonly patterns: readonly string[];
  /** `likely`: the name of a folder may be that of one that is excluded, or of another. */
  readonly test: (place: WorkPlace) => "yes" | "no" | "likely";
}

/** Where the patterns are set. */
export interface ExclusionSetting {
  /** Those of the environment, which only that can change. */
  readonly fixed: readonly string[];
  /** The file with the others. */
  readonly path: string;
  /** Those of the file as it is now. Throws `bad-input` where it makes no sense: then nothing may be stored. */
  read(): readonly string[];
  /** Puts others in their place, and leaves alone what else the file says. */
  write(patterns: readonly string[]): void;
}

/**
 * What a list of patterns excludes: a folder with all that is below it, or a repository by its remote, such as
 * `github.com/acme/shop`. In both `*` stands for any part of a name, `**` for any number of names. A pattern that is
 * neither excludes nothing.
 */
export function exclusionsOf(patterns: readonly string[], home: string): Exclusions {
  const folders = patterns.flatMap((pattern) => folderOf(pattern, home) ?? []);
  const folderTests = folders.map((folder) => below(folder));
  const nameTests = folders.map((folder) => below(encoded(folder), "-"));
  const remoteTests = patterns.flatMap((pattern) => remoteIn(pattern) ?? []).map((remote) => below(remote));
  const isFolder = (folder: string): boolean => folderTests.some((test) => test.test(folder));
  const isProject = (key: string): boolean => {
    const [, kind, rest = ""] = /^(\w+):(.*)$/s.exec(key) ?? [];
    return kind === "remote" ? remoteTests.some((test) => test.test(rest)) : rest !== "" && isFolder(rest);
  };
  return {
    patterns,
    test: ({ folder, folderName, projects = [] }) => {
      if (projects.some(isProject) || (folder !== undefined && isFolder(folderKey(folder)))) return "yes";
      const isLikely = folder === undefined && folderName !== undefined;
      return isLikely && nameTests.some((test) => test.test(encoded(folderName))) ? "likely" : "no";
    },
  };
}

/** Whether a pattern can exclude anything. */
export function isExclusion(pattern: string): boolean {
  return folderOf(pattern, "/") !== undefined || remoteIn(pattern) !== undefined;
}

/** The folder of a pattern of one, as {@link folderKey} spells it. */
export function folderOf(pattern: string, home: string): string | undefined {
  const path = pattern.trim().replace(/^~(?=$|[/\\])/, home);
  const isFolder = /^(?:[/\\]|[a-z]:[/\\]|\*\*[/\\])/i.test(path);
  if (!isFolder) return undefined;
  return folderKey(path.replace(/(?<=.)(?:[/\\]+(?:\*\*)?)+$/, "")) || "/";
}

function remoteIn(pattern: string): string | undefined {
  const text = pattern.trim();
  if (folderOf(text, "/") !== undefined) return undefined;
  const remote =
    normaliseRemote(text) ??
    text
      .toLowerCase()
      .replace(/\/+$/, "")
      .replace(/\.git$/, "");
  return /^[\w*?-]+(?:\.[\w*?-]+)+(?::\d+)?\/[^\s]+$/.test(remote) ? remote : undefined;
}

/** Folders of which none lies within another, in order. */
export function topmost(folders: readonly string[]): readonly string[] {
  const keys = [...new Set(folders.map(folderKey))].filter((folder) => folder !== "").sort();
  return keys.filter((folder) => !keys.some((other) => other !== folder && isWithin(folder, other)));
}

/** Matches what a pattern names, and what lies below it. */
function below(pattern: string, separator = "/"): RegExp {
  const source = pattern
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part, index) => (index % 2 === 0 ? part.replace(/[\\^$.+()[\]{}|]/g, "\\$&") : (GLOBS[part] ?? "")))
    .join("");
  return new RegExp(`^${source}(?:${source.endsWith("/") ? "" : separator}|$)`, "s");
}

const GLOBS: Readonly<Record<string, string>> = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" };

/** As agents make a name of a path, with the signs of patterns left as they are. */
function encoded(path: string): string {
  return path.normalize("NFC").replace(/[^A-Za-z0-9*?]/g, "-");
}
