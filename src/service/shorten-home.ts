/** Writes `~` for home folders, so that a text does not tell who its author is on their machine. */
export function homeShortener(homes: readonly (string | undefined)[]): (text: string) => string {
  const plain = new Set<string>();
  const encoded = new Set<string>();
  for (const home of homes) {
    // A home of a letter or two, or none, would take away other things.
    if (home === undefined || home.length < SHORTEST) continue;
    for (const spelling of [home, home.replaceAll("\\", "\\\\"), home.replaceAll("\\", "/")]) plain.add(spelling);
    encoded.add(home.replace(/[^A-Za-z0-9]/g, "-"));
  }
  if (plain.size === 0) return (text) => text;
  // Agents name folders after paths, with hyphens in the place of slashes.
  const pattern = new RegExp(`(?:${any(plain)})(?![\\w-])|(?<=[\\\\/])(?:${any(encoded)})(?=-)`, "g");
  return (text) => text.replace(pattern, "~");
}

const SHORTEST = 4;

/** The home folder that a path lies in, by how systems lay them out; for sessions of other machines. */
export function homeOf(path: string | undefined): string | undefined {
  return path === undefined ? undefined : HOME.exec(path)?.[0];
}

const HOME = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root(?=\/|$)|[A-Za-z]:[\\/]Users[\\/][^\\/]+)/;

function any(texts: ReadonlySet<string>): string {
  return [...texts]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&"))
    .join("|");
}
