import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { recordsOf } from "../support/agent-cases.ts";
import { byAgent, CASE_GROUPS, homeOf, saidBy, saveCase } from "../support/case-groups.ts";

const WORDS = ["barnacle", "cormorant"];
const ALL = WORDS.flatMap((word) => [`human: ${word}`, `assistant: ${word} it is`]);

describe.each(CASE_GROUPS)("%s", { timeout: 30_000 }, (_, cases) => {
  it("no file of an agent is written, made or touched, whatever is asked", async () => {
    const home = homeOf(cases);
    for (const agentCase of cases) saveCase(home, agentCase, recordsOf(agentCase, WORDS));
    for (const path of databasesBelow(home.home)) {
      const database = new Database(path);
      database.pragma("journal_mode = WAL");
      database.close();
    }
    const before = lookOver(home.home);
    await home.index();
    const yore = await home.open();
    await yore.search({ query: "cormorant" });
    await yore.doctor();
    await yore.index({ rebuild: true });
    await yore.close();
    expect(lookOver(home.home)).toEqual(before);
  });

  it("a database that its agent has open is read with what is only in its log, and left as it was", async () => {
    const home = homeOf(cases);
    for (const agentCase of cases) saveCase(home, agentCase, recordsOf(agentCase, WORDS));
    const open = databasesBelow(home.home).map((path) => {
      const database = new Database(path);
      database.pragma("journal_mode = WAL");
      database.exec("CREATE TABLE of_a_later_version (id)");
      return database;
    });
    const names = namesBelow(home.home);
    expect(await home.index()).toMatchObject({ sessions: cases.length, problems: [] });
    expect(namesBelow(home.home)).toEqual(names);
    for (const database of open) {
      // Had the log been written back and cut by another, the agent's own reading would fail.
      expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
      database.close();
    }
  });

  it("the history of one agent that is broken keeps no other from being read", async () => {
    for (const broken of [cases[0], cases.at(-1)]) {
      if (broken === undefined) continue;
      const home = homeOf(cases);
      for (const agentCase of cases) saveCase(home, agentCase, recordsOf(agentCase, WORDS));
      home.writeRaw(join(home.home, broken.path), "\u0000\u0001 no history \n".repeat(100));
      await home.index();
      const dump = home.dump();
      const others = cases.filter((one) => one !== broken);
      expect(byAgent(others, ({ agent }) => saidBy(dump, agent))).toEqual(byAgent(others, () => ALL));
    }
  });
});

function databasesBelow(folder: string): string[] {
  const isDatabase = (path: string) => readFileSync(path).subarray(0, 6).toString() === "SQLite";
  return namesBelow(folder)
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && isDatabase(path));
}

function namesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
}

/** Each file and folder with its content and when it was changed. */
function lookOver(folder: string): unknown[] {
  return namesBelow(folder).map((name) => {
    const path = join(folder, name);
    const stats = statSync(path);
    const content = stats.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
    return [name, stats.mtimeMs, stats.ctimeMs, content];
  });
}
