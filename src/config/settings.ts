import { homedir } from "node:os";
import { delimiter, resolve } from "node:path";

/** Everything that can be set from outside. Read once, at the start of a process. */
export interface Settings {
  /** The user's home folder: where agents keep their history. */
  readonly home: string;
  /** Where Yore keeps everything of its own; every path it writes to is below. */
  readonly yoreHome: string;
  /** Agents that are not read. */
  readonly excludedAgents: readonly string[];
  /** Folders and remotes, or patterns of them, of which no session is stored; besides those of `config.json`. */
  readonly excludedProjects: readonly string[];
  /** How long a reading command may spend on catching up before it answers from what is there, in milliseconds. */
  readonly catchUpMs: number;
  /** IANA zone in which days begin and end; undefined means the system's. */
  readonly timeZone: string | undefined;
  /** Folder that is worked in. */
  readonly folder: string;
  /** Folders whose own histories are read, besides those that sessions were worked in. */
  readonly workFolders: readonly string[];
  /** Who changes something on the command line; undefined means a person. */
  readonly by: string | undefined;
  /** Whether a server follows files while it runs. */
  readonly watch: boolean;
  /** Whether a server offers nothing that writes. */
  readonly readOnly: boolean;
  /** How many writes a server does for its agent in a minute; 0 means any number. */
  readonly writesPerMinute: number;
  /** For how many days, today included, the record of an agent's calls is kept; 0 means that there is none. */
  readonly auditDays: number;
  /** For how many days what was handed to agents can be traced and shown again; 0 means that nothing of it is kept. */
  readonly receiptDays: number;
  /** Whose vectors are asked: `static`, for the table that comes with the program, `minilm`, or `off`; undefined means what was chosen. */
  readonly vectors: string | undefined;
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** One variable of the environment, for the reference page and for `--help`. */
interface SettingVariable {
  readonly name: string;
  readonly help: string;
}

export const SETTING_VARIABLES: readonly SettingVariable[] = [
  { name: "YORE_HOME", help: "Folder for the store (default: ~/.yore)." },
  { name: "YORE_EXCLUDE_AGENTS", help: "Agents that are not read, separated by commas, such as codex." },
  {
    name: "YORE_EXCLUDE_PROJECTS",
    help: "Folders, remotes or patterns such as ~/clients/* whose sessions are not stored, separated by commas.",
  },
  {
    name: "YORE_WORK_FOLDERS",
    help: "Further projects to look for histories in, as of Aider and Crush, separated as in PATH.",
  },
  {
    name: "YORE_CATCH_UP_MS",
    help: "How long a search may spend on reading new history before it answers (default: 1500).",
  },
  {
    name: "YORE_WATCH",
    help: "0: `yore mcp` reads new history when it is asked something, and not as it is written.",
  },
  { name: "YORE_READ_ONLY", help: "1: `yore mcp` offers nothing that writes, as with `--read-only`." },
  {
    name: "YORE_WRITES_PER_MINUTE",
    help: "How many writes `yore mcp` does for an agent in a minute (default: 60; 0: any number).",
  },
  {
    name: "YORE_AUDIT_DAYS",
    help: "For how many days `yore audit` knows what agents called (default: 90; 0: nothing is recorded).",
  },
  {
    name: "YORE_RECEIPT_DAYS",
    help: "For how many days `yore why` and `yore replay` know what was handed to agents (default: 30; 0: nothing is kept).",
  },
  {
    name: "YORE_VECTORS",
    help: "off: nothing is found by its meaning, and no vectors are made; static or minilm: whose vectors searches are answered by (default: what `yore vectors` was told; static, by a table that comes with Yore).",
  },
  { name: "YORE_HOOKS", help: "0: agents' hooks do nothing." },
  { name: "YORE_HOOK_MS", help: "How long a hook may keep an agent waiting at most (default: 300)." },
  {
    name: "YORE_CONTEXT_TOKENS",
    help: "How many tokens an agent is told at the start of a session at most (default: 1000; 0: nothing).",
  },
  {
    name: "YORE_PROMPT_RECALL",
    help: "0: nothing is handed to an agent when something is typed that memory clearly answers.",
  },
  {
    name: "YORE_TOOL_RECALL",
    help: "1: an agent is told what is known of a file that it is about to change, or of a command that failed.",
  },
  {
    name: "YORE_INSIDE",
    help: "1: this is a run that Yore itself started: hooks do nothing, and `yore enrich`, which sets it, refuses to run.",
  },
  {
    name: "YORE_BY",
    help: "Who it was that set an alias, a tag or a note on the command line, for `yore log` (default: person).",
  },
  {
    name: "YORE_TIME_ZONE",
    help: "Time zone in which days begin and end, such as Europe/Berlin (default: the system's).",
  },
];

/** Where Yore keeps everything of its own. */
export function yoreHomeOf(variables: NodeJS.ProcessEnv = process.env): string {
  return resolve(expandHome(nonEmpty(variables.YORE_HOME) ?? "~/.yore", homeOf(variables)));
}

export function readSettings(variables: NodeJS.ProcessEnv = process.env): Settings {
  const home = homeOf(variables);
  return {
    home,
    yoreHome: yoreHomeOf(variables),
    excludedAgents: listed(variables.YORE_EXCLUDE_AGENTS),
    excludedProjects: listed(variables.YORE_EXCLUDE_PROJECTS),
    catchUpMs: wholeNumber(variables.YORE_CATCH_UP_MS) ?? 1500,
    timeZone: validTimeZone(variables.YORE_TIME_ZONE),
    folder: currentFolder(home),
    workFolders: [currentFolder(home), ...(variables.YORE_WORK_FOLDERS ?? "").split(delimiter)]
      .filter(Boolean)
      .map((folder) => resolve(expandHome(folder, home))),
    by: nonEmpty(variables.YORE_BY?.trim()),
    watch: !isOff(variables.YORE_WATCH),
    readOnly: nonEmpty(variables.YORE_READ_ONLY?.trim()) !== undefined && !isOff(variables.YORE_READ_ONLY),
    writesPerMinute: wholeNumber(variables.YORE_WRITES_PER_MINUTE) ?? 60,
    auditDays: wholeNumber(variables.YORE_AUDIT_DAYS) ?? 90,
    receiptDays: wholeNumber(variables.YORE_RECEIPT_DAYS) ?? 30,
    vectors: vectorsSetting(variables.YORE_VECTORS),
    platform: process.platform,
    variables,
  };
}

function homeOf(variables: NodeJS.ProcessEnv): string {
  return nonEmpty(variables.HOME) ?? nonEmpty(variables.USERPROFILE) ?? homedir();
}

/** A folder may be removed while it is worked in. */
function currentFolder(home: string): string {
  try {
    return process.cwd();
  } catch {
    return home;
  }
}

function listed(value: string | undefined): readonly string[] {
  return (value ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
}

function expandHome(path: string, home: string): string {
  return path.replace(/^~(?=$|[/\\])/, home);
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : value;
}

export const OFF = "off";

function vectorsSetting(value: string | undefined): string | undefined {
  if (isOff(value)) return OFF;
  return nonEmpty(value?.trim().toLowerCase());
}

export function isOff(value: string | undefined): boolean {
  return /^(?:0|false|no|off)$/i.test((value ?? "").trim());
}

export function wholeNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,7}$/.test(value) ? Number(value) : undefined;
}

// A zone that does not exist would make every date fail; the system's zone is a better answer than none.
function validTimeZone(value: string | undefined): string | undefined {
  if (value === undefined || value === "") return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
