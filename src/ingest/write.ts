import { normaliseForeignTag } from "../core/annotation.ts";
import { withoutRecall } from "../core/fence.ts";
import { messageUid, parseUid, usageKey } from "../core/ids.ts";
import { DERIVATION_VERSION } from "../core/observation.ts";
import type { SessionItem, TitleItem, UsageItem } from "../sources/source.ts";
import type {
  FileRow,
  HistoryTransaction,
  NewMessage,
  SessionCursor,
  SessionKey,
  SessionPatch,
} from "../store/store.ts";
import { type DerivableMessage, deriveObservations } from "./derive.ts";
import type { ProjectIdentifier } from "./identify-project.ts";
import { clean, type PreparedMessage } from "./prepare.ts";

/** What came out of a stretch of a file, ready to be stored. */
export interface Batch {
  readonly session: string;
  readonly messages: readonly PreparedMessage[];
  readonly facts: readonly SessionItem[];
  readonly titles: readonly TitleItem[];
  readonly tags: readonly string[];
  readonly usage: readonly UsageItem[];
  /** When the latest of it was written at most. */
  readonly latestMs?: number;
  /** The file as it stands once this batch is stored. */
  readonly file: FileRow;
}

export interface Written {
  readonly added: number;
  readonly sessionId: number;
}

/**
 * Stores a batch and moves the file's offset, in one transaction with everything derived from it: a process that is
 * killed at any moment leaves either all of it or nothing.
 */
export async function writeBatch(tx: HistoryTransaction, batch: Batch, identify: ProjectIdentifier): Promise<Written> {
  const { agent } = batch.file;
  const isEmpty = batch.messages.length === 0 && batch.facts.length === 0;
  if (isEmpty && batch.titles.length === 0 && batch.usage.length === 0 && batch.tags.length === 0) {
    await tx.saveFile(batch.file, undefined);
    return { added: 0, sessionId: 0 };
  }
  const cursor = await tx.session({ agent, nativeId: batch.session });
  if (cursor.isNew) await tx.markDerived(cursor.id, DERIVATION_VERSION);
  const file = await tx.saveFile(batch.file, cursor.id);
  const known = await patchSession(tx, cursor, batch, identify);
  const added = await addMessages(tx, cursor, { agent, file, ...known }, batch);
  // What was derived before the branch was known has none.
  const isBranchLate = cursor.branch === undefined && known.branch !== undefined && cursor.open !== undefined;
  if (isBranchLate) await rederive(tx, cursor.id, { agent, nativeId: batch.session });
  await tx.addUsage(
    cursor.id,
    file,
    batch.usage.map((item) => ({
      key: item.id === undefined ? usageKey(agent, item.key) : parseUid(item.id),
      usage: item.usage,
      ...(item.at !== undefined && { at: item.at }),
      ...(item.model !== undefined && { model: clean(item.model) }),
    })),
  );
  for (const title of batch.titles) {
    const text = clean(withoutRecall(title.text));
    if (title.ofMessage === undefined) await tx.setTitle(cursor.id, title.title, text);
    else await tx.setTitleOfMessage(file, messageUid(agent, title.ofMessage), text);
  }
  for (const tag of batch.tags) {
    const name = normaliseForeignTag(clean(tag));
    if (name !== undefined) await tx.addTag(cursor.id, name);
  }
  return { added, sessionId: cursor.id };
}

/** Derives a session's observations anew from its stored messages, in bounded steps. */
export async function rederive(tx: HistoryTransaction, session: number, key: SessionKey): Promise<void> {
  await tx.dropObservations(session);
  const step = 500;
  let lastAt = (await tx.cursor(session)).startedAt ?? 0;
  for (let from = 0; ; ) {
    const messages = await tx.messagesFrom(session, from, step);
    const derivable = messages.map((message) => ({ ...message, uid: Buffer.from(message.uid, "hex") }));
    await derive(tx, await tx.cursor(session), key, lastAt, derivable);
    const last = messages.at(-1);
    if (messages.length < step || last === undefined) break;
    lastAt = Math.max(lastAt, ...messages.map((message) => message.at ?? 0));
    from = last.seq + 1;
  }
  await tx.markDerived(session, DERIVATION_VERSION);
}

interface Known {
  readonly lastAt: number;
  readonly cwd?: string;
  readonly branch?: string;
}

