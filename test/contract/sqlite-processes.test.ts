import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import type { Store } from "../../src/store/store.ts";
import { bundle } from "../support/bundle.ts";
import { human, seed, writeSession } from "../support/seed.ts";
import { ALL_PLACES, PAGE } from "./store/opened-store.ts";

/** `hold`: takes the lease and a transaction, writes a session, and commits at the next line. `many`: writes ten. */
const PROGRAM = `
import { hostname } from "node:os";
import { createInterface } from "node:readline";
import { openSqliteStore } from "./src/store/sqlite/store.ts";
import { human, seed, writeSession } from "./test/support/seed.ts";

const [path, task, name] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
if (task === "many") {
  console.log("ready");
  await lines.next();
}
const store = await openSqliteStore(path, () => 0);
if (task === "hold") {
  const writer = await store.writer();
  await writer.acquireLease({ host: hostname(), pid: process.pid, token: name }, 10_000, 0);
  await writer.transaction(async (tx) => {
    await writeSession(tx, { id: name, messages: [human("held words")] });
    console.log("holding");
    await lines.next();
  });
} else {
  for (let at = 0; at < 10; at++) await seed(store, { id: name + at, messages: [human("many words")] });
}
console.log("done");
await store.close();
process.exit(0);
`;

let program: string;
let path: string;
const children: Child[] = [];

interface Child {
  readonly process: ChildProcess;
  /** Waits for a line that says so. */
  said(line: string): Promise<void>;
  tell(): void;
}

beforeAll(async () => {
  program = await bundle(PROGRAM);
});
afterAll(() => rmSync(dirname(program), { recursive: true, force: true }));
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), "yore-processes-")), "home", "yore.db");
});
afterEach(() => {
  for (const child of children.splice(0)) child.process.kill("SIGKILL");
  rmSync(dirname(dirname(path)), { recursive: true, force: true });
});

describe("several processes on one store", { timeout: 60_000 }, () => {
  it("read what was committed while one of them writes", async () => {
    const store = await open();
    await seed(store, { id: "before", messages: [human("committed words")] });
    const child = start("hold", "child");
    await child.said("holding");
    expect(await sessions(store)).toEqual(["before"]);
    const fresh = await open();
    expect(await sessions(fresh)).toEqual(["before"]);
    expect(await fresh.words.count({ text: "words" }, ALL_PLACES, 9)).toBe(1);
    expect((await fresh.figures.integrity()).ok).toBe(true);
    child.tell();
    await child.said("done");
    expect(await sessions(store)).toEqual(["before", "child"]);
    expect(await sessions(fresh)).toEqual(["before", "child"]);
    await fresh.close();
    await store.close();
  });

  it("write one after the other", async () => {
    const store = await open();
    const child = start("hold", "child");
    await child.said("holding");
    const writing = seed(store, { id: "after", messages: [human("x")] });
    child.tell();
    await writing;
    await child.said("done");
    expect(await sessions(store)).toEqual(["after", "child"]);
    await store.close();
  });

  it("give up a store that is being written for too long, and say so", async () => {
    const store = await open();
    const child = start("hold", "child");
    await child.said("holding");
    // Waiting stops this whole thread, so that the other one cannot be told meanwhile.
    await expect(seed(store, { id: "x", messages: [human("x")] })).rejects.toMatchObject({ code: "busy" });
    expect(await sessions(store)).toEqual([]);
    await store.close();
  });

  it("leave nothing behind when they are killed", async () => {
    const store = await open();
    const child = start("hold", "child");
    await child.said("holding");
    child.process.kill("SIGKILL");
    await once(child.process, "exit");
    expect(await sessions(store)).toEqual([]);
    const writer = await store.writer();
    const holder = { host: hostname(), pid: process.pid, token: "t" };
    expect(await writer.acquireLease(holder, 20_000, 1)).toBe(true);
    await writer.transaction((tx) => writeSession(tx, { id: "next", messages: [human("x")] }));
    expect(await sessions(store)).toEqual(["next"]);
    expect((await store.figures.integrity()).ok).toBe(true);
    await store.close();
  });

  it("can all begin at once, and lose nothing", async () => {
    const names = ["a", "b", "c", "d"];
    const all = names.map((name) => start("many", name));
    await Promise.all(all.map((child) => child.said("ready")));
    for (const child of all) child.tell();
    await Promise.all(all.map((child) => child.said("done")));
    const store = await open();
    const expected = names.flatMap((name) => Array.from({ length: 10 }, (_, at) => `${name}${at}`));
    expect(await sessions(store)).toEqual(expected);
    expect(await store.words.count({ text: "many words" }, ALL_PLACES, 99)).toBe(40);
    expect((await store.figures.integrity()).ok).toBe(true);
    await store.close();
  });
});

const open = (): Promise<Store> => openSqliteStore(path, () => 0);

async function sessions(store: Store): Promise<string[]> {
  const { items } = await store.sessions.list({}, { subagents: true }, PAGE);
  return items.map((session) => session.nativeId).sort();
}

function start(task: string, name: string): Child {
  const process_ = spawn(process.execPath, [program, path, task, name], { stdio: ["pipe", "pipe", "inherit"] });
  const heard: string[] = [];
  const lines = createInterface({ input: process_.stdout });
  lines.on("line", (line) => heard.push(line));
  const child: Child = {
    process: process_,
    async said(line) {
      while (!heard.includes(line)) {
        if (process_.exitCode !== null) throw new Error(`ended with ${process_.exitCode} before it said ${line}`);
        await Promise.race([once(lines, "line"), once(process_, "exit")]);
      }
    },
    tell: () => process_.stdin.write("go\n"),
  };
  children.push(child);
  return child;
}
