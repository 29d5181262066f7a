import { asFields, isFields, listOf, parseJson, textOf } from "../fields.ts";
import type { Sidecars } from "../source.ts";
import type { Step } from "./fold.ts";
import type { Place } from "./paths.ts";

/**
 * The folder that a conversation is about. The transcript doesn't tell it: the folder of the first command does, and
 * what `agy` noted of the prompts in all conversations.
 */
export function workFolderOf(steps: readonly Step[], place: Place, sidecars: Sidecars): string | undefined {
  return commandFolder(steps) ?? notedFolder(place, sidecars);
}

const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;
/** Antigravity has folders of its own, in which it tries things out. */
const OWN = /[\\/]\.gemini[\\/]/;

function commandFolder(steps: readonly Step[]): string | undefined {
  for (const { fields } of steps) {
    for (const call of listOf(fields.tool_calls).filter(isFields)) {
      const written = textOf(asFields(call.args)?.Cwd) ?? "";
      const folder = textOf(parseJson(written)) ?? written;
      if (ABSOLUTE.test(folder) && !OWN.test(folder)) return folder;
    }
  }
  return undefined;
}

function notedFolder({ session, history }: Place, sidecars: Sidecars): string | undefined {
  for (const line of (sidecars.text(history) ?? "").split("\n")) {
    if (!line.includes(session)) continue;
    const { conversationId, workspace } = asFields(parseJson(line)) ?? {};
    const folder = textOf(workspace);
    if (conversationId === session && folder !== undefined) return folder;
  }
  return undefined;
}
