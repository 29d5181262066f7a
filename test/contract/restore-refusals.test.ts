import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { restoreBackup } from "../../src/service/restore-backup.ts";
import { openBackup } from "../../src/store/sqlite/backup.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome } from "../support/home.ts";

it("what was purged does not stay back when an older backup is put in its place", async () => {
  const home = createHome();
  for (const count of [1, 2]) {
    const talk = claudeTranscript({ session: sessionId(count) });
    talk.prompt(`barnacle ${count}`);
    home.write(home.claudePath(sessionId(count)), talk.lines);
  }
  const folder = mkdtempSync(join(tmpdir(), "yore-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let yore = await home.open();
  const { path } = await yore.backup({ path: join(folder, "b.db") });
  await yore.purge({ sessions: [sessionId(1)] });
  await yore.close();
  const backup = openBackup(path);
  const restored = restoreBackup(backup, home.yoreHome, { replace: true, isOccupied: true, now: home.now });
  backup.close();
  expect(restored).toMatchObject({ sessions: 2, refused: 1 });
  yore = await home.open();
  expect((await yore.search({ query: "barnacle" })).hits).toHaveLength(1);
  await expect(yore.session({ session: sessionId(1) })).rejects.toMatchObject({ hint: "`yore purge` finishes that." });
  const words = (await yore.doctor()).findings.map(({ message, remedy }) => `${message} ${remedy}`);
  expect(words).toContainEqual(expect.stringContaining("yore purge"));
  await yore.purge({});
  expect((await yore.sessions()).items.map(({ id }) => id)).toEqual([sessionId(2)]);
  await yore.index({ rebuild: true });
  expect((await yore.search({ query: "barnacle" })).hits).toHaveLength(1);
});
