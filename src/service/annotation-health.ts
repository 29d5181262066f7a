import type { Store } from "../store/store.ts";
import { formatJsonFile, formatText, JSON_FILES, kindsIn, textFileOf, textKindIn } from "./annotation-files.ts";
import type { AnnotationMirror } from "./annotation-mirror.ts";
import { formatChange, HISTORY_FILE } from "./history-file.ts";
import { strayText } from "./take-up.ts";
import type { Finding } from "./yore.ts";

/** How long an edit by hand is worth a word. */
const RECENT_MS = 30 * 86_400_000;

/** Whether rows, history and plain-text files of annotations agree, and what a person should know of these files. */
export async function examineAnnotations(store: Store, mirror: AnnotationMirror, now: number): Promise<Finding[]> {
  const { folder, problems } = mirror;
  const findings: Finding[] = problems.map((message) => ({ level: "warning", message }));
  for (const name of folder.aside()) {
    const path = folder.at(name);
    if (problems.some((problem) => problem.includes(path))) continue;
    findings.push({
      level: "warning",
      message: `${path} was kept since something in it could not be taken up.`,
      remedy: "Put right what is missing in the file without that ending, and delete this one.",
    });
  }
  for (const name of await differing(store, mirror)) {
    findings.push({
      level: "warning",
      message: `${folder.at(name)} does not tell what the store holds.`,
      remedy: "Check that it can be written. If it is deleted, the next command writes it anew.",
    });
  }
  const { files } = await store.annotations.mirrorState();
  for (const { name, session } of files.values()) {
    const kind = textKindIn(name);
    if (kind === undefined || session !== undefined || !folder.has(name)) continue;
    const message = strayText(folder.at(name), kind);
    if (!problems.includes(message)) findings.push({ level: "warning", message });
  }
  const edits = (await store.annotations.changesAfter(0)).filter(
    ({ via, at, edits }) => via === "mirror" && at > now - RECENT_MS && edits.some(({ was }) => was !== undefined),
  );
  if (edits.length > 0) {
    const numbers = edits.slice(-5).map(({ number }) => number);
    findings.push({
      level: "note",
      message: `What the store held was edited by hand in ${folder.path}: changes ${numbers.join(", ")} keep what it was.`,
      remedy: "`yore log` shows them, and `yore undo` with a number takes one back.",
    });
  }
  return findings;
}

/** The same as what stands in the way of whoever reads history: by the folder of the mirror. */
export function annotationProblems({ folder, problems }: Pick<AnnotationMirror, "folder" | "problems">) {
  return problems.map((problem) => ({ path: folder.path, problem: problem.replaceAll(`${folder.path}/`, "") }));
}

/** Names of files that are not what they would be if they were written now. */
async function differing(store: Store, { folder }: AnnotationMirror): Promise<string[]> {
  const { annotations } = store;
  const expected = new Map<string, string>();
  const changes = await annotations.changesAfter(0);
  if (changes.length === 0) return [];
  expected.set(HISTORY_FILE, changes.map(formatChange).join(""));
  for (const name of Object.keys(JSON_FILES)) {
    const all = (await Promise.all(kindsIn(name).map((kind) => annotations.all(kind)))).flat();
    if (all.length > 0 || folder.has(name)) expected.set(name, formatJsonFile(name, all));
  }
  for (const kind of ["note", "memory"] as const)
    for (const one of await annotations.all(kind)) expected.set(textFileOf(one), formatText(one));
  return [...expected].flatMap(([name, text]) => (textOf(folder, name) === text ? [] : [name]));
}

function textOf(folder: AnnotationMirror["folder"], name: string): string | undefined {
  try {
    return folder.text(name);
  } catch {
    return undefined;
  }
}
