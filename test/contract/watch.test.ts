import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createLocalYore } from "../../src/service/local.ts";
import type { WatchOptions } from "../../src/service/watch.ts";
import type { WatchRequest, WatchTurn, Yore } from "../../src/service/yore.ts";
import { sources } from "../../src/sources/registry.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { recordsOf, saveRecords } from "../support/agent-cases.ts";
import { crush } from "../support/cases/crush.ts";
import { type ClaudeTranscript, claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";

vi.setConfig({ testTimeout: 30_000 });

/** So long that nothing in a test waits for it. */
const NEVER = 3_600_000;
/** What is found at this pace was heard of. */
const HEARING = { settleMs: 10, lookOverMs: NEVER, lookOverUnfollowedMs: NEVER, lookOverNewMs: 20, electMs: 20 };

interface Watched {
  readonly yore: Yore;
  readonly turns: readonly WatchTurn[];
  /** Ends the watching, and the store with it. */
  readonly stop: () => Promise<void>;
}

/** Watches a home until the test ends. The look with which it begins was taken. */
async function watch(
  home: TestHome,
  pace: Partial<NonNullable<WatchOptions["pace"]>> = {},
  follower: WatchOptions["follower"] = { isDeep: false },
): Promise<Watched> {
  const yore = await open(home, { pace: { ...HEARING, ...pace }, follower });
  const turns: WatchTurn[] = [];
  const stop = startWatching(yore, { onTurn: (turn) => void turns.push(turn) });
  onTestFinished(stop);
  await settled(turns, pace.lookOverUnfollowedMs === undefined ? 2 : 1);
  return { yore, turns, stop };
}

async function open(home: TestHome, watching: Pick<WatchOptions, "pace" | "follower">): Promise<Yore> {
  const clock = (): number => home.now;
  return createLocalYore({
    store: await openSqliteStore(home.storePath, clock),
    sources,
    environment: { home: home.home, platform: "linux", variables: {}, workFolders: [] },
    clock,
    timeZone: "UTC",
    yoreHome: home.yoreHome,
    storePath: home.storePath,
    catchUpMs: 60_000,
    firstPassWhole: true,
    watching,
  });
}

function startWatching(yore: Yore, request: Omit<WatchRequest, "signal">): () => Promise<void> {
  const stopping = new AbortController();
  const watching = yore.watch({ ...request, signal: stopping.signal });
  let ended: Promise<void> | undefined;
  return () => {
    stopping.abort();
    ended ??= watching.then(() => yore.close());
    return ended;
  };
}

/** Folders that were not followed yet are looked at twice. */
async function settled(turns: readonly WatchTurn[], count: number): Promise<void> {
  await vi.waitFor(() => expect(turns.length).toBeGreaterThanOrEqual(count), 10_000);
}

/** How many messages the store has, asked behind the program's back, so that nothing is read for the question. */
function stored(home: TestHome): number {
  const database = new Database(home.storePath, { readonly: true });
  try {
    return Number(database.prepare("SELECT count(*) FROM messages").pluck().get());
  } finally {
    database.close();
  }
}

const becomes = (home: TestHome, count: number) => expect.poll(() => stored(home), { timeout: 10_000 }).toBe(count);

function talk(count: number, cwd?: string): ClaudeTranscript {
  const transcript = claudeTranscript({ session: sessionId(count), ...(cwd !== undefined && { cwd }) });
  transcript.prompt(`barnacle ${count}`);
  return transcript;
}

/** A home with a session of one message in it. */
function started(): { readonly home: TestHome; readonly first: ClaudeTranscript; readonly path: string } {
  const home = createHome();
  const first = talk(1);
  return { home, first, path: home.write(home.claudePath(first.session), first.lines) };
}

describe("watching finds, without being asked anything,", () => {
  it("each line that is appended", async () => {
    const { home, first, path } = started();
    const { turns } = await watch(home);
    for (let count = 2; count < 6; count++) {
      home.append(path, [first.says(`answer ${count}`)]);
      await becomes(home, count);
    }
    expect(turns.filter((turn) => turn.kind !== "pass")).toEqual([]);
  });

  it("the rest of a line of which the beginning was written first", async () => {
    const { home, first, path } = started();
    await watch(home);
    const line = first.says("half and half");
    home.appendRaw(path, line.slice(0, 50));
    home.appendRaw(path, `${line.slice(50)}\n`);
    await becomes(home, 2);
  });

  it("a file that another was renamed to", async () => {
    const { home, path } = started();
    await watch(home);
    const other = talk(1);
    for (let count = 0; count < 4; count++) other.says(`rewritten ${count}`);
    home.move(home.write(`${path}.tmp`, other.lines), path);
    await becomes(home, 5);
  });

  it("a session in a folder that has others", async () => {
    const { home } = started();
    await watch(home);
    const second = talk(2);
    const path = home.write(home.claudePath(second.session), second.lines);
    await becomes(home, 2);
    home.append(path, [second.says("and more")]);
    await becomes(home, 3);
  });

  it("a session in a new folder, and what is appended to it", async () => {
    const { home } = started();
    await watch(home);
    const second = talk(2, "/home/ana/code/shop");
    const path = home.write(home.claudePath(second.session, "/home/ana/code/shop"), second.lines);
    await becomes(home, 2);
    home.append(path, [second.says("and more")]);
    await becomes(home, 3);
  });

  it("a session in a folder that was made long before it", async () => {
    const { home } = started();
    const { turns } = await watch(home);
    const path = home.claudePath(sessionId(2), "/home/ana/code/shop");
    const before = turns.length;
    mkdirSync(dirname(path));
    await settled(turns, before + 2);
    home.write(path, talk(2, "/home/ana/code/shop").lines);
    await becomes(home, 2);
  });

  it("sessions of an agent that was not there when it began", async () => {
    const home = createHome();
    await watch(home, { lookOverMs: 50 });
    const first = talk(1);
    home.write(home.claudePath(first.session), first.lines);
    await becomes(home, 1);
  });

  it("a session whose folder was removed and made again", async () => {
    const { home, first, path } = started();
    const { yore } = await watch(home);
    rmSync(dirname(path), { recursive: true });
    const written = [...first.lines];
    await expect.poll(() => missing(home), { timeout: 10_000 }).toBe(1);
    home.write(path, written);
    await expect.poll(() => missing(home), { timeout: 10_000 }).toBe(0);
    home.append(path, [first.says("back again")]);
    await becomes(home, 2);
    expect((await yore.stats()).sessions).toBe(1);
  });

  it("what is appended to files behind a link", async () => {
    const { home, first, path } = started();
    const real = home.move(join(home.home, ".claude"), join(home.home, "elsewhere"));
    home.link(real, join(home.home, ".claude"));
    await watch(home);
    home.append(path, [first.says("behind a link")]);
    await becomes(home, 2);
  });

  it("what a database's log has and the database does not", async () => {
    const home = createHome();
    const path = saveRecords(crush, join(home.home, crush.path), recordsOf(crush, ["barnacle"]));
    const database = new Database(path);
    onTestFinished(() => void database.close());
    database.pragma("journal_mode = WAL");
    database.pragma("wal_autocheckpoint = 0");
    await watch(home);
    expect(stored(home)).toBe(2);
    database.exec(`
      INSERT INTO messages SELECT 'new', session_id, role, parts, model, created_at + 60, updated_at + 60, finished_at + 60
        FROM messages WHERE role = 'assistant';
      UPDATE sessions SET updated_at = updated_at + 60`);
    await becomes(home, 3);
  });

  it("what happened where it did not hear anything, at its next look at everything", async () => {
    const { home, first, path } = started();
    await watch(home, { lookOverUnfollowedMs: 50 }, { isDeep: false, maxFolders: 0 });
    home.append(path, [first.says("unheard")]);
    await becomes(home, 2);
  });

  it("what is written on a system that follows trees", async () => {
    const { home, first, path } = started();
    await watch(home, {}, { isDeep: true });
    home.append(path, [first.says("in a tree")]);
    await becomes(home, 2);
  });
});

function missing(home: TestHome): number {
  const database = new Database(home.storePath, { readonly: true });
  try {
    return Number(database.prepare("SELECT count(*) FROM files WHERE missing = 1").pluck().get());
  } finally {
    database.close();
  }
}

describe("watching", () => {
  it("does nothing where nothing happens that is of a session", async () => {
    const { home, first, path } = started();
    const notes = home.write(join(dirname(path), "notes.txt"), ["x"]);
    const { turns } = await watch(home);
    const before = turns.length;
    home.append(notes, ["a name that was not known is looked at once"]);
    await settled(turns, before + 1);
    for (let count = 0; count < 20; count++) {
      home.append(notes, ["and not again"]);
      home.write(join(home.home, `unrelated-${count}`), ["x"]);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    home.append(path, [first.says("at last")]);
    await becomes(home, 2);
    expect(turns.length).toBe(before + 2);
  });

  it("is done by one of those that want to, and taken over when that one stops", async () => {
    const { home, first, path } = started();
    const one = await watch(home);
    const others = await Promise.all([open(home, { pace: HEARING }), open(home, { pace: HEARING })]);
    const turns: WatchTurn[][] = [[], []];
    for (const [index, yore] of others.entries()) {
      onTestFinished(startWatching(yore, { onTurn: (turn) => void turns[index]?.push(turn) }));
    }
    await expect.poll(() => turns).toEqual([[{ kind: "waiting" }], [{ kind: "waiting" }]]);
    home.append(path, [first.says("by the first")]);
    await becomes(home, 2);
    expect(turns).toEqual([[{ kind: "waiting" }], [{ kind: "waiting" }]]);

    await one.stop();
    await expect.poll(() => turns.filter((told) => told.some(({ kind }) => kind === "pass"))).toHaveLength(1);
    home.append(path, [first.says("by the next")]);
    await becomes(home, 3);
  });

  it("ends at once when it is told to, while it waits, and before it began", async () => {
    const { home } = started();
    const { stop } = await watch(home);
    await stop();
    const yore = await open(home, { pace: HEARING });
    await startWatching(yore, {})();
  });

  it("goes on after a look that failed", async () => {
    const { home, first, path } = started();
    const { turns } = await watch(home, { lookOverMs: 50 });
    home.sql("ALTER TABLE files RENAME TO files_away");
    await expect.poll(() => turns.some(({ kind }) => kind === "failure"), { timeout: 10_000 }).toBe(true);
    home.sql("ALTER TABLE files_away RENAME TO files");
    home.append(path, [first.says("afterwards")]);
    await becomes(home, 2);
  });

  it("does not answer for files that it did not look at", async () => {
    const { home, first, path } = started();
    const second = talk(2, "/home/ana/code/shop");
    const unheard = home.write(home.claudePath(second.session, "/home/ana/code/shop"), second.lines);
    home.touch(unheard, Date.now() - 1_000_000);
    // The agent's own folders and that of the first session.
    const { yore, turns } = await watch(home, { lookOverUnfollowedMs: NEVER }, { isDeep: false, maxFolders: 3 });
    await settled(turns, 2);
    home.append(unheard, [second.says("unheard")]);
    home.now += 60_000;
    home.append(path, [first.says("heard")]);
    await becomes(home, 3);
    expect((await yore.stats()).messages).toBe(4);
  });

  it("leaves a store that is that of one look at everything", async () => {
    const { home, first, path } = started();
    await watch(home);
    const second = talk(2);
    home.append(path, [first.says("one"), first.prompt("two")]);
    const other = home.write(home.claudePath(second.session), second.lines);
    await becomes(home, 4);
    home.append(other, [second.says("three")]);
    await becomes(home, 5);
    const whole = createHome({ over: home });
    await whole.index();
    expect(home.dump()).toMatchObject({ messages: whole.dump().messages, observations: whole.dump().observations });
  });
});

describe("a session", () => {
  it("is live while it is written, and idle some minutes later", async () => {
    const { home, first, path } = started();
    home.touch(path, home.now - 3_600_000);
    const { yore } = await watch(home);
    const state = async () => (await yore.sessions()).items[0]?.state;
    expect(await state()).toBe("idle");
    home.append(path, [first.says("going on")]);
    home.touch(path, home.now);
    await becomes(home, 2);
    expect(await state()).toBe("live");
    home.now += 9 * 60_000;
    expect(await state()).toBe("live");
    home.now += 2 * 60_000;
    expect(await state()).toBe("idle");
  });
});
