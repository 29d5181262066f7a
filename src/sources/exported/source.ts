import type { FoundFile, Source } from "../source.ts";
import { createExportedReader } from "./reader.ts";

/** Reads what the archive holds of sessions of this agent that came with an export of ours. */
export function exportedOf(source: Source): Source {
  return { ...source, reader: (file) => createExportedReader(sessionIn(file)) };
}

const IMPORTED = "imported:";

/** Names what came of a session with an export, by the first of its messages that was new. It is no path of a file. */
export function exportedFile(agent: string, session: string, message: string): FoundFile {
  return { path: `${IMPORTED}${agent}/${message}/${session}`, unit: "exported" };
}

function sessionIn({ path }: FoundFile): string {
  return path.split("/").slice(2).join("/");
}
