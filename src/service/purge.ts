import { existsSync } from "node:fs";
import { YoreError } from "../core/errors.ts";
import { projectId } from "../core/ids.ts";
import { MEMORY_AGENT } from "../core/memory.ts";
import type { HistoryWriter, StoredSession, StoredSessionKey } from "../store/store.ts";
import { eraseTraces } from "./erase.ts";
import { findAnySession } from "./find.ts";
import { patiently } from "./patience.ts";
import { dropFromArchive, dropFromAudit, dropFromMirror } from "./purge-files.ts";
import { distinctive, lookForTraces } from "./purge-proof.ts";
import { saveRefusals } from "./refusal-mirror.ts";
import { sessionSummary } from "./views.ts";
import type { Workbench } from "./workbench.ts";
import { WriteLease } from "./write-lease.ts";
import type { Finding, PurgePlan, PurgeReport, PurgeRequest, Yore } from "./yore.ts";

/** Sessions that are removed in one transaction. */
const SESSIONS_AT_ONCE = 20;
/** Receipts that are looked through in one transaction. */
const RECEIPTS_AT_ONCE = 500;
/** Messages of which a piece may be looked for afterwards. */
const SAMPLED = 400;

/** Removing sessions for good. */
export function purging(bench: Workbench): Pick<Yore, "planPurge" | "purge"> {
  const { store, clock } = bench;
  return {
    planPurge: async (request) => planOf(bench, await targetsOf(bench, request)),

    async purge({ onProgress, ...request }) {
      const writer = await store.writer();
      const lease = await WriteLease.take(writer, clock);
      const next = async (what: string): Promise<void> => {
        onProgress?.({ phase: "working", what, done: 0, total: 0 });
        await lease.keep();
      };
      try {
        const targets = await targetsOf(bench, request);
        const plan = await planOf(bench, targets);
        return await purge(bench, writer, targets, plan, next);
      } finally {
        await lease.release();
      }
    },
  };
}

interface Targets {
  readonly asked: readonly StoredSessionKey[];
  /** All that go, subagents after their spawners. */
  readonly family: readonly StoredSessionKey[];
  readonly unfinished: readonly StoredSessionKey[];
  /** Ids of what was asked for and is gone already. */
  readonly gone: readonly string[];
}

async function targetsOf({ store }: Workbench, request: PurgeRequest): Promise<Targets> {
  const { sessions = [], project } = request;
  const refused = await store.files.refused();
  // Only a purge refuses sessions, so one of these that is there still was killed.
  const unfinished = refused.flatMap(({ id, ...key }) => (id === undefined ? [] : [{ ...key, id }]));
  const asked = new Map<number, StoredSessionKey>();
  const gone: string[] = [];
  for (const name of sessions) {
    try {
      const session = await findAnySession(store, name, "seen");
      asked.set(session.id, session);
    } catch (error) {
      const known = refused.find(({ nativeId }) => name.length >= SHORTEST_ID && nativeId.startsWith(name));
      if (known === undefined || !(error instanceof YoreError) || error.code !== "not-found") throw error;
      gone.push(known.nativeId);
    }
  }
  if (project !== undefined) {
    for (const session of await ofProject(store, project)) asked.set(session.id, session);
  }
  const isNothing = asked.size === 0 && gone.length === 0 && unfinished.length === 0;
  if (isNothing && !(await store.traces.isEraseDue()))
    throw new YoreError("bad-input", "No session was named.", { hint: "Name sessions, or `--project <project>`." });
  const ids = [...asked.keys(), ...unfinished.map(({ id }) => id)];
  return { asked: [...asked.values()], family: await store.traces.family(ids), unfinished, gone };
}

const SHORTEST_ID = 8;

/** Named in full: what is removed for good must not be guessed at. */
async function ofProject({ traces, sessions }: Workbench["store"], name: string): Promise<readonly StoredSessionKey[]> {
  const wanted = name.trim();
  const items = await sessions.projects({}, { offset: 0, limit: MOST_PROJECTS });
  const byId = items.items.filter(({ key }) => projectId(key) === wanted);
  const [only, other] = byId.length > 0 ? byId : await traces.projects(wanted);
  if (only === undefined)
    throw new YoreError("not-found", "There is no project that is called that.", {
      hint: "Give its whole name, its id or the path of a folder of it: `yore projects --long` shows them.",
    });
  if (other !== undefined)
    throw new YoreError("ambiguous", "More than one project is called that.", {
      hint: "Give its id: `yore projects --long` shows it.",
    });
  return traces.ofProject(only.id);
}

const MOST_PROJECTS = 100_000;

