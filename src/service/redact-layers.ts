import { join } from "node:path";
import type { HistoryWriter } from "../store/store.ts";
import { writeMirrorText } from "./mirror-file.ts";
import { patiently } from "./patience.ts";
import { cleanFileText, filesIn, rewriteGrowingFile, textIn } from "./redact-files.ts";
import type { RedactionTally } from "./redact-tally.ts";
import type { Workbench } from "./workbench.ts";
import type { Uncovered } from "./yore.ts";

/**
 * Redacts whatever lies in the mirror's folder, also what was kept aside there and what a person put there. Those files
 * that the store knows it goes on knowing, so that nothing is taken for an edit.
 */
export async function redactMirror(
  { annotationMirror: { folder } }: Workbench,
  writer: HistoryWriter,
  tally: RedactionTally,
  isTrial: boolean,
): Promise<readonly Uncovered[]> {
  const uncovered: Uncovered[] = [];
  for (const name of filesIn(folder.path)) {
    const path = folder.at(name);
    try {
      await patiently(() =>
        writer.transaction(async (tx) => {
          const before = textIn(path);
          if (before === undefined) throw new Error("no text");
          const after = cleanFileText(name, before);
          tally.note("mirror", before, after);
          if (isTrial || after === before) return;
          writeMirrorText(path, after);
          const known = (await tx.annotations.mirrorState()).files.get(name);
          if (known !== undefined) await tx.noteMirrorFile(name, folder.fingerprint(name, after, known.session));
        }),
      );
    } catch (error) {
      const why = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
      uncovered.push({
        path,
        problem: `could not be redacted${why}`,
        remedy: "Look into it, and correct or remove it by hand.",
      });
    }
  }
  return uncovered;
}

export async function redactAudit(yoreHome: string, tally: RedactionTally, isTrial: boolean): Promise<void> {
  const folder = join(yoreHome, "audit");
  for (const name of filesIn(folder)) {
    const clean = (text: string): string => cleanFileText(name, text);
    tally.note("audit", ...(await rewriteGrowingFile(join(folder, name), clean, isTrial)));
  }
}
