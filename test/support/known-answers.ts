import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Yore } from "../../src/service/yore.ts";
import { claudeTranscript, sessionId } from "./claude-lines.ts";
import { codexRollout, rolloutId, rolloutPath } from "./codex-lines.ts";
import type { TestHome } from "./home.ts";

/** One session of the corpus, as a person would tell it. */
export interface ToldSession {
  readonly id: string;
  readonly project: string;
  readonly agent?: "codex";
  readonly branch?: string;
  readonly at: string;
  readonly tags?: readonly string[];
  readonly turns: readonly ToldTurn[];
}

interface ToldTurn {
  readonly ask: string;
  /** Commands that were run, and what they printed. */
  readonly does?: readonly (readonly [command: string, output: string])[];
  readonly edits?: readonly string[];
  readonly say: string;
}

/**
 * A query and the one session that answers it, which is among the first `in` hits; or `none`, or sessions that must
 * not be among the hits. `tier` is told where the way to the answer matters.
 */
export interface KnownAnswer {
  readonly kind: string;
  readonly q: string;
  readonly now?: string;
  readonly want?: string;
  readonly in?: number;
  readonly none?: boolean;
  readonly not?: readonly string[];
  readonly tier?: string;
}

const FOLDER = join(import.meta.dirname, "..", "known-answers");

export function toldSessions(): readonly ToldSession[] {
  return linesOf("sessions.jsonl");
}

export function knownAnswers(): readonly KnownAnswer[] {
  return linesOf("queries.jsonl");
}

function linesOf<T>(name: string): readonly T[] {
  const text = readFileSync(join(FOLDER, name), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): T => JSON.parse(line));
}

/** Writes the sessions as their agents would have. Tells the native id of each. */
export function writeTold(home: TestHome, told: readonly ToldSession[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  told.forEach((session, at) => {
    ids.set(
      session.id,
      session.agent === "codex" ? writeCodex(home, session, at + 1) : writeClaude(home, session, at + 1),
    );
  });
  return ids;
}

/** Puts on the sessions the tags that they are told to have. */
export async function tagTold(
  yore: Yore,
  told: readonly ToldSession[],
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  for (const { id, tags = [] } of told) {
    const items = [{ session: ids.get(id) ?? "", add: tags }];
    if (tags.length > 0) await yore.annotate({ kind: "tags", via: "cli", items });
  }
}

function writeClaude(home: TestHome, { project, branch, at, turns }: ToldSession, count: number): string {
  const session = sessionId(count);
  const cwd = `/home/ana/code/${project}`;
  const startedAt = Date.parse(at);
  const talk = claudeTranscript({ session, cwd, startedAt, ...(branch !== undefined && { branch }) });
  for (const { ask, does = [], edits = [], say } of turns) {
    talk.prompt(ask);
    for (const [command, output] of does) {
      talk.calls("Bash", { command });
      talk.returns(output);
    }
    for (const path of edits) {
      talk.calls("Edit", { file_path: `${cwd}/${path}`, old_string: "before", new_string: "after" });
      talk.returns("The file has been updated.");
    }
    talk.says(say);
  }
  home.touch(home.write(home.claudePath(session, cwd), talk.lines), talk.at);
  return session;
}

function writeCodex(home: TestHome, { project, branch, at, turns }: ToldSession, count: number): string {
  const session = rolloutId(count);
  const cwd = `/home/ana/code/${project}`;
  const rollout = codexRollout({ session, cwd, startedAt: Date.parse(at), ...(branch !== undefined && { branch }) });
  for (const { ask, does = [], say } of turns) {
    rollout.prompt(ask);
    for (const [command, output] of does) rollout.runs(command, output);
    rollout.says(say);
  }
  home.touch(home.write(home.codexPath(rolloutPath(rollout)), rollout.lines), rollout.startedAt + 60_000);
  return session;
}
