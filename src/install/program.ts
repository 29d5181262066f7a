/** What agents start, as the words of a command line: `yore` from the PATH, or Node with the script. */
export interface Program {
  readonly words: readonly string[];
  /** Variables that it needs besides those that agents pass on. */
  readonly variables: Readonly<Record<string, string>>;
}

/** `words`: split at spaces by the agent or by cmd.exe, which know double quotes. */
export type Shell = "posix" | "powershell" | "words";

/** A line for a shell that runs a hook. Of a program that is gone, one for a POSIX shell says nothing. */
export function hookLine(
  program: Program,
  event: string,
  agent: string,
  shell: Shell,
  options: readonly string[] = [],
): string {
  const words = [...program.words, "hook", event, "--agent", agent, ...options];
  const variables = Object.entries(program.variables);
  if (shell === "posix") {
    const line = [...variables.map(([name, value]) => `${name}=${posix(value)}`), ...words.map(posix)].join(" ");
    return guarded(program, line);
  }
  if (shell === "words") return words.map(doubleQuoted).join(" ");
  const set = variables.map(([name, value]) => `$env:${name} = ${powershell(value)}; `).join("");
  return `${set}& ${words.map(powershell).join(" ")}`;
}

/** A path is tested without `if`, which fish spells otherwise: Codex may run hooks in the shell that a person uses. */
function guarded({ words: [name = "", script] }: Program, line: string): string {
  if (script === undefined) return `if command -v ${name} >/dev/null 2>&1; then ${line}; fi`;
  return script.startsWith("/") ? `test ! -f ${posix(script)} || ${line}` : line;
}

/** Whether a text starts the hook of this agent, in whatever version and spelling. */
export function isHookLine(text: unknown, agent: string): boolean {
  if (typeof text !== "string" || !/\byore\b/i.test(text)) return false;
  const { words = [] } = wordsOfLine(text);
  const at = words.indexOf("hook");
  return at >= 0 && words[at + 2] === "--agent" && words[at + 3] === agent;
}

const GUARDED =
  /^(?:if command -v \S+ >\/dev\/null 2>&1; then (?<named>.*); fi|test ! -f (?:'[^']*'|\\'|[^\s'])+ \|\| (?<placed>.*))$/;

/** The words of a line as one of ours is written, for any of the shells, and the variables before them. */
export function wordsOfLine(line: string): {
  readonly words: readonly string[] | undefined;
  readonly variables: Readonly<Record<string, string>>;
} {
  const { named, placed } = GUARDED.exec(line)?.groups ?? {};
  const inner = named ?? placed ?? line;
  const variables: Record<string, string> = {};
  const rest = inner.replace(/^((?:\$env:\w+ = '(?:[^']|'')*'; )*)& /, (_, set: string) => {
    for (const [, name = "", value = ""] of set.matchAll(/\$env:(\w+) = '((?:[^']|'')*)';/g)) {
      variables[name] = value.replaceAll("''", "'");
    }
    return "";
  });
  const words: string[] = [];
  // Quoted parts, with what a quote is written as within them, and plain ones may follow each other in a word.
  const pattern = /(?:'[^']*'|\\'|"(?:[^"\\]|\\.)*"|[^\s'"])+/g;
  if (rest.replaceAll(pattern, "").trim() !== "") return { words: undefined, variables };
  for (const [word] of rest.matchAll(pattern)) {
    const plain = word.replaceAll(
      /'([^']*)'|\\'|"((?:[^"\\]|\\.)*)"/g,
      (_, single?: string, double?: string) => single ?? double?.replaceAll('\\"', '"') ?? "'",
    );
    const [, name, value] = words.length === 0 ? (/^([A-Z_]+)=(.*)$/s.exec(plain) ?? []) : [];
    if (name === undefined) words.push(plain);
    else variables[name] = value ?? "";
  }
  return { words, variables };
}

function posix(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function powershell(word: string): string {
  return /^[\w:./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`;
}

function doubleQuoted(word: string): string {
  return /[\s"]/.test(word) ? `"${word.replaceAll('"', '\\"')}"` : word;
}

/** Arguments of the server. */
export function serverCommand(program: Program): { readonly command: string; readonly args: readonly string[] } {
  const [command = "yore", ...rest] = program.words;
  return { command, args: [...rest, "mcp"] };
}
