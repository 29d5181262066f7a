import { join } from "node:path";
import type { Sidecars } from "../source.ts";
import { contentText } from "./content.ts";

/**
 * The full output of a tool whose result was too large for the transcript, from `<companion>/tool-results`.
 *
 * A transcript is foreign text, so of the path it names only the file name is used, and the file must be a plain one
 * in that very folder. Of a file above 256 KB the beginning and the end are read. Undefined when the result names no
 * such file, or it is gone.
 */
export function readSidecar(resultText: string, companion: string | undefined, sidecars: Sidecars): string | undefined {
  const opening = resultText.slice(0, LOOK_AHEAD);
  const name = opening.includes(FOLDER) ? SAVED_TO.exec(opening)?.[1] : undefined;
  if (name === undefined || companion === undefined) return undefined;
  const text = sidecars.text(join(companion, FOLDER, name), ENDS);
  return text === undefined ? undefined : decoded(text, name);
}

const FOLDER = "tool-results";
const SAVED_TO = /saved to:?[^\n]{0,500}?tool-results[/\\]([\w.-]+\.(?:txt|json))/;
/** The note stands first, before a preview of the output. */
const LOOK_AHEAD = 1000;
const ENDS = { head: 192 * 1024, tail: 64 * 1024 };

/** Outputs of MCP tools are kept as JSON: an array of content blocks. */
function decoded(text: string, name: string): string {
  if (!name.endsWith(".json")) return text;
  try {
    const content = contentText(JSON.parse(text));
    return content === "" ? text : content;
  } catch {
    return text;
  }
}
