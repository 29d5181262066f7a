import { normaliseName } from "../core/annotation.ts";
import { YoreError } from "../core/errors.ts";
import { withoutRecall } from "../core/fence.ts";
import { MAX_MEMORY_TEXT, MAX_MEMORY_TITLE, type Memory } from "../core/memory.ts";
import { observationTitle } from "../core/observation.ts";
import { clipLine } from "../core/text.ts";
import { clean, cleanNote } from "../ingest/prepare.ts";
import { anchorOf } from "./anchors.ts";
import { noteOf } from "./author.ts";
import { findSession, requireObservation } from "./find.ts";
import { projectFor } from "./memory-project.ts";
import { treesOf } from "./trees.ts";
import type { Workbench } from "./workbench.ts";
import type { RememberRequest } from "./yore.ts";

/** A memory as a request asks for it, but for its id and what it takes the place of. */
export interface MemoryRequest {
  readonly memory: Omit<Memory, "id" | "supersedes">;
  readonly isNewProject: boolean;
  readonly warnings: readonly string[];
}

/** `replaced`: what it is to take the place of, whose project, type and tags it has unless it is said otherwise. */
export async function requestedMemory(
  bench: Workbench,
  request: RememberRequest,
  replaced: readonly Memory[],
): Promise<MemoryRequest> {
  const { store, clock } = bench;
  const now = clock();
  const text = requireText(request.text);
  requireTime(request, now);
  const session = request.session === undefined ? undefined : await findSession(store, request.session);
  const evidence = await Promise.all((request.evidence ?? []).map((id) => requireObservation(store, id)));
  const { project, isNew, warnings } = await projectFor(bench, request, session, replaced);
  const trees = await treesOf(bench, project?.key);
  const folders = [...(bench.folder === undefined ? [] : [bench.folder]), ...trees];
  const title = clean(withoutRecall(request.title ?? "").trim() || observationTitle({ text }));
  const { from, until } = request;
  return {
    isNewProject: isNew,
    warnings,
    memory: {
      type: request.type ?? replaced[0]?.type ?? "note",
      title: clipLine(title, MAX_MEMORY_TITLE),
      text,
      ...(project !== undefined && { project }),
      tags: tagsOf(request.tags ?? replaced.flatMap(({ tags }) => tags)),
      anchors: (request.files ?? []).map((file) => anchorOf(clean(file), folders, trees)),
      by: noteOf(bench, request).by,
      at: now,
      ...(session !== undefined && { session: { agent: session.agent, nativeId: session.nativeId } }),
      evidence: [...new Set(evidence.map(({ publicId }) => publicId))],
      ...(from !== undefined && { from }),
      ...(until !== undefined && { until }),
    },
  };
}

/** What was recalled before doesn't come back as something new. */
function requireText(asked: string): string {
  const text = cleanNote(withoutRecall(asked).replaceAll("\r\n", "\n").replaceAll("\u0000", ""))
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
  if (text === "") throw new YoreError("bad-input", "There is nothing to remember.", { hint: "Give a text." });
  if (text.length <= MAX_MEMORY_TEXT) return text;
  throw new YoreError("bad-input", `The text has ${text.length} characters; a memory has up to ${MAX_MEMORY_TEXT}.`, {
    hint: "Save what was decided or learned, not the whole of what was said: the session keeps that.",
  });
}

function requireTime({ from, until }: RememberRequest, now: number): void {
  if (until === undefined) return;
  if (from !== undefined && from >= until)
    throw new YoreError("bad-input", "The time it is to hold for ends before it begins.");
  if (from !== undefined || until > now) return;
  throw new YoreError("bad-input", "The time it is to hold for is over already.", {
    hint: "Of something that held before, say from when on, too.",
  });
}

function tagsOf(asked: readonly string[]): readonly string[] {
  const tags = asked.map((tag) => {
    const name = clean(tag) === tag ? normaliseName(tag) : undefined;
    if (name === undefined) throw new YoreError("bad-input", "That cannot be a tag.", { hint: "Such as auth-rework." });
    return name;
  });
  return [...new Set(tags)].sort();
}
