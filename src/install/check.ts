import { spawn } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, isAbsolute } from "node:path";
import { getNodeValue, parseTree } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { isTable, valueAt } from "./edit/edit.ts";
import type { Host, Machine, WiredFile } from "./host.ts";
import type { WiringCheck } from "./installer.ts";
import { type Program, wordsOfLine } from "./program.ts";

interface CheckInput {
  readonly hosts: readonly Host[];
  readonly machine: Machine;
  readonly program: Program;
  readonly version: string;
  readonly yoreHome: string;
}

/**
 * Looks at what each agent is told to start, and starts it: a server must answer, a hook must end well without a word. Only
 * command lines of the form that an installation writes are started; of others it is said that they were not.
 */
export async function checkWiring(input: CheckInput): Promise<readonly WiringCheck[]> {
  const tasks = input.hosts.flatMap((host) => tasksOf(host, input));
  const results: WiringCheck[] = [];
  // Two at a time: each is a process of its own.
  const waiting = tasks.entries();
  const work = async () => {
    for (const [at, task] of waiting) results[at] = await task();
  };
  await Promise.all([work(), work()]);
  return results;
}

type Task = () => Promise<WiringCheck>;

/** A command line as a file has it. */
interface Found {
  readonly words: readonly string[] | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

function tasksOf(host: Host, input: CheckInput): readonly Task[] {
  const { agent, name } = host;
  const files = host.wiring(input.machine).map((file) => ({ file, ...contentOf(file, host) }));
  const own = files.filter(({ file }) => file.isOther === undefined);
  const isConnected = own.some(({ server, hooks }) => server !== undefined || hooks.length > 0);
  return files.flatMap(({ file, problem, server, hooks, isOff }): Task[] => {
    const said = (part: WiringCheck["part"], result: Verdict): WiringCheck => ({
      agent,
      name,
      path: file.path,
      part,
      ...result,
    });
    if (problem !== undefined) {
      // What cannot be read is told of where something of ours was put into it, or may have been.
      const remedy = `Correct it, and run \`yore install ${agent}\`.`;
      return [async () => said("file", wrong(`cannot be read: ${problem}`, remedy, isConnected))];
    }
    const isThere = server !== undefined || hooks.length > 0;
    if (file.isOther !== undefined && isConnected && isThere) {
      const { isOther } = file;
      return [async () => said("file", wrong("starts Yore a second time", isOther))];
    }
    const remedy = `Run \`yore install ${agent}\`.`;
    const tasks: Task[] = [];
    if (isOff !== undefined && isConnected) {
      const undo = `Run \`yore install ${agent}\` to switch it on, or \`yore uninstall ${agent}\` to be rid of it.`;
      tasks.push(async () => said("file", wrong(isOff, undo)));
    }
    if (server !== undefined) {
      tasks.push(async () =>
        said("server", faultOf(server, input, remedy) ?? (await startServer(server, input, remedy))),
      );
    }
    if (hooks.length > 0) {
      tasks.push(async () =>
        said("hooks", faultOfHooks(hooks, input, remedy) ?? (await startHook(hooks, agent, input, remedy))),
      );
    }
    return tasks;
  });
}

type Verdict = Pick<WiringCheck, "state" | "message" | "remedy" | "isBroken">;

const OK: Verdict = { state: "ok" };

function wrong(message: string, remedy: string, isBroken = false): Verdict {
  return { state: "wrong", message, remedy, isBroken };
}

interface Content {
  readonly problem?: string;
  readonly server?: Found;
  readonly hooks: readonly Found[];
  readonly isOff?: string;
}

function contentOf(file: WiredFile, { agent, name }: Host): Content {
  if (!existsSync(file.path)) return { hooks: [], ...saidIn({}, file) };
  let text: string;
  try {
    text = readFileSync(file.path, "utf8").replace(/^\u{feff}/u, "");
  } catch {
    return { hooks: [], problem: "the system does not let it be read" };
  }
  if (file.format === "text") return { hooks: inPlugin(text) };
  const value = parsed(text, file.format);
  if (value === undefined) return { hooks: [], problem: `it is no ${file.format.toUpperCase()}` };
  if (file.isStrict === true && !isStrictJson(text)) {
    return { hooks: [], problem: `${name} takes no comments in it, and no comma before a closing bracket` };
  }
  const entry = file.server === undefined ? undefined : valueAt(value, file.server);
  const lines = file.hooks === undefined ? [] : linesIn(valueAt(value, file.hooks), agent);
  const isOff = isTable(entry) && (entry.disabled === true || entry.enabled === false);
  return {
    ...(entry !== undefined && { server: serverIn(entry) }),
    hooks: lines.map((line) => wordsOfLine(line)),
    ...saidIn(value, file),
    ...(isOff && { isOff: "has the server switched off" }),
  };
}

function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text.trim() === "" ? "{}" : text);
    return true;
  } catch {
    return false;
  }
}

