import corpus from "../../evals/prompts/corpus.json" with { type: "json" };
import type { Yore } from "../../src/service/yore.ts";
import { claudeTranscript, sessionId } from "./claude-lines.ts";

/** A transcript of the corpus, and where it goes below a home folder. */
export interface CorpusFile {
  readonly path: string;
  readonly lines: readonly string[];
}

const START = Date.parse("2026-02-02T09:00:00Z");
const DAY = 86_400_000;

/** Folder of a project of the corpus. */
export function corpusFolder(project: string): string {
  return `/home/ana/code/${project}`;
}

/** One session for each turn of the corpus, a day apart. */
export function corpusFiles(): readonly CorpusFile[] {
  const turns = corpus.projects.flatMap(({ name, turns }) => turns.map((turn) => ({ project: name, ...turn })));
  return turns.map(({ project, prompt, answer, ...turn }, at) => {
    const cwd = corpusFolder(project);
    const session = sessionId(at + 1);
    const transcript = claudeTranscript({ session, cwd, startedAt: START + at * DAY });
    transcript.prompt(prompt);
    for (const path of "changes" in turn ? (turn.changes ?? []) : []) {
      transcript.calls("Edit", { file_path: `${cwd}/${path}`, old_string: "a", new_string: "b" });
      transcript.returns("The file has been updated.");
    }
    transcript.says(answer);
    const folder = cwd.replaceAll("/", "-");
    return { path: `.claude/projects/${folder}/${session}.jsonl`, lines: transcript.lines };
  });
}

/** Saves the memories of the corpus, and tells the id of each key: of a turn that of its observation. */
export async function rememberCorpus(yore: Yore): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  let session = 0;
  for (const { name, memories, turns } of corpus.projects) {
    for (const { key, text, type } of memories) {
      const { memory } = await yore.remember({ text, type: isType(type) ? type : "note", project: name });
      ids.set(`${name} ${key}`, memory.id);
    }
    for (const { key } of turns) {
      session += 1;
      const { entries } = await yore.timeline({ session: sessionId(session) });
      ids.set(`${name} ${key}`, entries[0]?.id ?? "");
    }
  }
  return ids;
}

function isType(type: string): type is "decision" | "preference" | "discovery" {
  return type === "decision" || type === "preference" || type === "discovery";
}
