import { realpathSync } from "node:fs";
import { YoreError } from "../core/errors.ts";
import type { FoundFile, Source } from "../sources/source.ts";

/** What the sources make of paths that a person named. Throws where one is not there or is of no known kind. */
export function acceptPaths(
  sources: readonly Source[],
  paths: readonly string[],
): readonly { readonly source: Source; readonly file: FoundFile }[] {
  return paths.flatMap((path) => {
    const real = realPath(path);
    const accepted = sources.flatMap((source) => (source.accept?.(real) ?? []).map((file) => ({ source, file })));
    if (accepted.length > 0) return accepted;
    const kinds = sources.filter((source) => source.accept !== undefined).map((source) => source.name);
    throw new YoreError("bad-input", `Nothing was found in ${path} that can be imported.`, {
      hint: `What can be: ${kinds.join(", ")}. The histories of agents are read by themselves, with \`yore index\`.`,
    });
  });
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new YoreError("not-found", `There is no file or folder ${path}.`, { cause: error });
  }
}
