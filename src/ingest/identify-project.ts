import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { lastPart, normaliseFolder, normaliseRemote, repositoryOfWorktree } from "../core/project.ts";
import type { ProjectIdentity } from "../store/store.ts";
import { folderOfName } from "./encoded-folder.ts";

/** Answers per folder; a pass asks for the same few folders thousands of times. */
export type ProjectIdentifier = (
  cwd: string | undefined,
  repositoryUrl: string | undefined,
  /** Where no path is known: the name that the agent made from it. */
  folderName?: string,
) => ProjectIdentity;

/**
 * Identifies the repository that work was done in: by its remote, else by the git directory that all its worktrees
 * share, else by the folder. Reads git's files itself, since starting git costs more than reading a transcript.
 */
export function projectIdentifier(home: string): ProjectIdentifier {
  const known = new Map<string, ProjectIdentity>();
  return (cwd, repositoryUrl, folderName) => {
    const key = `${repositoryUrl ?? ""}\n${cwd ?? ""}\n${folderName ?? ""}`;
    const folder = cwd ?? (folderName === undefined ? undefined : (folderOfName(folderName) ?? folderName));
    const answer = known.get(key) ?? identify(folder, repositoryUrl, home);
    known.set(key, answer);
    return answer;
  };
}

function identify(cwd: string | undefined, repositoryUrl: string | undefined, home: string): ProjectIdentity {
  const recorded = repositoryUrl === undefined ? undefined : normaliseRemote(repositoryUrl);
  if (recorded !== undefined) return byRemote(recorded, repositoryUrl ?? "");
  if (cwd === undefined || cwd.trim() === "") return { key: "folder:", name: "(unknown)", identity: "folder" };
  const repository = isAbsolute(cwd) ? findRepository(cwd, home) : undefined;
  if (repository === undefined) {
    const folder = repositoryOfWorktree(normaliseFolder(cwd));
    return { key: `folder:${folder}`, name: lastPart(folder), identity: "folder" };
  }
  const url = remoteUrl(repository);
  const remote = url === undefined ? undefined : normaliseRemote(url);
  if (url !== undefined && remote !== undefined) return byRemote(remote, url);
  const folder = normaliseFolder(basename(repository) === ".git" ? dirname(repository) : repository);
  return { key: `git:${folder}`, name: lastPart(folder).replace(/\.git$/, ""), identity: "git" };
}

function byRemote(key: string, url: string): ProjectIdentity {
  const name = lastPart(
    url
      .trim()
      .replace(/[/\s]+$/, "")
      .replaceAll(":", "/"),
  ).replace(/\.git$/i, "");
  return { key: `remote:${key}`, name, identity: "remote" };
}

/** The git directory shared by all worktrees of the repository around `folder`. */
function findRepository(folder: string, home: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    // A repository of dotfiles in the home folder would swallow every project below it.
    if (at === resolve(home) && at !== resolve(folder)) return undefined;
    const found = commonDirectory(join(at, ".git"));
    if (found !== undefined) return found;
    if (dirname(at) === at) return undefined;
  }
}

function commonDirectory(dotGit: string): string | undefined {
  try {
    const stat = statSync(dotGit, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    if (stat.isDirectory()) return existsSync(join(dotGit, "HEAD")) ? realpathSync(dotGit) : undefined;
    const pointed = /^gitdir:\s*(.+)$/m.exec(readFileSync(dotGit, "utf8"))?.[1]?.trim();
    if (pointed === undefined) return undefined;
    const directory = resolve(dirname(dotGit), pointed);
    const common = join(directory, "commondir");
    if (existsSync(common)) return realpathSync(resolve(directory, readFileSync(common, "utf8").trim()));
    // A submodule has a directory of its own; of a worktree that outlived its repository the path tells.
    return existsSync(directory) ? realpathSync(directory) : directory.replace(/[\\/]worktrees[\\/][^\\/]+$/, "");
  } catch {
    // A folder that cannot be read is identified by its path, as one that is gone.
    return undefined;
  }
}

function remoteUrl(repository: string): string | undefined {
  try {
    const config = readFileSync(join(repository, "config"), "utf8");
    const sections = [...config.matchAll(/^\[remote "([^"]+)"\]([^[]*)/gm)];
    const chosen = sections.find(([, name]) => name === "origin") ?? sections[0];
    return /^\s*url\s*=\s*(.+)$/m.exec(chosen?.[2] ?? "")?.[1]?.trim();
  } catch {
    return undefined;
  }
}
