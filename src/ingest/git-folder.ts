import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { normaliseFolder } from "../core/folder.ts";

/** What the disk tells of the repository around a folder. */
export interface Repository {
  /** Git directory that all its worktrees share. */
  readonly common: string;
  /** The main folder, or the git directory itself where that stands elsewhere. */
  readonly main: string;
  /** Top folder of the worktree, where it is not the main one. */
  readonly worktree?: string;
  /** Top folder of the main one, where its git directory stands elsewhere, such as a submodule's. */
  readonly top?: string;
}

/** The repository around `folder`, which is a real path. Reads git's files, since starting git takes longer. */
export function findRepository(folder: string, home: string): Repository | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    // A repository of dotfiles in the home folder would swallow every project below it.
    if (at === home && at !== resolve(folder)) return undefined;
    const found = repositoryAt(at);
    if (found !== undefined) return found;
    if (dirname(at) === at) return undefined;
  }
}

/** One and the same for a git directory wherever it is moved to, and when it was made. */
export function markOf(common: string): { readonly stamp: string; readonly bornMs: number } | undefined {
  try {
    // Written when the directory is made, and never again.
    const description = statSync(join(common, "description"), { bigint: true, throwIfNoEntry: false });
    if (description !== undefined) {
      return { stamp: `${description.ino}-${description.mtimeNs}`, bornMs: Number(description.mtimeMs) };
    }
    const directory = statSync(common, { bigint: true });
    // Zero where the system does not know.
    if (directory.birthtimeNs <= 0n) return undefined;
    return { stamp: `${directory.ino}-${directory.birthtimeNs}`, bornMs: Number(directory.birthtimeMs) };
  } catch {
    return undefined;
  }
}

/** Where a path of Windows is found here, if this is WSL. */
export function localPath(folder: string, platform: NodeJS.Platform, mounts: string): string {
  const path = normaliseFolder(folder);
  return platform === "win32" ? path : path.replace(/^([a-z]):(?=\/|$)/, (_, drive) => join(mounts, drive));
}

function repositoryAt(folder: string): Repository | undefined {
  try {
    const dotGit = join(folder, ".git");
    const stat = statSync(dotGit, { throwIfNoEntry: false });
    if (stat === undefined) return isGitDirectory(folder) ? ofCommon(realpathSync(folder)) : undefined;
    if (stat.isDirectory()) return existsSync(join(dotGit, "HEAD")) ? ofCommon(realpathSync(dotGit)) : undefined;
    const pointed = /^gitdir:\s*(.+)$/m.exec(readFileSync(dotGit, "utf8"))?.[1]?.trim();
    return pointed === undefined ? undefined : ofPointer(folder, pointed);
  } catch {
    // A folder that cannot be read is identified by its path, as one that is gone.
    return undefined;
  }
}

function ofPointer(folder: string, pointed: string): Repository {
  const directory = resolve(folder, localPath(pointed, process.platform, "/mnt"));
  const common = join(directory, "commondir");
  if (existsSync(common)) {
    const shared = realpathSync(resolve(directory, readFileSync(common, "utf8").trim()));
    return { ...ofCommon(shared), worktree: realpathSync(folder) };
  }
  // A submodule has a directory of its own; of a worktree that outlived its repository the path tells.
  if (existsSync(directory)) return { ...ofCommon(realpathSync(directory)), top: realpathSync(folder) };
  const gone = directory.replace(/[\\/]worktrees[\\/][^\\/]+$/, "");
  return { ...ofCommon(gone), ...(gone !== directory && { worktree: realpathSync(folder) }) };
}

function ofCommon(common: string): Repository {
  return { common, main: basename(common) === ".git" ? dirname(common) : common };
}

function isGitDirectory(folder: string): boolean {
  return existsSync(join(folder, "HEAD")) && existsSync(join(folder, "objects")) && existsSync(join(folder, "refs"));
}
