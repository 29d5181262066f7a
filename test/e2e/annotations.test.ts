import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../support/bundle.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { jsonOf, PROGRAM, runYore, startYore } from "../support/program.ts";

/** Opens the store as an agent's server does. `parallel`: twenty changes at once. `on`: one after the other, until it is killed. */
const WORKER = `
import { openYore } from "./src/app.ts";
import { readSettings } from "./src/config/settings.ts";

const [task, name, ...sessions] = process.argv.slice(2);
const yore = await openYore(readSettings());
const by = { by: name, via: "mcp" };
const session = (at) => sessions[at % sessions.length];
const change = (at) => {
  if (at % 4 === 0) return { kind: "tags", items: [{ session: session(at), add: [name + "-" + at] }], ...by };
  if (at % 4 === 1) return { kind: "note", session: session(at), text: name + "-" + at, append: true, ...by };
  if (at % 4 === 2) return { kind: "collect", sessions: [session(at)], collection: name + "/" + at, ...by };
  return { kind: "tags", items: sessions.map((one) => ({ session: one, add: [name + "-" + at] })), ...by };
};
if (task === "parallel") {
  const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => yore.annotate(change(at))));
  console.log(JSON.stringify(replies.map(({ number }) => number)));
} else {
  await yore.annotate({ kind: "pin", sessions: [session(0)], ...by });
  console.log("ready");
  for (let at = 0; ; at++) {
    await yore.annotate(change(at));
    await yore.annotate({ kind: "alias", session: session(at), alias: name + "-" + at, ...by });
    console.log(at);
  }
}
await yore.close();
process.exit(0);
`;

const SESSIONS = [sessionId(1), sessionId(2), sessionId(3)];
let worker: string;

beforeAll(async () => {
  worker = await bundle(WORKER);
});
afterAll(() => rmSync(dirname(worker), { recursive: true, force: true }));

describe("annotations by many processes at once", () => {
  it("eight processes with twenty changes each at once: all are kept, in rows, history and mirror", async () => {
    const home = worked();
    await jsonOf(home, ["index"]);
    const names = Array.from({ length: 8 }, (_, index) => `agent${index}`);
    const all = await Promise.all(names.map((name) => startWorker(home, "parallel", name).finished));
    const numbers = all.flatMap(({ code, stdout, stderr }) => {
      expect([code, stderr]).toEqual([0, ""]);
      return JSON.parse(stdout);
    });
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 160 }, (_, index) => index + 1));
    expect(numbers).toHaveLength(160);
    const { sessions } = await listed(home);
    const tags = sessions.flatMap((one) => one.tags);
    const collections = sessions.flatMap((one) => one.collections);
    expect([new Set(tags).size, new Set(collections).size]).toEqual([8 * 10, 8 * 5]);
    const notes = SESSIONS.map((session) => rowsOf(home).find((row) => row.kind === "note" && row.session === session));
    expect(notes.flatMap((note) => String(note?.value).split("\n\n"))).toHaveLength(8 * 5);
    expectAgreement(home);
    expect(await findingsOf(home)).toEqual([]);
  }, 120_000);

  it("seven changes at once in one process all survive", async () => {
    const home = worked();
    const yore = await home.open();
    await Promise.all(
      Array.from({ length: 7 }, (_, at) =>
        yore.annotate({ kind: "note", session: SESSIONS[0] ?? "", text: `part ${at}`, append: true }),
      ),
    );
    const { note } = await yore.annotations({ session: SESSIONS[0] ?? "" });
    expect(note?.value.split("\n\n").sort()).toEqual(Array.from({ length: 7 }, (_, at) => `part ${at}`));
    await yore.close();
    expectAgreement(home);
  });
});

