import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { createHome, type TestHome } from "../support/home.ts";

const EXPORT = JSON.stringify(
  ["barnacle", "heron"].map((word) => ({
    uuid: word,
    name: word,
    chat_messages: [{ uuid: `${word}1`, sender: "human", text: word, content: [], created_at: "2026-03-02T09:00:00Z" }],
  })),
);
const ARCHIVE = Buffer.from(zipSync({ "conversations.json": Buffer.from(EXPORT) }));

describe("an import", () => {
  it("of a folder that holds archives alone reads them, and names those that are damaged", async () => {
    const home = createHome();
    write(home, "downloads/a.zip", ARCHIVE);
    const half = write(home, "downloads/b.zip", ARCHIVE.subarray(0, 200));
    const yore = await home.open();
    const report = await yore.import({ paths: [join(home.home, "downloads")] });
    expect(report).toMatchObject({
      sessions: 2,
      problems: [{ path: half, problem: "is damaged or incomplete", kind: "damaged" }],
    });
  });

  it.each([
    {
      name: "a.zip",
      bytes: ARCHIVE.subarray(0, 200),
      told: "is damaged or incomplete.",
      hint: /download it once more/,
    },
    { name: "conversations.json", bytes: Buffer.alloc(0), told: "is empty.", hint: /download/ },
    { name: "conversations.json", bytes: Buffer.from(EXPORT.slice(0, 30)), told: "is damaged or incomplete." },
    { name: "a.zip", bytes: encrypted(), told: "is encrypted.", hint: /Unpack it/ },
  ])("of what is damaged says so: $name, $told", async ({ name, bytes, told, hint = /./ }) => {
    const home = createHome();
    const path = write(home, name, bytes);
    const yore = await home.open();
    const refusal = { code: "bad-input", hint: expect.stringMatching(hint) };
    await expect(yore.import({ paths: [path] })).rejects.toMatchObject({ ...refusal, message: `${path} ${told}` });
    const inFolder = write(home, `folder/${name}`, bytes);
    await expect(yore.import({ paths: [dirname(inFolder)] })).rejects.toMatchObject({
      ...refusal,
      message: `${inFolder} ${told}`,
    });
  });

  it.runIf(process.platform !== "win32")("of what is neither file nor folder is refused", async () => {
    const home = createHome();
    const path = join(home.home, "pipe");
    execFileSync("mkfifo", [path]);
    const yore = await home.open();
    await expect(yore.import({ paths: [path] })).rejects.toMatchObject({
      code: "bad-input",
      message: `${path} is neither a file nor a folder.`,
    });
  });

  it.each(["the file alone", "its folder too"])("counts as archived once it is gone: %s", async (what) => {
    const home = createHome();
    const path = write(home, "downloads/a.zip", ARCHIVE);
    const yore = await home.open();
    await yore.import({ paths: [path] });
    const states = async () => (await yore.sessions()).items.map(({ state }) => state);
    expect(await states()).not.toContain("archived");
    rmSync(what === "the file alone" ? path : dirname(path), { recursive: true });
    await yore.index();
    expect(await states()).toEqual(["archived", "archived"]);
  });
});

describe("doctor", () => {
  it("does not say that nothing was found of what it names", async () => {
    const home = createHome();
    const path = join(home.home, ".local/share/opencode/opencode.db");
    mkdirSync(dirname(path), { recursive: true });
    const database = new Database(path);
    database.exec("CREATE TABLE thread (id, text)");
    database.close();
    const yore = await home.open();
    const { findings } = await yore.doctor();
    expect(findings.map(({ message }) => message)).toEqual([`${path} has tables that are not understood.`]);
  });

  it("tells of a database that is no database, and of one in use, what each is", async () => {
    const home = createHome();
    const none = write(home, ".local/share/opencode/opencode.db", Buffer.from("not a database".repeat(100)));
    const busy = write(home, ".local/share/goose/sessions/sessions.db", Buffer.alloc(0));
    const database = new Database(busy);
    database.exec("CREATE TABLE sessions (id)");
    database.exec("BEGIN EXCLUSIVE");
    const yore = await home.open();
    const { findings } = await yore.doctor();
    database.close();
    expect(findings).toEqual([
      expect.objectContaining({ level: "warning", message: `${none} is no database.` }),
      { level: "note", message: `${busy} is in use by its agent; it is read later.` },
    ]);
  });
});

function write(home: TestHome, path: string, bytes: Uint8Array): string {
  return home.writeRaw(join(home.home, path), bytes);
}

function encrypted(): Buffer {
  const bytes = Buffer.from(ARCHIVE);
  const entry = bytes.lastIndexOf("PK\u0001\u0002");
  bytes.writeUInt16LE(bytes.readUInt16LE(entry + 8) | 1, entry + 8);
  return bytes;
}