/** What the file would have to say and does not. */
function saidIn(value: unknown, { mustSay = [] }: WiredFile): Pick<Content, "isOff"> {
  const off = mustSay.find(({ at, value: wanted }) => valueAt(value, at) !== wanted);
  return off === undefined ? {} : { isOff: off.otherwise };
}

function parsed(text: string, format: WiredFile["format"]): unknown {
  try {
    if (format === "toml") return parseToml(text);
    if (format === "yaml") return parseYaml(text) ?? {};
    const errors: unknown[] = [];
    const root = text.trim() === "" ? undefined : parseTree(text, errors as never[], { allowTrailingComma: true });
    return errors.length > 0 ? undefined : root === undefined ? {} : getNodeValue(root);
  } catch {
    return undefined;
  }
}

/** Agents spell it in three ways: a command with arguments, all in one list, and as Goose has it. */
function serverIn(entry: unknown): Found {
  if (!isTable(entry)) return { words: undefined, variables: {} };
  const { command, args, cmd, env, envs, environment } = entry;
  const first = command ?? cmd;
  const words = [...(Array.isArray(first) ? first : [first]), ...(Array.isArray(args) ? args : [])];
  const variables = [env, envs, environment].find(isTable) ?? {};
  return { words: words.every((word) => typeof word === "string") ? (words as string[]) : undefined, variables };
}

function linesIn(value: unknown, agent: string): readonly string[] {
  if (typeof value === "string") return new RegExp(`\\bhook\\b.*--agent\\W+${agent}\\b`).test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => linesIn(one, agent));
  if (!isTable(value)) return [];
  // Of a hook that is written for two shells, the one of this system.
  const { bash, powershell, ...rest } = value;
  const own = process.platform === "win32" ? powershell : bash;
  return [...linesIn(own, agent), ...Object.values(rest).flatMap((one) => linesIn(one, agent))];
}

function inPlugin(text: string): readonly Found[] {
  const [, command] = /^const COMMAND = (\[.*\]);$/m.exec(text) ?? [];
  const [, variables] = /^const VARIABLES = (\{.*\});$/m.exec(text) ?? [];
  const words: unknown = command === undefined ? undefined : parsed(command, "json");
  const isList = Array.isArray(words) && words.every((word) => typeof word === "string");
  const set = variables === undefined ? {} : parsed(variables, "json");
  return [
    {
      words: isList ? [...(words as string[]), "Stop", "--agent", "opencode"] : undefined,
      variables: isTable(set) ? set : {},
    },
  ];
}

/** What is wrong with a command line that can be seen without starting it. */
function faultOf({ words, variables }: Found, { yoreHome, program }: CheckInput, remedy: string): Verdict | undefined {
  if (words === undefined || !isOurs(words)) {
    return wrong("starts something else than Yore, which was not tried", remedy);
  }
  const missing = words.slice(0, 2).find((word) => isAbsolute(word) && !existsSync(word));
  if (missing !== undefined) return wrong(`starts ${missing}, which is not there`, remedy, true);
  const { YORE_HOME: home } = variables;
  if (typeof home === "string" && home !== yoreHome) {
    return wrong(`starts Yore with another YORE_HOME, ${home}`, remedy);
  }
  if (!("YORE_HOME" in variables) && "YORE_HOME" in program.variables) {
    return wrong("starts Yore without the YORE_HOME that is set here", remedy);
  }
  const [, script = ""] = words;
  const own = program.words[1] ?? "";
  if (isAbsolute(script) && isAbsolute(own) && real(script) !== real(own)) {
    return wrong(`starts another copy of Yore, ${script}`, remedy);
  }
  return undefined;
}

