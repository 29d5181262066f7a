import { accessSync, constants, existsSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { basename, delimiter, dirname, join, sep } from "node:path";
import { YoreError } from "../core/errors.ts";
import { redact } from "../core/redact.ts";
import { checkWiring } from "./check.ts";
import { diffLines } from "./diff.ts";
import { Unfit } from "./edit/edit.ts";
import { HOOK_EVENTS, type Host, type HostFile, type Machine, type Wish } from "./host.ts";
import { hosts } from "./hosts.ts";
import type { AgentPlan, FilePlan, Installer, KnownAgent, Outcome, Plan } from "./installer.ts";
import { alone, type Done, hashOf, Manifest } from "./manifest.ts";
import type { Program } from "./program.ts";
import { serverEntry } from "./server-entry.ts";
import {
  decode,
  encode,
  readBytes,
  reasonNotToWrite,
  reasonOf,
  removeEmptyFolders,
  writeInPlace,
} from "./text-file.ts";

export interface InstallerInput {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly yoreHome: string;
  /** Node, and the script that is running: what agents will start. */
  readonly node: string;
  readonly script: string;
  readonly version: string;
}

export function createInstaller(input: InstallerInput): Installer {
  const { home, platform, variables, yoreHome, version } = input;
  const ownFolder = join(yoreHome, "install");
  const machine: Machine = { home, platform, variables, ownFolder, exists: existsSync };
  const program = programOf(input);
  const wishFor = (toolRecall: boolean): Wish => ({
    machine,
    program,
    version,
    events: HOOK_EVENTS.filter((event) => toolRecall || event !== "PreToolUse"),
  });
  const isFound = (host: Host) =>
    host.folders(machine).some(existsSync) || host.programs.some((name) => isOnPath(name, machine));
  const open = () => new Manifest(ownFolder);
  /** What a plan would do; kept, since surfaces are shown what happens and not the bytes. */
  const prepared = new WeakMap<Plan, readonly Prepared[]>();

  const planOf = (kind: Plan["kind"], chosen: readonly Host[], prepare: (host: Host) => readonly Prepared[]): Plan => {
    const all: Prepared[] = [];
    const agents = chosen.map((host): AgentPlan => {
      const files = prepare(host);
      all.push(...files);
      return {
        agent: host.agent,
        name: host.name,
        isFound: isFound(host),
        files: files.map((file) => planFile(file)),
        notes: kind === "install" ? host.notes : [],
      };
    });
    const plan = { kind, agents, warnings: kind === "install" ? warningsOf(input) : [] };
    prepared.set(plan, all);
    return plan;
  };

  return {
    agents: hosts.map((host): KnownAgent => ({ agent: host.agent, name: host.name, isFound: isFound(host) })),
    planInstall: (agents, { toolRecall }) => {
      const wish = wishFor(toolRecall);
      const manifest = open();
      const chosen = agents.length > 0 ? named(agents) : hosts.filter(isFound);
      return planOf("install", chosen, (host) =>
        host.files(wish).flatMap((file) => (file.isTrace === true ? [] : [prepareToPut(host, file, manifest)])),
      );
    },
    planUninstall: (agents) => {
      const wish = wishFor(true);
      const manifest = open();
      const installed = manifest.agents();
      const chosen =
        agents.length > 0
          ? named(agents)
          : hosts.filter((host) => installed.includes(host.agent) || holdsOurs(host, wish, manifest));
      return planOf("uninstall", chosen, (host) => prepareToTake(host, wish, manifest));
    },
    apply: (plan) => alone(ownFolder, () => applyAll(prepared.get(plan) ?? [], open(), version)),
    print: () => `${JSON.stringify({ mcpServers: { yore: serverEntry(program) } }, null, 2)}\n`,
    check: () => checkWiring({ hosts, machine, program, version, yoreHome }),
  };
}

/** Agents by name, in the order of the list. */
function named(agents: readonly string[]): readonly Host[] {
  const unknown = agents.filter((name) => !hosts.some((host) => host.agent === name));
  if (unknown.length > 0) {
    throw new YoreError("bad-input", `No agent is called ${unknown.map((name) => JSON.stringify(name)).join(", ")}.`, {
      hint: `These can be connected: ${hosts.map((host) => host.agent).join(", ")}. For any other, \`yore install --print\` prints a block to copy.`,
    });
  }
  return hosts.filter((host) => agents.includes(host.agent));
}

/** `yoreHome` is passed on where it is not the usual one: an agent may be started with other variables than this. */
function programOf({ node, script, home, yoreHome }: InstallerInput): Program {
  const isUsual = yoreHome === join(home, ".yore");
  return { words: [node, script], variables: isUsual ? {} : { YORE_HOME: yoreHome } };
}

function isOnPath(name: string, { variables, platform }: Machine): boolean {
  const ends = platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];
  const { PATH, Path = "" } = variables;
  const folders = (PATH ?? Path).split(delimiter).filter((folder) => folder !== "");
  return folders.some((folder) => ends.some((end) => isProgram(join(folder, name + end))));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A place that is gone tomorrow must not be written into settings without a word. */
function warningsOf({ script, platform, variables }: InstallerInput): readonly string[] {
  const isNpx = script.split(sep).includes("_npx");
  const temporary = [
    variables.TMPDIR,
    variables.TEMP,
    variables.TMP,
    ...(platform === "win32" ? [] : ["/tmp", "/var/tmp"]),
  ];
  const isTemporary = temporary.some((folder) => folder !== undefined && folder !== "" && isBelow(script, folder));
  if (!isNpx && !isTemporary) return [];
  const place = isNpx ? "the cache of npx" : "a temporary folder";
  return [`Yore runs from ${place}, which may be emptied: agents would find it gone. Install it, and run this again.`];
}

function isBelow(path: string, folder: string): boolean {
  try {
    return path.startsWith(realpathSync(folder).replace(/[/\\]+$/, "") + sep);
  } catch {
    return false;
  }
}

/** One file with what it holds now and is to hold. */
interface Prepared {
  readonly host: Host;
  readonly file: HostFile;
  readonly kind: "put" | "take";
  readonly change: FilePlan["change"];
  readonly reason?: string;
  readonly before?: Buffer;
  readonly after?: Buffer;
  readonly done: Done | undefined;
}

function prepareToPut(host: Host, file: HostFile, manifest: Manifest): Prepared {
  const done = manifest.of(file.path);
  return guarded({ host, file, kind: "put", done }, () => {
    const before = readBytes(file.path);
    const now = before === undefined ? undefined : decode(before);
    const after = encode(file.edit.put(now?.text), now?.spelling);
    return { ...(before !== undefined && { before }), after };
  });
}

/** Files that are on record, and those in which something of ours stands all the same; none of what a person made. */
function prepareToTake(host: Host, wish: Wish, manifest: Manifest): readonly Prepared[] {
  const recorded = manifest.filesOf(host.agent);
  const files = host.files(wish);
  const named = files.filter(({ path, isTrace }) => isTrace !== true && namesUs(path));
  if (recorded.length === 0 && named.length === 0) return [];
  const others = files.filter(
    (file) =>
      !recorded.some(([known]) => known === file.path) &&
      (file.isOwn === true || file.isTrace === true || named.includes(file)),
  );
  const all = [
    ...recorded.flatMap(([path, { name }]) => {
      const file = files.find((one) => one.name === name);
      return file === undefined ? [] : [{ ...file, path }];
    }),
    ...others,
  ];
  return all.map((file) => {
    const done = manifest.of(file.path);
    return guarded({ host, file, kind: "take", done }, () => {
      const before = readBytes(file.path);
      if (before === undefined) return {};
      const earlier = done === undefined ? undefined : manifest.backup(done);
      // Nobody touched it since: it gets every byte back that it had.
      if (
        done !== undefined &&
        hashOf(before) === done.after &&
        (done.backup === undefined) === (earlier === undefined)
      ) {
        return { before, ...(earlier !== undefined && { after: earlier }) };
      }
      const after = file.isOwn === true ? earlier : taken(file, before, baseText(done, manifest));
      return { before, ...(after !== undefined && { after }) };
    });
  });
}

function holdsOurs(host: Host, wish: Wish, manifest: Manifest): boolean {
  return prepareToTake(host, wish, manifest).some(({ change }) => change !== "none");
}

/** An installation writes the path of the script or of our folder; whoever connects by hand calls `yore`. */
function namesUs(path: string): boolean {
  try {
    return /\byore\.js\b|\binstall[\\/]+claude-code\b/.test(readFileSync(path, "utf8"));
  } catch {
    return false;
  }
}

/** What is left of bytes without our part. */
function taken(file: HostFile, bytes: Buffer, base: string | undefined): Buffer | undefined {
  const { text, spelling } = decode(bytes);
  const rest = file.edit.take(text, base);
  return rest === undefined ? undefined : encode(rest, spelling);
}

/**
 * The text of the time before us; undefined where there was no file then, so that it goes when nothing else is left in it.
 * Where that is not known, a text that said nothing.
 */
function baseText(done: Done | undefined, manifest: Manifest): string | undefined {
  if (done === undefined) return "";
  if (done.backup === undefined) return undefined;
  const bytes = manifest.backup(done);
  return bytes === undefined ? "" : decode(bytes).text;
}

function guarded(
  common: Pick<Prepared, "host" | "file" | "kind" | "done">,
  work: () => { readonly before?: Buffer; readonly after?: Buffer },
): Prepared {
  try {
    const { before, after } = work();
    const change = changeOf(before, after);
    const reason = change === "none" ? undefined : reasonNotToWrite(common.file.path);
    if (reason !== undefined) return { ...common, change: "refused", reason };
    return { ...common, change, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    return { ...common, change: "refused", reason: error.message };
  }
}

function changeOf(before: Buffer | undefined, after: Buffer | undefined): FilePlan["change"] {
  if (before === undefined) return after === undefined ? "none" : "create";
  if (after === undefined) return "remove";
  return before.equals(after) ? "none" : "edit";
}

function planFile({ file, change, reason, before, after }: Prepared): FilePlan {
  const text = (bytes: Buffer | undefined) => (bytes === undefined ? "" : decode(bytes).text);
  return {
    path: file.path,
    change,
    ...(reason !== undefined && { reason }),
    // What stands around our part is the user's, and may be a key.
    diff:
      change === "none" || change === "refused" ? [] : diffLines(redact(text(before)).text, redact(text(after)).text),
  };
}

function applyAll(all: readonly Prepared[], manifest: Manifest, version: string): Outcome {
  const files = all
    .filter(({ change }) => change !== "refused")
    .flatMap((one) => {
      const failure = applyOne(one, manifest, version);
      if (one.change === "none") return [];
      return [{ path: one.file.path, agent: one.host.agent, ...(failure !== undefined && { failure }) }];
    });
  removeEmptyFolders(
    all.filter(({ kind }) => kind === "take").flatMap(({ file, done }) => done?.folders ?? ownFolders(file)),
  );
  return { files };
}

/** Without a record, those folders of a file of ours that have our name, and what is in them. */
function ownFolders({ path, isOwn }: HostFile): readonly string[] {
  if (isOwn !== true) return [];
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    folders.push(folder);
    if (basename(folder) === "yore") return folders;
  }
  return [];
}

/** Undefined where it went well, else why not. */
function applyOne(one: Prepared, manifest: Manifest, version: string): string | undefined {
  const { file } = one;
  try {
    const now = readBytes(file.path);
    const isSame = now === undefined ? one.before === undefined : one.before?.equals(now) === true;
    if (!isSame) return "it was changed meanwhile; run this again";
    if (one.kind === "put") put(one, manifest, version);
    else take(one, manifest);
    return undefined;
  } catch (error) {
    return error instanceof Unfit ? error.message : `it cannot be written (${reasonOf(error)})`;
  }
}

/** The record is written first: whoever is killed in between leaves a file that is still as it was. */
function put({ host, file, change, before, after, done }: Prepared, manifest: Manifest, version: string): void {
  if (after === undefined || change === "none") return;
  const isOurs = done !== undefined && before !== undefined && hashOf(before) === done.after;
  const base = isOurs ? undefined : baseBytes(file, before, done, manifest);
  const backup = isOurs ? done.backup : base === undefined ? undefined : manifest.keep(file.path, base);
  const record = {
    agent: host.agent,
    name: file.name,
    after: hashOf(after),
    folders: done?.folders ?? [],
    version,
    ...(backup !== undefined && { backup }),
  };
  manifest.set(file.path, record);
  const folders = writeInPlace(file.path, after, manifest.isBelow(file.path));
  if (folders.length > 0) manifest.set(file.path, { ...record, folders: [...(done?.folders ?? []), ...folders] });
}

/** What an uninstall is to give back: the file as it is now, without what is ours of an earlier time. */
function baseBytes(
  file: HostFile,
  before: Buffer | undefined,
  done: Done | undefined,
  manifest: Manifest,
): Buffer | undefined {
  if (before === undefined) return undefined;
  if (done === undefined) return before;
  if (file.isOwn === true) return manifest.backup(done);
  try {
    return taken(file, before, baseText(done, manifest));
  } catch {
    return before;
  }
}

function take({ file, change, after }: Prepared, manifest: Manifest): void {
  if (change === "remove") rmSync(file.path, { force: true });
  else if (change === "edit" && after !== undefined) writeInPlace(file.path, after, manifest.isBelow(file.path));
  manifest.remove(file.path);
}