describe("annotations by a process that is killed at any moment", () => {
  it("rows, history and mirror agree afterwards, and nothing that was answered is lost", async () => {
    const home = worked();
    await jsonOf(home, ["index"]);
    let answered = 0;
    for (let tries = 0; tries < 50; tries++) {
      const { child, finished, said } = startWorker(home, "on", `run${tries}`);
      await said;
      // Spread over a few changes, and always alike.
      await new Promise((resolve) => setTimeout(resolve, ((tries * 0.381966) % 1) * 120));
      child.kill("SIGKILL");
      const { signal, stdout } = await finished;
      expect(signal).toBe("SIGKILL");
      const done = stdout.trim().split("\n").length - 1;
      answered += done;
      // What the next process does not write itself, the one after it must still find right: not each is looked at.
      if (tries % 5 === 0) expect(await findingsOf(home)).toEqual([]);
      const standing = new Set(rowsOf(home).flatMap(({ key, value }) => [key, ...String(value).split("\n\n")]));
      const lost = Array.from({ length: done }, (_, at) => `run${tries}-${at}`).filter(
        (name, at) => !standing.has(at % 4 === 2 ? `run${tries}/${at}` : name),
      );
      expect(lost).toEqual([]);
    }
    expect(answered).toBeGreaterThan(20);
    expect(await findingsOf(home)).toEqual([]);
    expectAgreement(home);

    // The files alone are enough to make it all anew.
    const before = rowsOf(home);
    const history = historyOf(home);
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${home.storePath}${suffix}`, { force: true });
    await jsonOf(home, ["restore"]);
    expect([rowsOf(home), historyOf(home)]).toEqual([before, history]);
  }, 120_000);

  it("the same of commands", async () => {
    const home = worked();
    await jsonOf(home, ["index"]);
    const [session = ""] = SESSIONS;
    const { seconds } = await runYore(home, ["tag", "first", session]);
    for (let tries = 0; tries < 10; tries++) {
      const { child, finished } = startYore(home, ["tag", `t${tries}`, ...SESSIONS]);
      const timer = setTimeout(() => child.kill("SIGKILL"), seconds * 1_000 * (0.6 + tries * 0.05));
      const { code, signal } = await finished;
      clearTimeout(timer);
      expect([code, signal]).toEqual(signal === null ? [0, null] : [null, "SIGKILL"]);
      const tagged = (await listed(home)).sessions.filter(({ tags }) => tags.includes(`t${tries}`)).length;
      expect(tagged).toBe(signal === null || tagged > 0 ? 3 : 0);
    }
    expect(await findingsOf(home)).toEqual([]);
    expectAgreement(home);
  });
});

describe("commands for annotations", () => {
  it("name, tag, note, pin, collect, log and undo, by whoever YORE_BY says", async () => {
    const home = worked();
    const [session = "", other = ""] = SESSIONS;
    await jsonOf(home, ["alias", session.slice(0, 8) === other.slice(0, 8) ? session : session.slice(0, 8), "Tide"]);
    expect(await jsonOf(home, ["tag", "one,two", "tide", other])).toMatchObject({
      number: 2,
      outcomes: [{}, {}, {}, {}],
    });
    await jsonOf(home, ["note", "tide", "a note"], { env: { YORE_BY: "release-script" } });
    await jsonOf(home, ["pin", "tide"]);
    await jsonOf(home, ["collect", "tide", other, "work/harbour"]);
    expect(await jsonOf(home, ["note", "tide"])).toMatchObject({ note: { value: "a note", by: "release-script" } });
    const edited = await runYore(home, ["note", "tide", "--edit"], { env: { EDITOR: "sed -i s/note/tale/" } });
    expect([edited.code, edited.stderr]).toEqual([0, ""]);
    expect(await jsonOf(home, ["note", "tide"])).toMatchObject({ note: { value: "a tale", by: "person" } });
    const failed = await runYore(home, ["note", "tide", "--edit"], { env: { EDITOR: "false" } });
    expect([failed.code, failed.stderr]).toEqual([2, expect.stringContaining("nothing was changed")]);
    expect(await jsonOf(home, ["sessions", "--collection", "work", "--pinned"])).toMatchObject({
      sessions: [
        {
          id: session,
          alias: "tide",
          tags: ["one", "two"],
          pinned: true,
          collections: ["work/harbour"],
          hasNote: true,
        },
      ],
    });
    expect(await jsonOf(home, ["undo"])).toMatchObject({ undone: { number: 6 } });
    expect(await jsonOf(home, ["undo", "2"])).toMatchObject({ change: { edits: [{}, {}, {}, {}] } });
    expect(await jsonOf(home, ["log", "tide"])).toMatchObject({
      changes: [
        { undoes: 2 },
        { undoes: 6 },
        { number: 6 },
        { number: 5 },
        { number: 4 },
        { by: "release-script" },
        { undoneBy: 8 },
        { number: 1 },
      ],
    });
    expect(await jsonOf(home, ["show", "tide"])).toMatchObject({ session: { id: session } });
    expect(readdirSync(join(home.yoreHome, "mirror")).filter((name) => /tmp|aside|damaged|edited/.test(name))).toEqual(
      [],
    );
  });
});

function worked(): TestHome {
  const home = createHome();
  for (const [index, session] of SESSIONS.entries()) {
    const transcript = claudeTranscript({ session });
    transcript.prompt(`ask about harbour ${index}`);
    transcript.says("an answer");
    home.write(home.claudePath(session), transcript.lines);
  }
  return home;
}

interface Worker {
  readonly child: ReturnType<typeof spawn>;
  /** It has said its first line. */
  readonly said: Promise<void>;
  readonly finished: Promise<{
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

function startWorker({ home, yoreHome }: TestHome, task: "parallel" | "on", name: string): Worker {
  const child = spawn(process.execPath, [worker, task, name, ...SESSIONS], {
    env: { PATH: process.env.PATH, HOME: home, YORE_HOME: yoreHome, TZ: "UTC" },
    stdio: ["ignore", "pipe", "pipe"],
    cwd: dirname(PROGRAM),
  });
  let [stdout, stderr] = ["", ""];
  const said = new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk) => {
      stdout += String(chunk);
      resolve();
    });
    child.on("close", () => resolve());
  });
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const finished = new Promise<Awaited<Worker["finished"]>>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, said, finished };
}

interface Row {
  readonly kind: string;
  readonly session: string;
  readonly key: string;
  readonly value: string;
}

function rowsOf(home: TestHome): readonly Row[] {
  return query<Row>(home, "SELECT kind, session, key, value, at, by FROM annotations ORDER BY kind, session, key");
}

function historyOf(home: TestHome): readonly Record<string, unknown>[] {
  return query(
    home,
    "SELECT number, at, by, via, kind, session, key, was, became FROM annotation_history ORDER BY number, id",
  );
}

function query<T = Record<string, unknown>>(home: TestHome, sql: string): T[] {
  const db = new Database(home.storePath, { readonly: true });
  try {
    return db.prepare<[], T>(sql).all();
  } finally {
    db.close();
  }
}

/** By code that shares nothing with the program: each value of the mirror is a row, and each line a change. */
function expectAgreement(home: TestHome): void {
  const folder = join(home.yoreHome, "mirror");
  const json = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"));
  const sorted = (values: readonly string[]) => values.toSorted();
  const rows = rowsOf(home);
  const stored = (kind: string, field: "key" | "value") =>
    sorted(rows.filter((row) => row.kind === kind).map((row) => `${row.session} ${row[field]}`));
  const told = (list: readonly Record<string, string>[], field: string) =>
    sorted(list.map((entry) => `${entry.session} ${entry[field]}`));
  if (stored("tag", "key").length > 0) expect(told(json("tags.json").tags, "tag")).toEqual(stored("tag", "key"));
  if (stored("alias", "value").length > 0)
    expect(told(json("aliases.json").aliases, "alias")).toEqual(stored("alias", "value"));
  if (stored("collection", "key").length > 0)
    expect(told(json("collections.json").collections, "collection")).toEqual(stored("collection", "key"));
  const notes = stored("note", "value").length > 0 ? readdirSync(join(folder, "notes")) : [];
  const texts = notes.map((name) => readFileSync(join(folder, "notes", name), "utf8"));
  const parts = texts.map((text) => /^---\nsession: (.*)\n[\s\S]*?\n---\n\n([\s\S]*)\n$/.exec(text) ?? []);
  expect(sorted(parts.map(([, session, body]) => `${session} ${body}`))).toEqual(stored("note", "value"));
  const lines = readFileSync(join(folder, "history.jsonl"), "utf8").trimEnd().split("\n");
  const edits = lines.flatMap((line) => {
    const { number, edits } = JSON.parse(line);
    return edits.map((edit: Record<string, unknown>) => [
      number,
      edit.kind,
      edit.session,
      edit.key ?? "",
      edit.was,
      edit.became,
    ]);
  });
  expect(edits).toEqual(
    historyOf(home).map(({ number, kind, session, key, was, became }) => [number, kind, session, key, was, became]),
  );
}

async function findingsOf(home: TestHome): Promise<readonly string[]> {
  const { stdout } = await runYore(home, ["doctor", "--json"]);
  const { findings }: { findings: readonly { readonly message: string }[] } = JSON.parse(stdout);
  return findings.map(({ message }) => message).filter((message) => message.includes("mirror"));
}

async function listed(home: TestHome): Promise<{
  readonly sessions: readonly { readonly tags: readonly string[]; readonly collections: readonly string[] }[];
}> {
  const { stdout } = await runYore(home, ["sessions", "--json"]);
  return JSON.parse(stdout);
}