async function planOf({ store }: Workbench, { asked, family, unfinished }: Targets): Promise<PurgePlan> {
  const ids = family.map(({ id }) => id);
  const files = await store.traces.filesOf(ids);
  const relatives = await store.traces.relatives(ids);
  // Of a project its memories go too.
  const sessions = asked.filter(({ agent }) => agent !== MEMORY_AGENT);
  const told = await Promise.all(sessions.map((key) => storedSession(store, key)));
  return {
    sessions: told.filter((session) => session !== undefined).map(sessionSummary),
    further: family.length - new Set([...sessions, ...unfinished].map(({ id }) => id)).size,
    ...(await store.traces.count(ids)),
    agentFiles: [...new Set(files.map(({ path }) => path))].filter((path) => existsSync(path)),
    relatives: relatives.map(({ nativeId }) => nativeId),
    unfinished: unfinished.map(({ nativeId }) => nativeId),
  };
}

async function storedSession(
  { sessions }: Workbench["store"],
  { id, nativeId }: StoredSessionKey,
): Promise<StoredSession | undefined> {
  const { items } = await sessions.hidden({ prefix: nativeId }, { offset: 0, limit: 10 });
  return (await sessions.get(id)) ?? items.find((session) => session.id === id);
}

/**
 * Refused first, so that whatever is killed from here on, nothing comes back; the rows last, since from them it is known
 * what there is to remove. Every step can be done again.
 */
async function purge(
  bench: Workbench,
  writer: HistoryWriter,
  { family, gone }: Targets,
  plan: PurgePlan,
  next: (what: string) => Promise<void>,
): Promise<PurgeReport> {
  const { store, yoreHome, annotationMirror, archivePath } = bench;
  const ids = family.map(({ id }) => id);
  await next("what was said");
  const strings = await stringsOf(bench, ids);
  await patiently(() =>
    writer.transaction(async (tx) => {
      for (const key of family) await tx.refuseSession(key, { at: bench.clock(), by: bench.author ?? "person" });
    }),
  );
  saveRefusals(yoreHome, await store.files.refused());
  await next("the archive");
  dropFromArchive(archivePath, await store.traces.filesOf(ids));
  await next("annotations");
  await annotationMirror.rewrite((tx) => tx.purgeAnnotations(family));
  dropFromMirror(annotationMirror.folder, family);
  await next("the record of calls");
  await dropFromAudit(yoreHome, family);
  await dropReceipts(writer, family, strings, next);
  // Subagents first: without their spawner it would not be known whose they are.
  const order = ids.toReversed();
  for (let from = 0; from < order.length; from += SESSIONS_AT_ONCE) {
    await next("the store");
    const some = order.slice(from, from + SESSIONS_AT_ONCE);
    await patiently(() => writer.transaction((tx) => tx.purgeSessions(some)));
  }
  await patiently(() => writer.transaction((tx) => tx.settleTitles()));
  await bench.mirror.save();
  const held = await eraseTraces(writer, () => next("what was removed"));
  await next("every file");
  const removed = [...new Set([...family.map(({ nativeId }) => nativeId), ...gone])];
  const { found, files } = await lookForTraces(bench, { strings, ids: removed });
  const { sessions: _, unfinished: __, ...counts } = plan;
  return {
    ...counts,
    removed,
    checked: { files, strings: strings.length + removed.length },
    left: [...(held === undefined ? [] : [{ path: `${bench.storePath}-wal`, ...held }]), ...found],
  };
}

/** What was handed out of the sessions, to them, and whatever holds the same words. */
async function dropReceipts(
  writer: HistoryWriter,
  sessions: readonly StoredSessionKey[],
  strings: readonly string[],
  next: (what: string) => Promise<void>,
): Promise<void> {
  let place: number | undefined;
  do {
    await next("receipts");
    const from = place;
    place = await patiently(() =>
      writer.transaction((tx) => tx.purgeReceipts(from, RECEIPTS_AT_ONCE, { sessions, strings })),
    );
  } while (place !== undefined);
}

/** What a purge that was killed has left to be done. */
export async function purgeFindings({ files, traces }: Workbench["store"]): Promise<readonly Finding[]> {
  const isUnfinished = (await files.refused()).some(({ id }) => id !== undefined);
  if (!isUnfinished && !(await traces.isEraseDue())) return [];
  return [
    {
      level: "warning",
      message: "Removing sessions for good was begun, and did not come to its end: something of them is still there.",
      remedy: "Run `yore purge`: it goes on from there.",
    },
  ];
}

/** Pieces of what was said that stand nowhere else. */
async function stringsOf({ store }: Workbench, ids: readonly number[]): Promise<readonly string[]> {
  const pieces = distinctive(await store.traces.sample(ids, SAMPLED));
  const found = await store.traces.find(pieces, ids);
  // Receipts that hold them are removed too.
  const elsewhere = new Set(found.filter(({ layer }) => layer !== "receipts").map(({ string }) => string));
  return pieces.filter((piece) => !elsewhere.has(piece));
}
