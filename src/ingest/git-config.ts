import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface ConfigEntry {
  readonly section: string;
  readonly subsection: string;
  readonly key: string;
  readonly value: string;
}

/** Entries of a file in git's format, in order; none where there is no such file. Includes are not followed. */
export function readGitConfig(path: string): readonly ConfigEntry[] {
  const text = readText(path);
  const entries: ConfigEntry[] = [];
  let [section, subsection] = ["", ""];
  for (const line of text.split(/\r?\n/)) {
    const head = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (head !== null) [section, subsection] = [(head[1] ?? "").toLowerCase(), (head[2] ?? "").replace(/\\(.)/g, "$1")];
    const [, key, value] = /^\s*([a-z][\w-]*)\s*=\s*(.*?)\s*$/i.exec(head === null ? line : "") ?? [];
    if (key !== undefined && value !== undefined) {
      entries.push({ section, subsection, key: key.toLowerCase(), value: unquoted(value) });
    }
  }
  return entries;
}

/** The address of `origin`, or else of the first remote there is. */
export function remoteOf(config: readonly ConfigEntry[]): string | undefined {
  const remotes = config.filter(({ section, key, value }) => section === "remote" && key === "url" && value !== "");
  return (remotes.find(({ subsection }) => subsection === "origin") ?? remotes[0])?.value;
}

/** Turns an address into what git would connect to. */
export type ResolveAddress = (address: string, config?: readonly ConfigEntry[]) => string;

/** Knows the abbreviations of the user's git configuration, and the names that SSH's gives to hosts. */
export function addressResolver(home: string): ResolveAddress {
  let own: readonly ConfigEntry[] | undefined;
  let hosts: ReadonlyMap<string, string> | undefined;
  return (address, config = []) => {
    own ??= [join(home, ".config", "git", "config"), join(home, ".gitconfig")].flatMap(readGitConfig);
    const written = insteadOf(address.trim(), [...own, ...config]);
    return written.replace(SSH_HOST, (whole, before: string, host: string) => {
      hosts ??= sshHosts(readText(join(home, ".ssh", "config")));
      const name = hosts.get(host.toLowerCase());
      return name === undefined ? whole : `${before}${name}`;
    });
  };
}

/** Of `ssh://user@host/path` and of `user@host:path`, all up to the host. */
const SSH_HOST =
  /^((?:(?:git\+)?ssh:\/\/)(?:[^@/\s]*@)?|(?![a-z][a-z0-9+.-]*:\/\/)(?:[^@/\s:]+@)?)([\w.-]{2,})(?=[:/])/i;

/** The longest abbreviation counts. */
function insteadOf(address: string, config: readonly ConfigEntry[]): string {
  const fitting = config
    .filter(({ section, key, value }) => section === "url" && key === "insteadof" && value !== "")
    .filter(({ value }) => address.startsWith(value))
    .sort((a, b) => b.value.length - a.value.length)[0];
  return fitting === undefined ? address : `${fitting.subsection}${address.slice(fitting.value.length)}`;
}

function sshHosts(text: string): ReadonlyMap<string, string> {
  const hosts = new Map<string, string>();
  let names: readonly string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, key = "", value = ""] = /^\s*(\w+)(?:\s+|\s*=\s*)(.*?)\s*$/.exec(line) ?? [];
    if (/^match$/i.test(key)) names = [];
    if (/^host$/i.test(key)) names = value.split(/\s+/).map((name) => name.toLowerCase());
    if (!/^hostname$/i.test(key) || /[%*?!]/.test(value)) continue;
    for (const name of names) if (!/[*?!]/.test(name) && !hosts.has(name)) hosts.set(name, value);
  }
  return hosts;
}

function unquoted(value: string): string {
  const whole = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1];
  return whole === undefined ? value.replace(/\s+[#;].*$/, "") : whole.replace(/\\(.)/g, "$1");
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