async function patchSession(
  tx: HistoryTransaction,
  cursor: SessionCursor,
  batch: Batch,
  identify: ProjectIdentifier,
): Promise<Known> {
  const facts = sumUp(batch.facts);
  const cwd = cursor.cwd ?? tidy(facts.cwd) ?? batch.messages.find((message) => message.cwd !== undefined)?.cwd;
  const branch =
    cursor.branch ?? tidy(facts.branch) ?? batch.messages.find((message) => message.branch !== undefined)?.branch;
  const needsProject = cursor.cwd === undefined;
  const folderName = tidy(facts.folderName);
  const startedAt = facts.startedAt ?? (cursor.startedAt === undefined ? firstTime(batch) : undefined);
  const projectId =
    needsProject && (cwd ?? folderName) !== undefined
      ? await tx.project(identify(cwd, tidy(facts.repositoryUrl), folderName, startedAt ?? cursor.startedAt), cwd)
      : undefined;
  const patch: SessionPatch = {
    ...(needsProject && projectId !== undefined && { projectId }),
    ...(cwd !== undefined && { cwd }),
    ...(branch !== undefined && { branch }),
    ...(startedAt !== undefined && { startedAt }),
    ...(facts.agentVersion !== undefined && { agentVersion: clean(facts.agentVersion) }),
    ...(facts.parent !== undefined && { parent: facts.parent }),
    ...(facts.continuedIn !== undefined && { continuedIn: facts.continuedIn }),
  };
  if (Object.keys(patch).length > 0) await tx.patchSession(cursor.id, patch);
  const lastAt = cursor.lastAt ?? startedAt ?? 0;
  return { lastAt, ...(cwd !== undefined && { cwd }), ...(branch !== undefined && { branch }) };
}

/** Where no message has a time, the file's own is the best there is; titles alone say nothing of when it was. */
function firstTime({ messages, file, latestMs = file.mtimeMs }: Batch): number | undefined {
  if (messages.length === 0) return undefined;
  return messages.find((message) => message.at !== undefined)?.at ?? Math.round(latestMs);
}

/** Of folder, branch, start and parent the first that is known counts, of the rest the last. */
function sumUp(facts: readonly SessionItem[]): SessionItem {
  const all: SessionItem = Object.assign({}, ...facts, { kind: "session" });
  const first: SessionItem = Object.assign({}, ...facts.toReversed(), { kind: "session" });
  const { cwd, branch, startedAt, parent } = first;
  return {
    ...all,
    ...(cwd !== undefined && { cwd }),
    ...(branch !== undefined && { branch }),
    ...(startedAt !== undefined && { startedAt }),
    ...(parent !== undefined && { parent }),
  };
}

function tidy(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : clean(text);
}

async function addMessages(
  tx: HistoryTransaction,
  cursor: SessionCursor,
  owner: Known & { readonly agent: string; readonly file: number },
  batch: Batch,
): Promise<number> {
  const stored = await tx.findMessages(batch.messages.map((message) => message.uid));
  const owners = new Set<number>();
  const inBatch = new Set<string>();
  const fresh: NewMessage[] = [];
  let forkedFrom: number | undefined;
  batch.messages.forEach((message, at) => {
    const original = stored[at];
    if (original !== undefined) {
      if (original.file !== owner.file) owners.add(original.file);
      if (original.session !== cursor.id) forkedFrom ??= original.session;
    } else if (!inBatch.has(message.nativeId)) {
      inBatch.add(message.nativeId);
      fresh.push(place(message, cursor.nextSeq + fresh.length, owner));
    }
  });
  if (owners.size > 0) await tx.noteCopies(owner.file, [...owners]);
  if (forkedFrom !== undefined && !cursor.hasParent) await tx.noteFork(cursor.id, forkedFrom);
  if (fresh.length === 0) return 0;
  await tx.addMessages(cursor.id, owner.file, fresh);
  const known = owner.branch === undefined ? cursor : { ...cursor, branch: owner.branch };
  await derive(tx, known, { agent: owner.agent, nativeId: batch.session }, owner.lastAt, fresh);
  return fresh.length;
}

/** Folder and branch are kept with a message only where they differ from the session's. */
function place({ nativeId: _, cwd, branch, ...message }: PreparedMessage, seq: number, session: Known): NewMessage {
  return {
    ...message,
    seq,
    ...(cwd !== undefined && cwd !== session.cwd && { cwd }),
    ...(branch !== undefined && branch !== session.branch && { branch }),
  };
}

async function derive(
  tx: HistoryTransaction,
  cursor: SessionCursor,
  key: SessionKey,
  lastAt: number,
  messages: readonly DerivableMessage[],
): Promise<void> {
  const { open, branch } = cursor;
  const drafts = await deriveObservations(
    {
      agent: key.agent,
      session: key.nativeId,
      lastAt,
      opening: async () => (open && (await tx.messagesFrom(cursor.id, open.firstSeq, 1))[0]) ?? { text: "" },
      ...(branch !== undefined && { branch }),
      ...(open !== undefined && { open }),
    },
    messages,
  );
  await tx.saveObservations(cursor.id, drafts);
}
