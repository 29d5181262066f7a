import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileTouch, RELATIONS, TitleKind } from "../../src/core/session.ts";
import { prepareMessage } from "../../src/ingest/prepare.ts";
import { type Batch, writeBatch } from "../../src/ingest/write.ts";
import type { MessageItem, UsageItem } from "../../src/sources/source.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import type { FileRow, HistoryTransaction, Store } from "../../src/store/store.ts";

export const START = Date.parse("2026-06-01T10:00:00Z");
export const MINUTE = 60_000;
export const DAY = 86_400_000;

export type SeedMessage = Omit<MessageItem, "kind" | "nativeId"> & { readonly nativeId?: string };

/** A session as its agent would have written it. Messages without a time follow each other by a minute. */
export interface SeedSession {
  readonly id: string;
  readonly agent?: string;
  readonly cwd?: string;
  readonly branch?: string;
  readonly at?: number;
  readonly messages: readonly SeedMessage[];
  readonly titles?: readonly { readonly kind: TitleKind; readonly text: string; readonly ofMessage?: string }[];
  readonly tags?: readonly string[];
  readonly usage?: readonly UsageItem[];
  readonly parent?: { readonly session: string; readonly relation: (typeof RELATIONS)[number] };
  readonly continuedIn?: string;
  /** Default: one file per session. */
  readonly path?: string;
  readonly file?: Partial<FileRow>;
}

export const human = (text: string, more: Partial<SeedMessage> = {}): SeedMessage => ({
  role: "human",
  part: "text",
  text,
  ...more,
});
export const answer = (text: string, more: Partial<SeedMessage> = {}): SeedMessage => ({
  role: "assistant",
  part: "text",
  text,
  ...more,
});
export const thinking = (text: string): SeedMessage => ({ role: "assistant", part: "thinking", text });
export const summary = (text: string): SeedMessage => ({ role: "summary", part: "text", text });
export const notice = (text: string): SeedMessage => ({ role: "system", part: "notice", text });
export const opening = (text: string): SeedMessage => ({ role: "system", part: "text", text });
export const call = (text: string, name = "Bash", files: readonly FileTouch[] = []): SeedMessage => ({
  role: "tool",
  part: "call",
  text,
  tool: { name, ...(files.length > 0 && { files }) },
});
export const result = (text: string, name = "Bash"): SeedMessage => ({
  role: "tool",
  part: "result",
  text,
  tool: { name },
});

/** Writes sessions, each in a transaction of its own, with everything that is derived from them. */
export async function seed(store: Store, ...sessions: readonly SeedSession[]): Promise<void> {
  const writer = await store.writer();
  for (const session of sessions) await writer.transaction((tx) => writeSession(tx, session));
  await writer.transaction((tx) => tx.settleTitles());
}

export async function writeSession(tx: HistoryTransaction, session: SeedSession): Promise<number> {
  return (await writeBatch(tx, batchOf(session), identify)).sessionId;
}

/** A store in a folder of its own. */
export async function openTemporaryStore(
  clock: () => number = () => START,
): Promise<Store & { readonly path: string }> {
  const folder = mkdtempSync(join(tmpdir(), "yore-store-"));
  const path = join(folder, "home", "yore.db");
  const store = await openSqliteStore(path, clock);
  return {
    ...store,
    path,
    async close() {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function batchOf(session: SeedSession): Batch {
  const { agent = "claude-code", id, cwd = "/home/ana/tide", branch, at = START } = session;
  const items = session.messages.map((message, index) => ({ nativeId: `${id}/${index}`, ...message }));
  const latest = at + DAY * 3_650;
  return {
    session: id,
    messages: items.map((item, index) =>
      prepareMessage(agent, { kind: "message", at: at + index * MINUTE, ...item }, index * 100, latest),
    ),
    facts: [
      {
        kind: "session",
        cwd,
        startedAt: at,
        ...(branch !== undefined && { branch }),
        ...(session.parent !== undefined && { parent: session.parent }),
        ...(session.continuedIn !== undefined && { continuedIn: session.continuedIn }),
      },
    ],
    titles: (session.titles ?? []).map(({ kind, text, ofMessage }) => ({
      kind: "title" as const,
      title: kind,
      text,
      ...(ofMessage !== undefined && { ofMessage }),
    })),
    tags: session.tags ?? [],
    usage: session.usage ?? [],
    file: {
      agent,
      path: session.path ?? `/history/${id}.jsonl`,
      sourceVersion: 1,
      size: 1_000,
      mtimeMs: at,
      inode: 1,
      offset: 1_000,
      window: "w",
      readerState: undefined,
      skipped: {},
      items: items.length,
      ...session.file,
    },
  };
}

function identify(cwd: string | undefined): { key: string; name: string; identity: "folder" } {
  return { key: `folder:${cwd ?? ""}`, name: cwd?.split("/").at(-1) ?? "", identity: "folder" };
}
