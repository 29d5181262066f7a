import type { FileTouch, TokenUsage } from "../../core/session.ts";
import { toolUse } from "../tool-use.ts";
import type { Run } from "./parse.ts";

/** What Aider printed: what it did to files and with git, output of commands, tokens, and notices. */
export function readOutput(text: string, run: Run): void {
  const { command } = run;
  run.command = undefined;
  if (command !== undefined) {
    run.say({ role: "tool", part: "result", text, tool: toolUse("run", undefined, [], [command]) });
    return;
  }
  let open: Group | undefined;
  for (const line of text.split("\n")) {
    const kind = kindOf(line);
    if (kind === "silent") continue;
    if (kind === "fact") {
      readFact(line, run);
      continue;
    }
    if (open?.kind !== kind) {
      sayGroup(open, run);
      open = { kind, lines: [] };
    }
    open.lines.push(line);
  }
  sayGroup(open, run);
}

/** Lines in a row that tell the same kind of thing. */
interface Group {
  readonly kind: "edit" | "add" | "run" | "commit" | "notice";
  readonly lines: string[];
}

const EDITED = /^Applied edit to (.+?)\s*$/;
const ADDED = /^Added (.+?) to the chat\.?\s*$/;
const RAN = /^Running (.+?)\s*$/;
const COMMITTED = /^Commit [0-9a-f]{7,40} /;
const VERSION = /^Aider v(\S+)/;
const MODEL = /^(?:Main model|Models?): (\S+) with /;
const TOKENS = /^Tokens: ([\d.,]+[kM]?) sent,(.*?) ([\d.,]+[kM]?) received/;
const CACHE = / ([\d.,]+[kM]?) (cache write|cache hit|cached),/g;
/** What every run begins and many end with. */
const SILENT =
  /^\s*$|^(Weak model|Editor model|Git repo|Repo-map|VSCode terminal|Multiline mode|Git working dir): |^(Use|You can|Too soon|Cost:|Costs) |^\^C again to exit|^https:\/\/aider\.chat\/|^(\S*[/\\])?aider(\.exe)?( -|\s*$)|^(\S*[/\\])aider(\.exe)? /;

function kindOf(line: string): Group["kind"] | "silent" | "fact" {
  if (VERSION.test(line) || MODEL.test(line) || TOKENS.test(line)) return "fact";
  if (EDITED.test(line)) return "edit";
  if (ADDED.test(line)) return "add";
  if (RAN.test(line)) return "run";
  if (COMMITTED.test(line)) return "commit";
  return SILENT.test(line) ? "silent" : "notice";
}

function sayGroup(group: Group | undefined, run: Run): void {
  if (group === undefined) return;
  const { kind, lines } = group;
  const text = lines.map((line) => line.trim()).join("\n");
  if (kind === "notice") run.notice(lines.join("\n"));
  else
    run.say({ role: "tool", part: "result", text, tool: toolUse(kind, undefined, filesIn(lines), commandsIn(lines)) });
}

function filesIn(lines: readonly string[]): FileTouch[] {
  return lines.flatMap((line): FileTouch[] => {
    const [edited, added] = [EDITED.exec(line)?.[1], ADDED.exec(line)?.[1]];
    const path = edited ?? added;
    return path === undefined ? [] : [{ path, changed: edited !== undefined }];
  });
}

function commandsIn(lines: readonly string[]): string[] {
  return lines.flatMap((line) => RAN.exec(line)?.[1] ?? []);
}

function readFact(line: string, run: Run): void {
  const version = VERSION.exec(line)?.[1];
  if (version !== undefined) run.emit({ kind: "session", agentVersion: version });
  const model = MODEL.exec(line)?.[1];
  if (model !== undefined) run.model = model.replace(/⚡$/u, "");
  const usage = usageOf(line);
  if (usage !== undefined) count(usage, run);
}

function count(usage: TokenUsage, run: Run): void {
  run.calls += 1;
  run.emit({
    kind: "usage",
    key: `${run.session}:${run.calls}`,
    ...(run.at !== undefined && { at: run.at }),
    ...(run.model !== undefined && { model: run.model }),
    usage,
  });
}

/**
 * Aider rounds above a thousand. It counts what was written to the cache as sent, once more than the provider did where
 * that counts it too; what was read from it is left out by some providers and not by others.
 */
function usageOf(line: string): TokenUsage | undefined {
  const [, sent, cache = "", received] = TOKENS.exec(line) ?? [];
  if (sent === undefined || received === undefined) return undefined;
  let [cacheRead, cacheWrite] = [0, 0];
  for (const [, tokens = "", kind] of `${cache},`.matchAll(CACHE)) {
    if (kind === "cache write") cacheWrite = tokensOf(tokens);
    else cacheRead = tokensOf(tokens);
  }
  return { input: Math.max(0, tokensOf(sent) - cacheWrite), output: tokensOf(received), cacheRead, cacheWrite };
}

function tokensOf(text: string): number {
  const number = Number(text.replaceAll(",", "").replace(/[kM]$/, ""));
  const unit = text.endsWith("k") ? 1_000 : text.endsWith("M") ? 1_000_000 : 1;
  return Number.isFinite(number) ? Math.round(number * unit) : 0;
}