/** `yore …`, or Node with the script of that name: nothing else is started here. */
function isOurs(words: readonly string[]): boolean {
  const [first = "", second = "", third = ""] = words;
  if (/^yore(?:\.cmd|\.exe)?$/i.test(basename(first))) return second === "mcp" || second === "hook";
  return /^node(?:\.exe)?$/i.test(basename(first)) && basename(second) === "yore.js" && /^(?:mcp|hook)$/.test(third);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function faultOfHooks(hooks: readonly Found[], input: CheckInput, remedy: string): Verdict | undefined {
  const lines = hooks.map(({ words }) => JSON.stringify(words));
  if (new Set(lines).size < lines.length) return wrong("runs a hook of Yore twice for the same event", remedy);
  for (const hook of hooks) {
    const fault = faultOf(hook, input, remedy);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

async function startServer(server: Found, { version, machine }: CheckInput, remedy: string): Promise<Verdict> {
  const request = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "yore-doctor", version } },
  };
  const { output, error } = await start(server, machine, `${JSON.stringify(request)}\n`, (text) => text.includes("\n"));
  const answer = parsed(output.split("\n")[0] ?? "", "json");
  const info = valueAt(answer, ["result", "serverInfo"]);
  if (!isTable(info)) return wrong(`starts a server that does not answer (${error ?? "no answer"})`, remedy, true);
  return info.version === version ? OK : wrong(`starts Yore ${String(info.version)}, and this is ${version}`, remedy);
}

/** With an event after which there is nothing to do: of a session that there is not. */
async function startHook(
  hooks: readonly Found[],
  agent: string,
  { machine }: CheckInput,
  remedy: string,
): Promise<Verdict> {
  const quiet = hooks.find(({ words = [] }) => words.some((word) => QUIET.test(word))) ?? hooks[0];
  if (quiet?.words === undefined) return OK;
  const event = { hook_event_name: "Stop", session_id: "yore-doctor", cwd: machine.home };
  const { code, output, error } = await start(quiet, machine, JSON.stringify(event), () => false);
  if (error !== undefined || code !== 0) {
    return wrong(`runs a hook that fails (${error ?? `exit code ${code}`})`, remedy, true);
  }
  return SILENT.has(output.trim())
    ? OK
    : wrong(`runs a hook that prints to ${agent} where it should be silent`, remedy);
}

/** Some hosts want JSON always. */
const SILENT = new Set(["", "{}"]);

const QUIET = /^(?:stop|afteragent)$/i;
const TIMEOUT_MS = 10_000;

interface Run {
  readonly code?: number | undefined;
  readonly output: string;
  readonly error?: string;
}

function start(
  { words = [], variables }: Found,
  { variables: inherited, home }: Machine,
  input: string,
  isDone: (output: string) => boolean,
): Promise<Run> {
  const [command = "", ...args] = words;
  // Nothing is to be read for this, however much is new.
  const env = { ...inherited, ...variables, YORE_WATCH: "0" } as NodeJS.ProcessEnv;
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: existsSync(home) ? home : undefined,
      env,
      stdio: ["pipe", "pipe", "ignore"],
      windowsHide: true,
      shell: process.platform === "win32" && !isAbsolute(command),
    });
    let output = "";
    let error: string | undefined;
    const timer = setTimeout(() => {
      error = `not within ${TIMEOUT_MS / 1000} seconds`;
      child.kill("SIGKILL");
    }, TIMEOUT_MS);
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text) => {
      output += text;
      if (isDone(output)) child.stdin.end();
    });
    child.stdin.on("error", () => {});
    child.on("error", (failure) => {
      clearTimeout(timer);
      resolve({ output, error: "code" in failure ? String(failure.code) : "it cannot be started" });
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? undefined, output, ...(error !== undefined && { error }) });
    });
    if (isDone("\n")) child.stdin.write(input);
    else child.stdin.end(input);
  });
}
