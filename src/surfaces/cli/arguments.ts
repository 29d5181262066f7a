import { type CommandEntry, commands } from "./commands.ts";

/** What was typed, taken apart as far as is needed to know whose business it is. */
export interface Route {
  /** The command asked for, if it exists. */
  readonly entry?: CommandEntry;
  readonly isCommandGiven: boolean;
  /** What to parse. */
  readonly argv: readonly string[];
  /** What stands behind the command's name. */
  readonly rest: readonly string[];
}

export function routeArguments(argv: readonly string[]): Route {
  const at = argv.findIndex((argument) => !argument.startsWith("-"));
  const name = argv[at];
  if (name === undefined) return { isCommandGiven: false, argv, rest: [] };
  if (name === "help") return routeArguments(argv[at + 1] === undefined ? ["--help"] : [argv[at + 1] ?? "", "--help"]);
  const entry = commands.find((command) => command.name === name);
  // Without what follows: a `--help` there would hide that the command does not exist.
  if (entry === undefined) return { isCommandGiven: true, argv: argv.slice(0, at + 1), rest: [] };
  const rest = argv.slice(at + 1);
  const parsed = entry.takesDashWords ? moveDashWords(rest) : rest;
  return { entry, isCommandGiven: true, argv: [...argv.slice(0, at + 1), ...parsed], rest };
}

/** Whether an option without a value was given, before a `--`. */
export function hasFlag(argv: readonly string[], flag: string): boolean {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).includes(flag);
}

// `-word` would be read as options w, o, r, d. Behind `--` everything is an argument.
function moveDashWords(rest: readonly string[]): readonly string[] {
  const end = rest.indexOf("--");
  const before = end < 0 ? rest : rest.slice(0, end);
  const after = end < 0 ? [] : rest.slice(end + 1);
  const moved = before.filter(isDashWord);
  if (moved.length === 0) return rest;
  return [...before.filter((argument) => !isDashWord(argument)), "--", ...moved, ...after];
}

function isDashWord(argument: string): boolean {
  return /^-[^-]/.test(argument) && argument !== "-h" && argument !== "-n";
}
