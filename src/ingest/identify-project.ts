import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { folderKey, lastPart, normaliseFolder, repositoryOfWorktree, worktreeOfPath } from "../core/folder.ts";
import { normaliseRemote } from "../core/project.ts";
import type { ProjectIdentity } from "../store/store.ts";
import { folderOfName } from "./encoded-folder.ts";
import { addressResolver, type ResolveAddress, readGitConfig, remoteOf } from "./git-config.ts";
import { findRepository, localPath, markOf } from "./git-folder.ts";

/** Answers per folder; a pass asks for the same few folders thousands of times. */
export type ProjectIdentifier = (
  cwd: string | undefined,
  repositoryUrl: string | undefined,
  /** Where no path is known: the name that the agent made from it. */
  folderName?: string,
  /** When the work began: what an agent recorded earlier than a repository was cloned is of another one. */
  startedAt?: number,
) => ProjectIdentity;

export interface IdentifierOptions {
  readonly platform?: NodeJS.Platform;
  /** Where WSL mounts the drives of Windows. */
  readonly mounts?: string;
}

/**
 * Identifies the repository that work was done in: by its remote, else by the git directory that all its worktrees
 * share, else by the folder.
 *
 * A remote that the agent recorded counts before the one that the disk tells, unless the repository that is there is the
 * very one that was there then: its remote was renamed since.
 */
export function projectIdentifier(home: string, options: IdentifierOptions = {}): ProjectIdentifier {
  const places = new Map<string, Place>();
  const resolveAddress = addressResolver(home);
  const placeOf = (folder: string): Place => {
    const known = places.get(folder) ?? lookAt(folder, home, options, resolveAddress);
    places.set(folder, known);
    return known;
  };
  const names = new Map<string, string>();
  return (cwd, repositoryUrl, folderName, startedAt) => {
    if (cwd === undefined && folderName !== undefined && !names.has(folderName))
      names.set(folderName, folderOfName(folderName) ?? folderName);
    const folder = cwd ?? names.get(folderName ?? "") ?? "";
    const address = repositoryUrl === undefined ? undefined : resolveAddress(repositoryUrl);
    const recorded = address === undefined ? undefined : byRemote(address);
    const place = folder.trim() === "" ? undefined : placeOf(folder);
    if (recorded === undefined) return place?.identity ?? UNKNOWN;
    if (place === undefined) return recorded;
    const { identity, bornMs } = place;
    const { worktree } = identity;
    const isOfThisOne = bornMs !== undefined && startedAt !== undefined && startedAt >= bornMs - CLOCK_MS;
    if (isOfThisOne && identity.identity === "remote") return identity;
    return {
      ...recorded,
      ...(worktree !== undefined && { worktree }),
      ...(isOfThisOne && identity.seen !== undefined && { seen: identity.seen }),
    };
  };
}

const UNKNOWN: ProjectIdentity = { key: "folder:", name: "(unknown)", identity: "folder" };
/** Clocks of transcripts and of file systems differ by less. */
const CLOCK_MS = 60_000;

interface Place {
  readonly identity: ProjectIdentity;
  /** When the git directory that is there now was made. */
  readonly bornMs?: number;
}

function lookAt(cwd: string, home: string, options: IdentifierOptions, resolveAddress: ResolveAddress): Place {
  const { platform = process.platform, mounts = "/mnt" } = options;
  const asked = cwd.replace(/^~(?=$|[/\\])/, home);
  const local = isAbsolute(asked) && existsSync(asked) ? asked : localPath(asked, platform, mounts);
  const isHere = isAbsolute(local) && (platform === "win32" || !local.startsWith("//"));
  const folder = isHere ? realPath(local) : local;
  const isThere = isHere && existsSync(folder);
  const realHome = realPath(resolve(home));
  const repository = isHere ? findRepository(folder, realHome) : undefined;
  const spell = (path: string): string => normaliseFolder(platform === "win32" ? path : fromMount(path, mounts));
  if (repository === undefined) return { identity: byFolder(spell(folder), isThere) };
  const { common, main, worktree } = repository;
  const goneWorktree = isThere ? undefined : worktreeOfPath(spell(folder));
  const config = readGitConfig(join(common, "config"));
  const url = remoteOf(config);
  return byRepository({
    main: spell(main),
    // What lies below the home folder does not belong to a repository of dotfiles in it, nor all there is to one.
    holdsOthers: main === realHome || dirname(main) === main,
    worktree: worktree === undefined ? goneWorktree : spell(worktree),
    remote: url === undefined ? undefined : byRemote(resolveAddress(url, config)),
    mark: markOf(common),
  });
}

interface FoundRepository {
  readonly main: string;
  readonly holdsOthers: boolean;
  readonly worktree: string | undefined;
  readonly remote: ProjectIdentity | undefined;
  readonly mark: ReturnType<typeof markOf>;
}

function byRepository({ main, holdsOthers, worktree, remote, mark }: FoundRepository): Place {
  const name = lastPart(main).replace(/(?<=.)\.git$/, "");
  const named: ProjectIdentity = remote ?? { key: `git:${folderKey(main)}`, name, identity: "git" };
  return {
    identity: {
      ...named,
      ...(worktree !== undefined && { worktree }),
      seen: holdsOthers ? {} : { root: folderKey(main), ...(mark !== undefined && { stamp: mark.stamp }) },
    },
    ...(mark !== undefined && { bornMs: mark.bornMs }),
  };
}

function byFolder(path: string, isThere: boolean): ProjectIdentity {
  const folder = repositoryOfWorktree(path);
  const worktree = worktreeOfPath(path);
  return {
    key: `folder:${folderKey(folder)}`,
    name: lastPart(folder),
    identity: "folder",
    ...(worktree !== undefined && { worktree }),
    ...(isThere && { seen: {} }),
  };
}

function byRemote(url: string): ProjectIdentity | undefined {
  const key = normaliseRemote(url);
  if (key === undefined) return undefined;
  const path = url
    .trim()
    .replace(/[?#].*$/, "")
    .replace(/[/\s]+$/, "")
    .replaceAll(":", "/");
  return { key: `remote:${key}`, name: lastPart(path).replace(/\.git$/i, ""), identity: "remote" };
}

/** Links resolved, and cases as the file system has them, as far down as the path is there. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path));
  }
}

function fromMount(folder: string, mounts: string): string {
  const inside = folder.startsWith(`${mounts}/`) ? folder.slice(mounts.length + 1) : "";
  return /^[a-z](?=\/|$)/i.test(inside) ? `${inside[0]}:${inside.slice(1)}` : folder;
}
