import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openYore } from "../../src/app.ts";
import { readSettings } from "../../src/config/settings.ts";
import type { Yore } from "../../src/service/yore.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { codexRollout, rolloutId, rolloutPath } from "../support/codex-lines.ts";
import { compareDumps, dumpStore } from "../support/dump.ts";
import { whereStands } from "../support/holdings.ts";
import { createHome, type TestHome } from "../support/home.ts";

/** One word that the index keeps as it is, so that it can be looked for there too. */
const SECRET = "zanderquill77";
const NEEDLES = [SECRET, "zanderquill"];
const CWD = `/home/ana/code/${SECRET}-shop`;

async function open(home: Pick<TestHome, "home" | "yoreHome">): Promise<Yore> {
  const yore = await openYore(readSettings({ HOME: home.home, YORE_HOME: home.yoreHome, YORE_CATCH_UP_MS: "60000" }), {
    firstPassWhole: true,
  });
  onTestFinished(() => yore.close());
  return yore;
}

/** Histories of two agents with the secret wherever one can stand. */
function writeHistories(home: TestHome): void {
  const talk = claudeTranscript({ session: sessionId(1), cwd: "/home/ana/code/tide" });
  talk.prompt(`the customer is called ${SECRET}, keep it quiet`);
  talk.calls("Bash", { command: `curl https://${SECRET}.example/api` });
  talk.returns(`${"lorem ipsum dolor ".repeat(40)} ${SECRET} ${"sit amet ".repeat(40)}`);
  talk.calls("Write", { file_path: `/home/ana/code/tide/${SECRET}.ts`, content: `const name = "${SECRET}";` });
  talk.returns("done", { detail: { filePath: `/home/ana/${SECRET}.ts` } });
  talk.says("A barnacle was found.");
  talk.bare({ type: "summary", summary: `Work for ${SECRET}`, leafUuid: "x" });
  home.write(home.claudePath(sessionId(1)), talk.lines);
  const subagent = claudeTranscript({ session: sessionId(1), agentId: "a1" });
  subagent.prompt(`look for ${SECRET}`);
  subagent.says("found");
  home.write(home.claudePath(sessionId(1)).replace(".jsonl", "/subagents/agent-a1.jsonl"), subagent.lines);
  const other = claudeTranscript({ session: sessionId(2), cwd: CWD, branch: `feature/${SECRET}` });
  other.prompt("what is a limpet?");
  other.says("A mollusc.");
  home.write(home.claudePath(sessionId(2)), other.lines);
}

/** Codex gives its messages no ids, so that they are named by what they say. */
function writeNamedByText(home: TestHome): void {
  const rollout = codexRollout({ session: rolloutId(3) });
  rollout.prompt(`in Codex too: ${SECRET}`);
  rollout.says("noted");
  home.write(home.codexPath(rolloutPath(rollout)), rollout.lines);
}

async function annotate(yore: Yore): Promise<void> {
  const session = sessionId(1);
  await yore.annotate({ kind: "alias", session, alias: `${SECRET}-work` });
  await yore.annotate({ kind: "alias", session, alias: "quiet" });
  await yore.annotate({
    kind: "tags",
    items: [session, sessionId(2)].map((one) => ({ session: one, add: [SECRET, "tide"] })),
  });
  await yore.annotate({ kind: "note", session, text: `Ask ${SECRET}.` });
  await yore.annotate({ kind: "note", session: sessionId(2), text: "The first was better." });
  await yore.annotate({ kind: "note", session: sessionId(2), text: `Not ${SECRET}.` });
  await yore.annotate({ kind: "collect", sessions: [session], collection: `clients/${SECRET}` });
  const memory = { session, type: "decision", tags: ["tide", SECRET], files: [`src/${SECRET}.ts`] } as const;
  await yore.remember({ ...memory, text: `Keep ${SECRET} quiet.\n\nNobody but the periwinkle knows.` });
  await yore.remember({ text: `An idea of ${SECRET}`, project: `${SECRET} ideas` });
  await yore.decideProject({ kind: "rename", project: "tide", name: `${SECRET} tide` });
}

