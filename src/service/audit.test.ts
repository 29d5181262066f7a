import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAuditLog } from "./audit.ts";
import type { CallRecord } from "./yore.ts";

const NOON = Date.parse("2026-06-17T12:00:00Z");
const DAY = 86_400_000;

const CALL: CallRecord = {
  at: NOON,
  via: "mcp",
  client: "claude-code",
  tool: "search",
  session: "5e550001-0000-4000-8000-000000000001",
  outcome: "done",
  ms: 4,
  chars: 812,
  arguments: [{ name: "query", chars: 12 }],
  sessions: [],
};

function opened({ days = 90, now = NOON, folder = join(newFolder(), "audit") } = {}) {
  return { folder, log: createAuditLog({ folder, days, clock: () => now }) };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "yore-audit-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("the record of calls", () => {
  it("is a line for each call in the file of its day, for its owner alone", async () => {
    const { folder, log } = opened();
    log.record(CALL);
    log.record({ ...CALL, at: NOON + DAY, tool: "add_tag", outcome: "not-found" });
    await log.close();
    expect(readdirSync(folder).sort()).toEqual(["2026-06-17.jsonl", "2026-06-18.jsonl"]);
    expect(JSON.parse(readFileSync(join(folder, "2026-06-17.jsonl"), "utf8"))).toEqual({
      at: "2026-06-17T12:00:00.000Z",
      via: "mcp",
      client: "claude-code",
      tool: "search",
      session: "5e550001-0000-4000-8000-000000000001",
      outcome: "done",
      ms: 4,
      chars: 812,
      arguments: [{ name: "query", chars: 12 }],
      sessions: [],
    });
    const modes = [folder, join(folder, "2026-06-17.jsonl")].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600]);
  });

  it("reads as it was recorded, newest first, and in pages", async () => {
    const { log } = opened();
    const calls = [0, 2, 1].map((hours) => ({ ...CALL, at: NOON + hours * 3_600_000, ms: hours }));
    for (const call of calls) log.record(call);
    const [noon, two, one] = calls;
    expect(await log.read({})).toEqual({ items: [two, one, noon], total: 3, offset: 0, freshness: {} });
    expect(await log.read({ limit: 1, offset: 1 })).toMatchObject({ items: [one], total: 3, offset: 1 });
  });

  it.each([
    [{ tool: "add_tag" }, [2]],
    [{ tool: "add" }, []],
    [{ client: "CODEX" }, [3]],
    [{ failed: true }, [4, 2]],
    [{ failed: false }, [4, 3, 2, 1]],
    [{ since: NOON + DAY }, [4, 3]],
    [{ since: NOON + 1, until: NOON + 2 * DAY }, [3, 2]],
    [{ since: NOON + DAY, client: "code", failed: true }, [4]],
    [{ client: "nobody" }, []],
  ])("of %j finds %j", async (request, expected) => {
    const { log } = opened();
    log.record({ ...CALL, ms: 1 });
    log.record({ ...CALL, ms: 2, at: NOON + 1, tool: "add_tag", outcome: "rate-limited" });
    log.record({ ...CALL, ms: 3, at: NOON + DAY, client: "codex-mcp-client" });
    log.record({ ...CALL, ms: 4, at: NOON + 2 * DAY, outcome: "internal" });
    expect((await log.read(request)).items.map(({ ms }) => ms)).toEqual(expected);
  });

  it("keeps days, and forgets those before, but nothing that is not its own", async () => {
    const { folder, log } = opened({ days: 3 });
    mkdirSync(folder);
    const old = ["2026-06-14.jsonl", "2026-06-15.jsonl", "2026-06-16.jsonl", "2020-01-01.jsonl"];
    for (const name of [...old, "2020-01-01.txt", "notes.jsonl"]) writeFileSync(join(folder, name), "");
    log.record(CALL);
    await log.close();
    expect(readdirSync(folder).sort()).toEqual([
      "2020-01-01.txt",
      "2026-06-15.jsonl",
      "2026-06-16.jsonl",
      "2026-06-17.jsonl",
      "notes.jsonl",
    ]);
  });

  it("for no days at all is not written, and what was there goes", async () => {
    const folder = join(newFolder(), "audit");
    const before = opened({ folder });
    before.log.record(CALL);
    await before.log.close();
    const { log } = opened({ folder, days: 0 });
    log.record(CALL);
    await log.close();
    expect(readdirSync(folder)).toEqual([]);
    expect((await log.read({})).total).toBe(0);
  });

  it("holds no secret and no control character, whatever a client calls itself", async () => {
    const { folder, log } = opened();
    const key = `ghp_${"aB3dE5fG7hI9".repeat(3)}`;
    log.record({ ...CALL, client: `evil ${key}\n{"at":`, session: key, tool: "x".repeat(5_000), sessions: [key] });
    await log.close();
    const text = readFileSync(join(folder, "2026-06-17.jsonl"), "utf8");
    expect(text.trimEnd().split("\n")).toHaveLength(1);
    expect(text).not.toContain(key);
    expect(text).toContain("[redacted:github-token]");
    expect(text.length).toBeLessThan(1_500);
  });

  it("passes over lines that are broken or of something else", async () => {
    const { folder, log } = opened();
    log.record(CALL);
    await log.close();
    const path = join(folder, "2026-06-17.jsonl");
    const whole = readFileSync(path, "utf8");
    const bad = [
      "",
      "null",
      "[]",
      '{"at":"x"}',
      "not json",
      whole.slice(0, 40),
      whole.replace('"done"', '"fine"').trim(),
    ];
    writeFileSync(path, `${bad.join("\n")}\n${whole}${whole.slice(0, 30)}`);
    expect((await log.read({})).items).toEqual([CALL]);
  });

  it("has all that several processes write at once", async () => {
    const folder = join(newFolder(), "audit");
    const logs = Array.from({ length: 8 }, () => opened({ folder }).log);
    for (let call = 0; call < 50; call++) for (const log of logs) log.record({ ...CALL, ms: call });
    await Promise.all(logs.map((log) => log.close()));
    expect((await opened({ folder }).log.read({ limit: 1_000 })).total).toBe(400);
  });

  it("returns before it writes, and does not mind where it cannot", async () => {
    const { folder, log } = opened();
    writeFileSync(folder, "a file where the folder would be");
    expect(log.record(CALL)).toBeUndefined();
    await log.close();
    expect((await log.read({})).total).toBe(0);
    rmSync(folder);
    log.record(CALL);
    expect(readdirSync(join(folder, ".."))).toEqual([]);
    await log.close();
    expect((await log.read({})).total).toBe(1);
  });
});
