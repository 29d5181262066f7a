/**
 * Identity of a repository by its remote: `host/owner/name` in lower case, whatever scheme, user, port or `.git`
 * ending the URL has. Undefined for what names no host, such as a path.
 */
export function normaliseRemote(url: string): string | undefined {
  const trimmed = url.trim();
  const scp = /^(?:[^@/\s]+@)?([\w.-]+\.[\w.-]+|localhost):(?!\/\/)([^\s]+)$/.exec(trimmed);
  const full = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/\s]*@)?(\[[^\]]+\]|[^:/\s]+)(?::\d+)?\/([^\s?#]+)/i.exec(trimmed);
  const [, host, path] = scp ?? full ?? [];
  if (host === undefined || path === undefined) return undefined;
  const clean = path.replace(/^\/+|\/+$/g, "").replace(/\.git$/i, "");
  return clean === "" ? undefined : `${host}/${clean}`.toLowerCase();
}

/** One spelling of a folder: forward slashes, lower-case drive letter, WSL mounts as drives, no trailing slash. */
export function normaliseFolder(folder: string): string {
  const slashed = folder
    .trim()
    .replaceAll("\\", "/")
    .replace(/^\/mnt\/([a-zA-Z])(?=\/|$)/, "$1:");
  const drive = slashed.replace(/^([a-zA-Z]):/, (_, letter: string) => `${letter.toLowerCase()}:`);
  return drive.length > 1 ? drive.replace(/\/+$/, "") || "/" : drive;
}

/**
 * The folder of the repository that a worktree in one of the usual places belongs to, told by the path alone; the
 * folder itself where it is none. For folders that are no longer there to be asked.
 */
export function repositoryOfWorktree(folder: string): string {
  return folder.replace(/\/(?:\.claude\/worktrees|\.worktrees|\.git\/worktrees)\/.*$/, "");
}

/** Last part of a path or remote, for display. */
export function lastPart(path: string): string {
  return path.split("/").filter(Boolean).at(-1) ?? path;
}
