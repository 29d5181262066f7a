import { messageUid } from "../core/ids.ts";
import { MEMORY_AGENT, type Memory, parseMemory, validityOf } from "../core/memory.ts";
import { piecesOf } from "../ingest/derive.ts";
import type { HistoryTransaction, MemoryDraft, Store } from "../store/store.ts";

/** Raised when the same memories would give other rows: these are then made anew. */
const INDEX_VERSION = 1;

const FOREVER = Number.MAX_SAFE_INTEGER;

/** Whether some memories have to be indexed for another reason than that they were changed. */
export function isIndexBehind({ memories }: Pick<Store, "memories">): Promise<boolean> {
  return memories.areBehind(INDEX_VERSION);
}

/** Brings what is derived from memories in line with what they say. */
export async function indexMemories(tx: HistoryTransaction): Promise<void> {
  for (const id of await tx.memories.outdated(INDEX_VERSION)) {
    const [stored] = (await tx.annotations.of({ agent: MEMORY_AGENT, nativeId: id })).filter(
      ({ kind }) => kind === "memory",
    );
    const memory = stored === undefined ? undefined : parseMemory(stored.value);
    if (memory === undefined) await tx.dropMemory(id);
    else {
      const { project } = memory;
      const projectId = project === undefined ? undefined : await tx.project(project, undefined);
      await tx.saveMemory(draftOf({ ...memory, id }, projectId));
    }
  }
}

function draftOf(memory: Memory, projectId: number | undefined): MemoryDraft {
  const { id, title, by, at, from = at } = memory;
  // What a memory is called is found like what it says.
  const text = memory.text.startsWith(title) ? memory.text : `${title}\n\n${memory.text}`.trimEnd();
  const role = by === "person" ? "human" : "assistant";
  const files = memory.anchors.map(({ path }) => ({ path, changed: false }));
  return {
    id,
    title,
    tags: memory.tags,
    ...(projectId !== undefined && { projectId }),
    path: `mirror/memories/${id}`,
    message: { uid: messageUid(MEMORY_AGENT, id), seq: 0, role, part: "text", at, text, files, byte: 0 },
    observation: {
      publicId: id,
      firstSeq: 0,
      lastSeq: 0,
      part: 1,
      at: from,
      endedAt: Math.max(from, at),
      type: memory.type,
      traits: 0,
      title,
      chars: text.length,
      files,
      pieces: piecesOf({ role, part: "text", text }, 0),
    },
    validity: validityRows(memory),
    version: INDEX_VERSION,
  };
}

/**
 * The memory itself counts while it holds. What it stands on counts before that too, and no more once another memory has
 * taken its place.
 */
function validityRows(memory: Memory): MemoryDraft["validity"] {
  const { starts, ends } = validityOf(memory);
  const own = { observation: memory.id, starts, ends };
  const evidence = new Set(memory.evidence.filter((id) => id !== memory.id));
  const until = memory.superseded === undefined ? FOREVER : ends;
  return [own, ...[...evidence].map((observation) => ({ observation, starts: -FOREVER, ends: until }))];
}
