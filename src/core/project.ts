/**
 * Identity of a repository by its remote: `host/owner/name` in lower case, whatever scheme, user, port or `.git`
 * ending the URL has. Undefined for what names no host, such as a path.
 */
export function normaliseRemote(url: string): string | undefined {
  const trimmed = url.trim();
  const scp = /^(?:[^@/\s]+@([\w.-]+)|([\w.-]+\.[\w.-]+|localhost)):(?!\/\/)([^\s]+)$/.exec(trimmed);
  const full = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/\s]*@)?(\[[^\]]+\]|[^:/\s]+)(?::\d+)?\/([^\s?#]+)/i.exec(trimmed);
  const [host, path] = scp === null ? [full?.[1], full?.[2]] : [scp[1] ?? scp[2], scp[3]];
  if (host === undefined || path === undefined) return undefined;
  const clean = path.replace(/^\/+|\/+$/g, "").replace(/\.git$/i, "");
  return clean === "" ? undefined : inOneSpelling(`${host}/${clean}`.toLowerCase());
}

/** Hosts that go by several names give one repository several addresses. */
function inOneSpelling(remote: string): string {
  return (
    remote
      .replace(/^(?:ssh|altssh)\.(github\.com|gitlab\.com|bitbucket\.org)\//, "$1/")
      .replace(/^www\.(github\.com|gitlab\.com|bitbucket\.org)\//, "$1/")
      // The usual way to use several accounts: a name of one's own for each in the settings of SSH.
      .replace(/^(github\.com|gitlab\.com|bitbucket\.org)[-_][\w-]+\//, "$1/")
      .replace(/^ssh\.dev\.azure\.com\/v3\/([^/]+)\/([^/]+)\//, "dev.azure.com/$1/$2/")
      .replace(/^vs-ssh\.visualstudio\.com\/v3\/([^/]+)\/([^/]+)\//, "dev.azure.com/$1/$2/")
      .replace(/^([\w-]+)\.visualstudio\.com\/(?:defaultcollection\/)?([^/]+)\/_git\//, "dev.azure.com/$1/$2/")
      .replace(/^dev\.azure\.com\/([^/]+)\/([^/]+)\/_git\//, "dev.azure.com/$1/$2/")
  );
}
