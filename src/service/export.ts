import { YoreError } from "../core/errors.ts";
import { parseMemory } from "../core/memory.ts";
import type { Store, StoredAnnotation, StoredSession, StoreFilter } from "../store/store.ts";
import { annotationLine, headLine, sessionLines } from "./export-jsonl.ts";
import { sessionMarkdown } from "./export-markdown.ts";
import { findProject, findSession } from "./find.ts";
import type { Workbench } from "./workbench.ts";
import type { ExportPiece, ExportRequest, Yore } from "./yore.ts";

const PAGE = 5_000;

export function exporting(bench: Workbench): Pick<Yore, "export"> {
  return { export: (request) => pieces(bench, request) };
}

async function* pieces(bench: Workbench, request: ExportRequest): AsyncGenerator<ExportPiece> {
  const { store, keeper, clock, timeZone } = bench;
  await keeper.refresh();
  const sessions = await chosen(store, request);
  const isJson = request.format === "jsonl";
  if (isJson) yield { text: headLine(clock(), sessions.length) };
  for (const session of sessions) {
    let isFirst = true;
    for await (const text of isJson ? sessionLines(store, session) : sessionMarkdown(store, session, timeZone)) {
      yield isFirst ? { text, begins: beginning(session) } : { text };
      isFirst = false;
    }
  }
  if (!isJson) return;
  for (const annotation of await further(store, request, sessions)) yield { text: annotationLine(annotation) };
}

/**
 * Of an export of everything also what stands on sessions that are not here: it is known here alone, too. Otherwise what
 * was saved in these sessions, or about the project. Nothing of what is hidden or forgotten.
 */
async function further(
  store: Store,
  { session, project }: ExportRequest,
  sessions: readonly StoredSession[],
): Promise<readonly StoredAnnotation[]> {
  const here = new Set(sessions.map(idOf));
  const { items } = await store.sessions.hidden({}, { offset: 0, limit: 1_000_000 });
  const hidden = new Set(items.map(idOf));
  const told = (await store.annotations.all()).filter((one) => {
    const isHidden = one.kind === "forgotten" || hidden.has(idOf(one.session));
    return !isHidden && !here.has(idOf(one.session));
  });
  if (session === undefined && project === undefined) return told;
  const found = project === undefined ? undefined : await findProject(store, project);
  const { key, formerKeys = [], merged = [] } = found ?? {};
  const keys = new Set([key, ...formerKeys, ...merged.map((one) => one.key)]);
  return told.filter(({ kind, value }) => {
    const memory = kind === "memory" ? parseMemory(value) : undefined;
    const isAbout = memory?.project !== undefined && keys.has(memory.project.key);
    return isAbout || (memory?.session !== undefined && here.has(idOf(memory.session)));
  });
}

async function chosen(store: Store, { session, project, format }: ExportRequest): Promise<readonly StoredSession[]> {
  if (session !== undefined && project !== undefined)
    throw new YoreError("bad-input", "Give a session or a project, but not both.");
  if (session !== undefined) {
    const found = await findSession(store, session);
    return format === "jsonl" ? withSubagents(store, found) : [found];
  }
  const filter = project === undefined ? {} : { projects: [(await findProject(store, project)).id] };
  return (await listed(store, filter, format === "jsonl")).sort(
    (a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0) || (idOf(a) < idOf(b) ? -1 : 1),
  );
}

async function listed(store: Store, filter: StoreFilter, silent: boolean): Promise<StoredSession[]> {
  const all = new Map<number, StoredSession>();
  for (let offset = 0; ; offset += PAGE) {
    const { items } = await store.sessions.list(filter, { subagents: true, silent }, { offset, limit: PAGE });
    for (const session of items) all.set(session.id, session);
    if (items.length < PAGE) return [...all.values()];
  }
}

async function withSubagents(store: Store, top: StoredSession): Promise<readonly StoredSession[]> {
  const all = new Map([[top.id, top]]);
  // What is added while it is gone through is gone through too.
  for (const session of all.values()) {
    for (const { session: other } of await store.sessions.related(session))
      if (other.relation === "subagent" && other.parent === session.nativeId) all.set(other.id, other);
  }
  return [...all.values()];
}

function beginning({ nativeId, title, startedAt }: StoredSession): NonNullable<ExportPiece["begins"]> {
  return { id: nativeId, title, ...(startedAt !== undefined && { startedAt }) };
}

function idOf({ agent, nativeId }: { readonly agent: string; readonly nativeId: string }): string {
  return `${agent} ${nativeId}`;
}
