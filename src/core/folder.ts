/**
 * One spelling of a folder: forward slashes, lower-case drive letter, drives for the mounts of WSL and Cygwin, the
 * path within for WSL seen from Windows and for addresses of editors (`file:`, `vscode-remote:`), no trailing slash. A
 * folder on another machine begins with `//` and the machine's name.
 */
export function normaliseFolder(folder: string): string {
  const slashed = pathOfAddress(folder.trim()).normalize("NFC").replaceAll("\\", "/");
  const local = slashed
    .replace(/^\/\/[?.]\/UNC\//i, "//")
    .replace(/^\/\/[?.]\//, "")
    .replace(/^\/\/wsl(?:\$|\.localhost)\/[^/]+\/*/i, "/")
    .replace(/^\/(?:mnt|cygdrive)\/([a-z])(?=\/|$)/i, "$1:")
    .replace(/^\/([a-z])(?=\/Users(?:\/|$))/i, "$1:");
  return withoutDots(local.replace(/^([a-z]):/i, (_, letter: string) => `${letter.toLowerCase()}:`));
}

/** The same in one case where the system does not tell cases apart: for comparing, not for showing. */
export function folderKey(folder: string): string {
  const path = normaliseFolder(folder);
  return /^(?:[a-z]:|\/\/[^/+]+(?:\/|$))/.test(path) ? path.toLowerCase() : path;
}

/** Whether a folder is `top` or lies below it, both as {@link folderKey} gives them. */
export function isWithin(folder: string, top: string): boolean {
  return folder === top || folder.startsWith(top.endsWith("/") ? top : `${top}/`);
}

/** The folder itself and all above it, the nearest first. */
export function withAncestors(folder: string): string[] {
  const parts = folder.split("/");
  return parts.map((_, at) => parts.slice(0, parts.length - at).join("/") || "/");
}

/**
 * The folder of the repository that a worktree in one of the usual places belongs to, told by the path alone; the
 * folder itself where it is none. For folders that are no longer there to be asked.
 */
export function repositoryOfWorktree(folder: string): string {
  return folder.replace(WORKTREE, "");
}

/** The worktree that a folder in one of the usual places lies in, told by the path alone. */
export function worktreeOfPath(folder: string): string | undefined {
  const [inside] = WORKTREE.exec(folder) ?? [];
  const [name] = /(?<=worktrees\/)[^/]+/.exec(inside ?? "") ?? [];
  return inside === undefined || name === undefined
    ? undefined
    : folder.slice(0, folder.length - inside.length + inside.indexOf("worktrees/") + "worktrees/".length + name.length);
}

/** Last part of a path or remote, for display. */
export function lastPart(path: string): string {
  return path.split("/").filter(Boolean).at(-1) ?? path;
}

const WORKTREE = /\/(?:\.claude\/worktrees|\.worktrees|\.git\/worktrees)\/.*$/;

function pathOfAddress(text: string): string {
  const [, scheme, host = "", path = ""] = /^([a-z][a-z0-9+.-]+):\/\/([^/]*)(\/.*)?$/i.exec(text) ?? [];
  if (scheme === undefined) return text;
  const [authority, inside] = [decoded(host), decoded(path).replace(/^\/(?=[a-z]:)/i, "")];
  if (authority === "" || authority === "localhost" || /^wsl\+/i.test(authority)) return inside;
  const hostFolder = folderOfContainer(authority);
  if (hostFolder !== undefined) return inside.replace(/^\/workspaces\/[^/]+/, () => hostFolder);
  return `//${authority}${inside}`;
}

/** Editors name a container by the folder that it was made for, in hexadecimal digits, bare or in JSON. */
function folderOfContainer(authority: string): string | undefined {
  const digits = /^dev-container\+((?:[0-9a-f]{2})+)$/i.exec(authority)?.[1];
  if (digits === undefined) return undefined;
  const text = Buffer.from(digits, "hex").toString("utf8");
  const path = /^\{.*"hostPath"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]?.replaceAll("\\\\", "\\") ?? text;
  return /^(?:[/\\]|[a-z]:)/i.test(path) ? path : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function withoutDots(path: string): string {
  const [start = ""] = /^(?:\/\/[^/]+|\/|[a-z]:)?/.exec(path) ?? [];
  const kept: string[] = [];
  for (const part of path.slice(start.length).split("/")) {
    if (part === ".." && kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (part === ".." && start === "") kept.push(part);
    else if (part !== "" && part !== "." && part !== "..") kept.push(part);
  }
  const rest = kept.join("/");
  if (start === "" || start === "/") return `${start}${rest}`;
  return rest === "" ? start : `${start}/${rest}`;
}
