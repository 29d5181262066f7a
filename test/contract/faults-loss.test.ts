import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { redact } from "../../src/core/redact.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { compareDumps } from "../support/dump.ts";
import { createHome } from "../support/home.ts";
import { plantedSecrets } from "../support/secret-corpus/corpus.ts";
import { isReadable } from "../support/secret-corpus/readable.ts";

describe("transcripts that their agent deletes after some days", { timeout: 30_000 }, () => {
  it.each<[string, string | undefined, number]>([
    ["by default", undefined, 30],
    ["where its settings say so", '{"cleanupPeriodDays": 12}', 12],
  ])("%s are told of by doctor, with the number of days and the very edit", async (_, settings, days) => {
    const home = createHome();
    const path = join(home.home, ".claude", "settings.json");
    if (settings !== undefined) home.writeRaw(path, settings);
    home.write(home.claudePath(sessionId(1)), talk(1));
    const { findings } = await (await home.open()).doctor();
    expect(findings).toContainEqual({
      level: "warning",
      message: expect.stringContaining(`deletes transcripts after ${days} days`),
      remedy: expect.stringContaining(`Set "cleanupPeriodDays": 99999 in ${path}`),
    });
  });

  it("are not told of once they are kept for years", async () => {
    const home = createHome();
    home.writeRaw(join(home.home, ".claude", "settings.json"), '{"cleanupPeriodDays": 99999}');
    home.write(home.claudePath(sessionId(1)), talk(1));
    const { findings } = await (await home.open()).doctor();
    expect(findings.filter(({ message }) => message.includes("deletes transcripts"))).toEqual([]);
  });

  it("stay as sessions, marked archived, after they are gone, after a rebuild, and in a new store", async () => {
    const home = createHome();
    for (const count of [1, 2]) home.write(home.claudePath(sessionId(count)), talk(count));
    await home.index();
    home.remove(home.claudePath(sessionId(1)));
    for (const happen of [
      () => home.index(),
      () => home.index({ rebuild: true }),
      () => rmSync(join(home.home, ".claude"), { recursive: true }),
      () => home.index({ rebuild: true }),
      () => ["", "-wal", "-shm"].map((suffix) => rmSync(home.storePath + suffix, { force: true })),
    ]) {
      await happen();
      const yore = await home.open();
      const { items } = await yore.sessions();
      expect(items.map(({ id }) => id).sort()).toEqual([sessionId(1), sessionId(2)]);
      expect(items.find(({ id }) => id === sessionId(1))).toMatchObject({ state: "archived" });
      expect((await yore.search({ query: "barnacle" })).hits).toHaveLength(2);
      await yore.close();
    }
  });
});

describe("secrets", () => {
  it("are taken out alike of a transcript that grew line by line and of one that was read at once", async () => {
    const [grown, whole] = [createHome(), createHome()];
    const secrets = plantedSecrets(5).filter(
      ({ before, secret, after }) => !isReadable(secret, redact(before + secret + after).text, before, after),
    );
    expect(secrets.length).toBeGreaterThan(300);
    const lines = claudeTranscript({ session: sessionId(1) });
    for (const { before, secret, after } of secrets.filter((_, at) => at % 16 === 0)) {
      lines.prompt(before + secret + after);
      lines.calls("Bash", { command: before + secret + after });
      lines.returns(before + secret + after);
    }
    const yore = await grown.open();
    for (let at = 0; at < lines.lines.length; at += 9) {
      grown.write(grown.claudePath(lines.session), lines.lines.slice(0, at + 9));
      await yore.index();
    }
    await yore.close();
    whole.write(whole.claudePath(lines.session), lines.lines);
    await whole.index();
    const [a, b] = [grown, whole].map((home) => withoutPlaces(home.dump(), home.home));
    if (a === undefined || b === undefined) throw new Error("There are two.");
    expect(compareDumps(a, b)).toEqual({});
    expect(JSON.stringify(a).match(/\[redacted:/g)?.length).toBeGreaterThan(50);
  }, 60_000);
});

describe("lists", () => {
  it("of three hundred sessions are made from what is known of each, page by page: no text is read", async () => {
    const home = createHome();
    for (let count = 1; count <= 300; count++) home.write(home.claudePath(sessionId(count)), talk(count));
    await home.index();
    // Whoever unpacked a text now would fail.
    home.sql("UPDATE messages SET text = x'789c00'");
    const yore = await home.open();
    const first = await yore.sessions({ limit: 120 });
    const last = await yore.sessions({ limit: 120, offset: 240 });
    expect([first.total, first.items.length, last.items.length]).toEqual([300, 120, 60]);
    expect(first.items[0]).toMatchObject({ title: expect.stringContaining("barnacle"), messages: 2 });
    expect((await yore.projects()).items).toMatchObject([{ sessions: 300 }]);
    await expect(yore.session({ session: sessionId(1) })).rejects.toThrow();
  }, 60_000);
});

function talk(count: number): readonly string[] {
  const transcript = claudeTranscript({ session: sessionId(count) });
  transcript.prompt(`barnacle ${count}`);
  transcript.says("an answer");
  return transcript.lines;
}

/** Homes lie in folders of their own, and files are known by what was seen of them on the way. */
function withoutPlaces<T extends object>(dump: T, home: string): T {
  return JSON.parse(JSON.stringify(dump).replaceAll(home, ""));
}