/** What lies beside all that: files kept aside, an earlier copy in the archive, the record of calls, someone's own. */
function writeBeside({ yoreHome }: TestHome): void {
  const mirror = join(yoreHome, "mirror");
  writeFileSync(join(mirror, "tags.json.edited-20260101T000000Z"), `{"tags":[{"tag":"${SECRET}"}]`);
  writeFileSync(join(mirror, "projects.json.damaged-20260101T000000Z"), `{ ${SECRET}`);
  mkdirSync(join(mirror, "own", "deep"), { recursive: true });
  writeFileSync(join(mirror, "own", "deep", "k0.md"), `Keep ${SECRET} quiet.\n`);
  const agent = join(yoreHome, "archive", "claude-code");
  const [folder = ""] = readdirSync(agent);
  cpSync(join(agent, folder), join(agent, `${folder}.was`), { recursive: true });
  cpSync(join(agent, folder), join(agent, `${folder}.new`), { recursive: true });
  writeFileSync(join(agent, folder, "000000000009999.segment.tmp"), SECRET);
  mkdirSync(join(yoreHome, "audit"), { recursive: true });
  writeFileSync(join(yoreHome, "audit", "2026-06-01.jsonl"), `${JSON.stringify({ client: SECRET })}\nnot JSON\n`);
}

async function planted({ namedByText = true } = {}): Promise<TestHome> {
  const home = createHome();
  writeHistories(home);
  if (namedByText) writeNamedByText(home);
  const yore = await open(home);
  await yore.index();
  await annotate(yore);
  await yore.close();
  writeBeside(home);
  expect(whereStands(home.yoreHome, NEEDLES).length).toBeGreaterThan(15);
  return home;
}

