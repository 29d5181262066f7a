import { readUserText } from "../cline-format/user-text.ts";
import { fieldsOf, nameOf, textOf, timeOf, tokensOf } from "../fields.ts";
import type { Sidecars } from "../source.ts";
import type { Place } from "./place.ts";

/** What `<session>.json` says of a session of the SDK. */
export interface Manifest {
  readonly cwd: string | undefined;
  readonly startedAt: number | undefined;
  readonly model: string | undefined;
  readonly agentVersion: string | undefined;
  /** Native id of the session that this one is a copy of. */
  readonly forkOf: string | undefined;
  /** Only where it is another than the beginning of the first prompt. */
  readonly title: string | undefined;
}

/** Of a subagent, what its root session's manifest says of it too: the folder. */
export function readManifest(place: Place, isSubagent: boolean, sidecars: Sidecars): Manifest {
  const manifest = fieldsOf(sidecars.json(place.manifest));
  const metadata = fieldsOf(manifest.metadata);
  const cwd = textOf(manifest.cwd) ?? textOf(manifest.workspace_root);
  const agentVersion = textOf(fieldsOf(metadata.sessionHistoryOrigin).version);
  if (isSubagent) {
    return { cwd, agentVersion, startedAt: undefined, model: undefined, forkOf: undefined, title: undefined };
  }
  const title = textOf(metadata.title)?.trim();
  return {
    cwd,
    agentVersion,
    startedAt: timeOf(manifest.started_at) ?? timeOf(manifest.created_at),
    model: textOf(manifest.model),
    forkOf: nameOf(fieldsOf(metadata.fork).forkedFromSessionId),
    title: title && !isFromPrompt(title, textOf(manifest.prompt) ?? "") ? title : undefined,
  };
}

/** What the model gets in place of a session's first messages. */
export interface Compaction {
  /** How many messages of the session it stands for. */
  readonly position: number;
  readonly messages: unknown;
  readonly at: number | undefined;
}

export function readCompaction(place: Place, sidecars: Sidecars): Compaction {
  const state = fieldsOf(sidecars.json(place.compaction));
  return { position: tokensOf(state.source_message_count), messages: state.messages, at: timeOf(state.updated_at) };
}

/** A session is first titled with the first line of its prompt, cut. */
function isFromPrompt(title: string, prompt: string): boolean {
  return (readUserText(prompt)?.text ?? prompt).trim().startsWith(title);
}
