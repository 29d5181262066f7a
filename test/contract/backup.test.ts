import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { finishRestore, restoreBackup } from "../../src/service/restore-backup.ts";
import { isEmptyStore, openBackup } from "../../src/store/sqlite/backup.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { compareDumps, dumpStore } from "../support/dump.ts";
import { createHome, type TestHome } from "../support/home.ts";

const [MAIN, OTHER] = [sessionId(1), sessionId(2)];

describe("a backup", () => {
  it("brings back store, mirror and archive as they were", async () => {
    const home = await filled();
    const { path, ...told } = await backUp(home);
    expect(told).toEqual({ bytes: statSync(path).size, sessions: 2, messages: 4, files: files(home).length });
    const to = createHome();
    expect(restore(path, to)).toEqual({ made: home.now, sessions: 2, messages: 4, files: told.files });
    expect(compareDumps(home.dump(), to.dump())).toEqual({});
    expect(files(to)).toEqual(files(home));
    const yore = await createHome({ over: home }).open({ yoreHome: to.yoreHome });
    expect((await yore.annotations({ session: MAIN })).note?.value).toBe("High water.");
    expect((await yore.projectDecisions()).map(({ name }) => name)).toEqual(["Flood"]);
    // What stands in the mirror is known, and not taken for edits by hand.
    expect((await yore.annotationLog()).items).toHaveLength(1);
    expect((await yore.index()).filesRead).toBe(0);
  });

  it("is one file for its owner alone, and leaves nothing beside it", async () => {
    const home = await filled();
    const { path } = await backUp(home);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const folder = join(home.yoreHome, "backups");
    expect(readdirSync(folder)).toEqual(["yore-2026-06-17.db"]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const again = await backUp(home);
    expect(again.path).toBe(join(folder, "yore-2026-06-17-2.db"));
  });

  it("takes the place of nothing that is there", async () => {
    const home = await filled();
    const path = join(home.yoreHome, "one.db");
    writeFileSync(path, "mine");
    await expect((await home.open()).backup({ path })).rejects.toMatchObject({ code: "bad-input" });
    expect(readFileSync(path, "utf8")).toBe("mine");
  });

  it("that was cut off leaves nothing behind once another is made", async () => {
    const home = await filled();
    const folder = join(home.yoreHome, "backups");
    for (const name of ["yore-2026-06-17.db.99999999.tmp", "yore-2026-06-17.db.99999999.tmp-journal"])
      home.writeRaw(join(folder, name), "half");
    await backUp(home);
    expect(readdirSync(folder)).toEqual(["yore-2026-06-17.db"]);
  });

  it("holds no key of redaction, nor what is recorded of calls", async () => {
    const home = await filled();
    const key = "k".repeat(32);
    home.writeRaw(join(home.yoreHome, "redaction.key"), key);
    home.writeRaw(join(home.yoreHome, "redaction-allow.txt"), "example\n");
    home.writeRaw(join(home.yoreHome, "config.json"), "{}\n");
    home.writeRaw(join(home.yoreHome, "audit", "2026-06-17.jsonl"), "{}\n");
    const { path } = await backUp(home);
    const backup = openBackup(path);
    const names = Array.from(backup.files(), ({ name }) => name);
    backup.close();
    expect(names.filter((name) => !/^(?:mirror|archive)\//.test(name))).toEqual(["config.json", "redaction-allow.txt"]);
    expect(readFileSync(path).includes(key)).toBe(false);
  });

  it("is consistent while others write", { timeout: 60_000 }, async () => {
    const home = await filled();
    const talk = claudeTranscript({ session: sessionId(3) });
    const writing = await home.open();
    const backing = await home.open({ catchUpMs: 0 });
    await writing.annotate({ kind: "tags", items: [{ session: MAIN, add: ["first"] }] });
    let isDone = false;
    const write = async (): Promise<void> => {
      for (let turn = 0; !isDone; turn += 1) {
        talk.prompt(`turn ${turn} ${"of the tide ".repeat(200)}`);
        home.write(home.claudePath(sessionId(3)), talk.lines);
        home.now += 1_000;
        await writing.index();
        await writing.annotate({ kind: "tags", items: [{ session: MAIN, add: [`turn-${turn}`] }] });
      }
    };
    const writer = write();
    const paths: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      paths.push((await backing.backup()).path);
    }
    isDone = true;
    await writer;
    for (const path of paths) {
      const to = createHome({ now: home.now });
      restore(path, to);
      // The mirror tells of the very annotations that the store has.
      const stored = column(to.storePath, "SELECT key FROM annotations WHERE kind = 'tag' ORDER BY key");
      const { tags } = JSON.parse(readFileSync(join(to.yoreHome, "mirror/tags.json"), "utf8"));
      expect(tags.map(({ tag }: { tag: string }) => tag).sort()).toEqual(stored);
      // What the store has of a transcript, the archive has too.
      rmSync(to.storePath);
      const messages = column(path, "SELECT count(*) FROM messages")[0];
      const { messages: restored } = await to.index();
      expect(restored).toBeGreaterThanOrEqual(Number(messages));
    }
  });

  it.each([
    ["that is a file already", (home: TestHome) => home.writeRaw(join(home.home, "x.db"), "mine"), "bad-input"],
    ["in no folder", (home: TestHome) => join(home.home, "none", "x.db"), "not-found"],
  ])("to a place %s is refused", async (_, placeIn, code) => {
    const home = await filled();
    const path = placeIn(home);
    const yore = await home.open();
    await expect(yore.backup({ path })).rejects.toMatchObject({ code });
    if (existsSync(path)) expect(readFileSync(path, "utf8")).toBe("mine");
  });
});

describe("restoring from a backup", () => {
  it("refuses to take the place of a history, unless told to, and keeps that aside", async () => {
    const home = await filled();
    const { path } = await backUp(home);
    const to = await filled("other words");
    const before = files(to);
    const messages = to.dump().messages;
    expect(() => restore(path, to)).toThrow(/holds a history already/);
    expect(to.dump().messages).toEqual(messages);
    const { aside = "" } = restore(path, to, true);
    expect(compareDumps(home.dump(), to.dump())).toEqual({});
    expect(dumpStore(join(aside, "yore.db")).messages).toEqual(messages);
    expect(before.every((name) => existsSync(join(aside, name)))).toBe(true);
    const names = readdirSync(to.yoreHome).filter((name) => !/-(?:wal|shm)$/.test(name));
    expect(names.sort()).toEqual([aside.split("/").at(-1), "archive", "mirror", "yore.db"].sort());
  });

  it("is put in its place to the end where that was cut off, at whatever step", async () => {
    const home = await filled();
    const { path } = await backUp(home);
    for (let step = 0; step < 8; step += 1) {
      const to = createHome();
      await (await to.open()).close();
      to.writeRaw(join(to.yoreHome, "mirror", "aliases.json"), "{}");
      const moves = cutOff(path, to, step);
      finishRestore(to.yoreHome);
      expect(compareDumps(to.dump(), home.dump()), `after ${step} of ${moves}`).toEqual({});
      expect(files(to)).toEqual(files(home));
      expect(readdirSync(to.yoreHome).filter((name) => name.startsWith("restoring-"))).toEqual([]);
      expect(readdirSync(to.yoreHome).filter((name) => name.startsWith("before-restore-"))).toHaveLength(1);
    }
  });

  it("that was only being written out changes nothing", async () => {
    const home = await filled();
    const before = files(home);
    home.writeRaw(join(home.yoreHome, "restoring-99999999", "yore.db"), "half");
    finishRestore(home.yoreHome);
    expect(files(home)).toEqual(before);
    expect(existsSync(join(home.yoreHome, "restoring-99999999"))).toBe(false);
    home.writeRaw(join(home.yoreHome, `restoring-${process.pid}`, "yore.db"), "half");
    expect(() => finishRestore(home.yoreHome)).toThrow(/A backup is being put/);
  });

  it("takes the place of a store without history", async () => {
    const { path } = await backUp(await filled());
    const to = createHome();
    await to.index();
    rmSync(join(to.yoreHome, "mirror"), { recursive: true, force: true });
    expect(restore(path, to)).toMatchObject({ sessions: 2 });
  });

  it.each([
    ["is no database", (path: string) => writeFileSync(path, "no database"), /no backup of yore/],
    ["is a store, not a backup", (path: string) => sql(path, "DROP TABLE backup_facts"), /no backup of yore/],
    ["is damaged", damage, /damaged/],
    [
      "is by a newer version",
      (path: string) => sql(path, "UPDATE backup_facts SET value = '99' WHERE name = 'version'"),
      /newer/,
    ],
    ["is of a newer schema", (path: string) => sql(path, "PRAGMA user_version = 9999"), /newer/],
    ["holds a file that leads elsewhere", (path: string) => addFile(path, "mirror/../../x"), /does not belong/],
    ["holds a file of another kind", (path: string) => addFile(path, "redaction.key"), /does not belong/],
    ["holds a file with an absolute name", (path: string) => addFile(path, "/archive/x"), /does not belong/],
  ])("changes nothing where the file %s", async (_, change, message) => {
    const { path } = await backUp(await filled());
    change(path);
    const to = createHome();
    expect(() => restore(path, to)).toThrow(message);
    expect(existsSync(to.yoreHome) ? readdirSync(to.yoreHome) : []).toEqual([]);
  });
});

describe("a restore from mirror and archive", () => {
  it("tells what came back", async () => {
    const home = await filled();
    rmSync(home.storePath);
    const yore = await home.open();
    const report = await yore.index({ restore: true });
    expect(report.mirrored).toEqual({ annotations: 1, decisions: 1 });
    expect((await yore.index({ restore: true })).mirrored).toEqual({ annotations: 0, decisions: 0 });
  });
});

async function filled(word = "flood"): Promise<TestHome> {
  const home = createHome();
  for (const session of [MAIN, OTHER]) {
    const talk = claudeTranscript({ session });
    talk.prompt(`when is the ${word}?`);
    talk.says("at nine");
    home.write(home.claudePath(session), talk.lines);
  }
  const yore = await home.open();
  await yore.annotate({ kind: "note", session: MAIN, text: "High water." });
  const [project] = (await yore.projects()).items;
  await yore.decideProject({ kind: "rename", project: project?.id ?? "", name: "Flood" });
  await yore.close();
  return home;
}

async function backUp(home: TestHome) {
  const yore = await home.open();
  try {
    return await yore.backup();
  } finally {
    await yore.close();
  }
}

function restore(path: string, to: TestHome, replace = false) {
  const isOccupied = existsSync(to.storePath) && isEmptyStore(to.storePath) !== true;
  const backup = openBackup(path);
  try {
    return restoreBackup(backup, to.yoreHome, { replace, isOccupied, now: to.now });
  } finally {
    backup.close();
  }
}

function files({ yoreHome }: TestHome): string[] {
  return ["mirror", "archive"].flatMap((folder) =>
    readdirSync(join(yoreHome, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(yoreHome.length + 1))
      .sort(),
  );
}

/** As a process leaves it that is killed after so many of the moves that put a backup in its place; how many there are. */
function cutOff(path: string, to: TestHome, step: number): number {
  const from = createHome();
  restore(path, from);
  const [staging, aside] = ["restoring-99999999", "before-restore-20260617T103000Z"].map((name) =>
    join(to.yoreHome, name),
  );
  const names = readdirSync(from.yoreHome);
  to.move(from.yoreHome, staging ?? "");
  writeFileSync(join(staging ?? "", "ready.json"), JSON.stringify({ aside, names }));
  const old = ["yore.db", "yore.db-wal", "mirror", "archive"].filter((name) => existsSync(join(to.yoreHome, name)));
  const moves = [
    ...old.map((name) => [join(to.yoreHome, name), join(aside ?? "", name)] as const),
    ...names.map((name) => [join(staging ?? "", name), join(to.yoreHome, name)] as const),
  ];
  for (const [before, after] of moves.slice(0, step)) to.move(before, after);
  return moves.length;
}

function sql(path: string, script: string): void {
  const database = new Database(path);
  database.exec(script);
  database.close();
}

function column(path: string, query: string): unknown[] {
  const database = new Database(path, { readonly: true });
  try {
    return database.prepare(query).pluck().all();
  } finally {
    database.close();
  }
}

function addFile(path: string, name: string): void {
  const database = new Database(path);
  database
    .prepare("INSERT INTO backup_files (name, piece, mtime_ms, bytes) VALUES (?, 0, 0, ?)")
    .run(name, Buffer.from("x"));
  database.close();
}

function damage(path: string): void {
  const bytes = readFileSync(path);
  bytes.fill(0x5a, 4_096 * 20, 4_096 * 30);
  writeFileSync(path, bytes);
}
