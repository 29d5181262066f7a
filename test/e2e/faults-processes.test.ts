import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { compareDumps } from "../support/dump.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { jsonOf, runYore, startYore } from "../support/program.ts";

describe("a run that meets another who writes", () => {
  it("and holds the store longer than a statement waits, goes on when it is free, and has all", async () => {
    const home = createHome();
    fill(home, 30);
    await jsonOf(home, ["index"]);
    fill(home, 60);
    const db = new Database(home.storePath);
    db.exec("BEGIN IMMEDIATE");
    const running = startYore(home, ["index", "--json"]);
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    db.exec("ROLLBACK");
    db.close();
    const { code, stdout, stderr } = await running.finished;
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ sessions: 60 });
  });
});

describe("the word index", () => {
  it("that is damaged is made anew from what is stored, also by one that is killed while it does so", async () => {
    const home = createHome();
    fill(home, 40);
    await jsonOf(home, ["index"]);
    rmSync(home.claudePath(sessionId(3)));
    await jsonOf(home, ["index"]);
    const whole = home.dump();
    const db = new Database(home.storePath);
    db.unsafeMode();
    db.pragma("writable_schema = ON");
    db.exec("DELETE FROM words_data WHERE id > 10");
    db.pragma("wal_checkpoint(TRUNCATE)");
    db.close();
    for (const delay of [150, 200, 250, 300, 350, 400]) {
      const { child, finished } = startYore(home, ["index", "--rebuild"]);
      const timer = setTimeout(() => child.kill("SIGKILL"), delay);
      await finished;
      clearTimeout(timer);
    }
    await jsonOf(home, ["index", "--rebuild"]);
    expect(await jsonOf(home, ["doctor"])).toMatchObject({ healthy: true, store: { integrity: "ok" } });
    expect(compareDumps(home.dump(), whole)).toEqual({});
    const checked = new Database(home.storePath, { readonly: true });
    expect(checked.pragma("foreign_key_check")).toEqual([]);
    checked.close();
    expect((await runYore(home, ["search", "barnacle"])).code).toBe(0);
  });
});

function fill(home: TestHome, sessions: number): void {
  for (let count = 1; count <= sessions; count++) {
    const transcript = claudeTranscript({ session: sessionId(count) });
    for (let turn = 0; turn < 10; turn++) {
      transcript.prompt(`barnacle ${count} ${turn}`);
      transcript.says(`heron ${"lorem ipsum ".repeat(50)}`);
    }
    home.write(home.claudePath(sessionId(count)), transcript.lines);
  }
}
