import { statSync } from "node:fs";
import { diskSidecars } from "../sidecars.ts";
import type { Container, FoundFile } from "../source.ts";
import { documentsIn, recordOf } from "./documents.ts";
import { placeOf } from "./paths.ts";

/** A conversation of which there are only the documents, as a container of one session. */
export function openConversation(file: FoundFile): Container {
  const { session, folder } = placeOf(file.path);
  return {
    *parts() {
      const stats = (file.beside ?? [file.path]).flatMap((path) => statSync(path, { throwIfNoEntry: false }) ?? []);
      const created = stats.map(({ birthtimeMs, mtimeMs }) => Math.min(birthtimeMs || mtimeMs, mtimeMs));
      const updated = stats.map(({ mtimeMs }) => mtimeMs);
      if (stats.length === 0) return;
      yield {
        name: session,
        revision: stats.map(({ mtimeMs, size }) => `${mtimeMs}:${size}`).join(" "),
        createdAt: Math.round(Math.min(...created)),
        updatedAt: Math.round(Math.max(...updated)),
        bytes: stats.reduce((sum, { size }) => sum + size, 0),
      };
    },
    *records() {
      for (const document of documentsIn(folder, diskSidecars)) yield recordOf(document);
    },
    close() {},
  };
}