describe("redact", () => {
  it("leaves nothing of a text that a person gave in any file, and keeps all else", async () => {
    const home = await planted();
    const before = dumpStore(home.storePath);
    const yore = await open(home);
    const { replaced, sessions, isWhole, uncovered } = await yore.redact({ texts: [SECRET] });
    await yore.close();
    expect(whereStands(home.yoreHome, NEEDLES)).toEqual([]);
    expect(isWhole).toBe(true);
    expect(Object.keys(replaced)).toEqual([
      "messages",
      "sessions",
      "projects",
      "annotations",
      "mirror",
      "archive",
      "audit",
    ]);
    expect(sessions).toBeGreaterThanOrEqual(3);
    expect(uncovered).toEqual([]);
    const after = dumpStore(home.storePath);
    const ids = (dump: typeof before) => dump.observations.map(({ public_id }) => public_id);
    expect(ids(after)).toEqual(ids(before));
    expect(after.messages.map(({ uid }) => uid)).toEqual(before.messages.map(({ uid }) => uid));
    const again = await open(home);
    expect((await again.search({ query: "barnacle" })).hits).toHaveLength(1);
    expect((await again.search({ query: "periwinkle type:decision" })).hits).toMatchObject([
      { title: expect.stringMatching(/^Keep \[redacted:own-text:....\] quiet\.$/) },
    ]);
  });

  it("tells beforehand what it would do, and does nothing", async () => {
    const home = await planted();
    const yore = await open(home);
    const before = snapshot(home.yoreHome);
    const tried = await yore.redact({ texts: [SECRET], dryRun: true });
    expect(snapshot(home.yoreHome)).toEqual(before);
    expect(tried).toMatchObject({ dryRun: true, isWhole: true });
    const done = await yore.redact({ texts: [SECRET] });
    expect(done).toEqual({ ...tried, dryRun: false });
    const again = await yore.redact({});
    expect(again).toMatchObject({ replaced: {}, sessions: 0 });
  });

  it("leaves a store as it would be had the rule been there from the start", async () => {
    const home = await planted({ namedByText: false });
    const fresh = createHome({ over: home });
    const yore = await open(home);
    await yore.redact({ texts: [SECRET] });
    await yore.close();
    mkdirSync(fresh.yoreHome, { recursive: true });
    for (const name of ["redaction.key", "redaction-rules.json", "mirror"])
      cpSync(join(home.yoreHome, name), join(fresh.yoreHome, name), { recursive: true });
    const whole = await open(fresh);
    await whole.index();
    await whole.close();
    expect(compareDumps(dumpStore(home.storePath), dumpStore(fresh.storePath))).toEqual({});
    const rebuilt = await open(home);
    await rebuilt.index({ rebuild: true });
    expect(compareDumps(dumpStore(home.storePath), dumpStore(fresh.storePath))).toEqual({});
    expect(whereStands(home.yoreHome, NEEDLES)).toEqual([]);
  });

  it("reads nothing back: not from the agents' files, not from the archive, and not in a process that runs already", async () => {
    const home = await planted();
    const running = await open(home);
    await running.search({ query: "limpet" });
    const yore = await open(home);
    await yore.redact({ texts: [SECRET] });
    await yore.close();
    const more = claudeTranscript({
      session: sessionId(1),
      seed: "aaaaaaaa",
      startedAt: Date.parse("2026-03-02T10:00:00Z"),
    });
    more.prompt(`and again: ${SECRET} of the periwinkle`);
    home.append(home.claudePath(sessionId(1)), more.lines);
    await running.index();
    expect((await running.search({ query: "again periwinkle" })).hits).toHaveLength(1);
    await running.annotate({ kind: "note", session: sessionId(1), text: `Still ${SECRET}.`, append: true });
    await running.close();
    renameSync(home.storePath, join(home.home, "gone.db"));
    const restored = await open(home);
    await restored.index({ restore: true });
    expect(whereStands(home.yoreHome, NEEDLES)).toEqual([]);
    expect((await restored.annotations({ session: sessionId(1) })).note?.value).toMatch(/^Ask \[redacted:own-text:/);
  });

  it("replaces what a pattern matches, and keeps the pattern", async () => {
    const home = await planted();
    const yore = await open(home);
    const { replaced } = await yore.redact({ patterns: ["/ZANDER\\w+/i"] });
    expect(Object.keys(replaced.messages ?? {})).toEqual(["own-pattern"]);
    expect(whereStands(home.yoreHome, NEEDLES)).toEqual([]);
    expect(readFileSync(join(home.yoreHome, "redaction-rules.json"), "utf8")).toContain("ZANDER");
  });

  it("names what it does not reach", async () => {
    const home = await planted();
    const { yoreHome } = home;
    const talk = claudeTranscript({ session: sessionId(4), cwd: CWD });
    talk.prompt("Claude Code names the folder of a transcript for where the work is done");
    home.write(home.claudePath(sessionId(4), CWD), talk.lines);
    await (await open(home)).index();
    mkdirSync(join(yoreHome, "backups"));
    writeFileSync(join(yoreHome, "backups", "2026-06-01.tar.gz"), "…");
    mkdirSync(join(yoreHome, "install", "before"), { recursive: true });
    writeFileSync(join(yoreHome, "install", "before", "0-mcp.json"), `{ "key": "${SECRET}" }`);
    writeFileSync(join(yoreHome, "install", "before", "1-mcp.json"), "{}");
    writeFileSync(join(yoreHome, "yore.db.damaged-20260101T000000Z"), SECRET);
    writeFileSync(join(yoreHome, "my-notes.txt"), SECRET);
    writeFileSync(join(yoreHome, "config.json"), "{}");
    const agent = join(yoreHome, "archive", "claude-code");
    const folder = readdirSync(agent).find((name) => name.endsWith(".was")) ?? "";
    const segment = join(agent, folder, readdirSync(join(agent, folder))[0] ?? "");
    writeFileSync(segment, readFileSync(segment).subarray(0, -3));
    const yore = await open(home);
    const { uncovered } = await yore.redact({ texts: [SECRET] });
    expect(uncovered.map(({ problem }) => problem).join("\n")).toMatch(/^the paths of 1 transcripts hold it/m);
    expect(JSON.stringify(uncovered)).not.toContain(SECRET);
    expect(uncovered.flatMap(({ path }) => path ?? [])).toEqual([
      segment,
      join(yoreHome, "backups", "2026-06-01.tar.gz"),
      join(yoreHome, "install", "before", "0-mcp.json"),
      join(yoreHome, "my-notes.txt"),
      join(yoreHome, "yore.db.damaged-20260101T000000Z"),
    ]);
  });

  it("stops when it is told to, and goes on the next time", async () => {
    const home = await planted();
    for (let stopAfter = 0; stopAfter < 12; stopAfter += 1) {
      const yore = await open(home);
      const stop = new AbortController();
      let steps = 0;
      await yore.redact({
        texts: [SECRET],
        signal: stop.signal,
        onProgress: () => {
          steps += 1;
          if (steps > stopAfter) stop.abort();
        },
      });
      await yore.close();
    }
    const yore = await open(home);
    expect((await yore.redact({})).isWhole).toBe(true);
    expect(whereStands(home.yoreHome, NEEDLES)).toEqual([]);
    expect((await yore.doctor()).findings.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("goes on while others read, who find all there is at any moment", async () => {
    const home = await planted();
    const reader = await open(home);
    await reader.search({ query: "barnacle" });
    const yore = await open(home);
    let asked = 0;
    const asking: Promise<void>[] = [];
    await yore.redact({
      texts: [SECRET],
      onProgress: () => {
        asked += 1;
        asking.push(reader.search({ query: "barnacle" }).then(({ hits }) => expect(hits).toHaveLength(1)));
      },
    });
    await Promise.all(asking);
    expect(asked).toBeGreaterThan(5);
  });
});

function snapshot(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/-(?:shm|wal)$/.test(entry.name),
  );
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, `${statSync(path).mode} ${readFileSync(path).toString("base64")}`];
    }),
  );
}
