import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { compareDumps } from "../support/dump.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { expectAgreement, type Kept, keptIn } from "../support/layers.ts";
import { drawFrom } from "../support/secret-corpus/draw.ts";

const [A, B] = [sessionId(1), sessionId(2)];
const NOTE = "# Why\n\nThe tide turns at *noon*.";

/** What is gone beside the file that is damaged. */
const LOSSES: Readonly<Record<string, (home: TestHome) => void>> = {
  nothing: () => undefined,
  "the store": loseStore,
  "the store and the transcripts": (home) => {
    loseStore(home);
    rmSync(join(home.home, ".claude"), { recursive: true });
  },
};

const FILES = [
  "aliases.json",
  "tags.json",
  "pins.json",
  "collections.json",
  `notes/claude-code-${A}.md`,
  "projects.json",
  "history.jsonl",
] as const;

const DAMAGES: Readonly<Record<string, (text: Buffer) => Buffer | string>> = {
  "cut in half": (text) => text.subarray(0, text.length / 2),
  emptied: () => "",
  "filled with something else": () => Buffer.from(drawFrom(7).base64(3_000), "base64"),
  "overwritten in its middle": (text) => {
    const spoilt = Buffer.from(text);
    spoilt.fill(0, spoilt.length / 2, spoilt.length / 2 + 8);
    return spoilt;
  },
};

describe.each(Object.keys(LOSSES))("what Yore was told comes back, or its loss is named, where %s is gone", (loss) => {
  it("and all files are whole", async () => {
    const { home, before, dump } = await told();
    LOSSES[loss]?.(home);
    const { problems, lost } = await restored(home);
    expect([problems, lost]).toEqual([[], 0]);
    expect(expectAgreement(home)).toEqual(before);
    expect(compareDumps(withoutMissing(home.dump()), withoutMissing(dump))).toEqual({});
    expect(await namedBy(home)).toEqual([]);
  });

  describe.each(FILES)("and %s", (name) => {
    it.each(Object.keys(DAMAGES))("is %s", async (damage) => {
      const { home, before } = await told();
      const path = join(home.yoreHome, "mirror", name);
      writeFileSync(path, DAMAGES[damage]?.(readFileSync(path)) ?? "");
      LOSSES[loss]?.(home);
      home.now += 60_000;
      const report = await restored(home);
      const named = await namedBy(home);
      const after = expectAgreement(home);
      const isWhole = JSON.stringify(after) === JSON.stringify(before);
      if (!isWhole) expect(named).toContainEqual(expect.stringContaining(name.replace(/.*\//, "")));
      if (!isWhole) expect(report.problems.map(({ path, problem }) => `${path} ${problem}`)).not.toEqual([]);
      process.stdout.write(`${loss} | ${name} | ${damage} | ${isWhole ? "whole" : "lost"} | ${named.join(" ")}\n`);
    });
  });
});

async function told(): Promise<{ home: TestHome; before: Kept; dump: ReturnType<TestHome["dump"]> }> {
  const home = createHome();
  for (const [session, cwd] of [
    [A, "/code/tide"],
    [B, "/code/shop"],
  ] as const) {
    const talk = claudeTranscript({ session, cwd });
    talk.prompt("ask about the harbour");
    talk.says("an answer");
    home.write(home.claudePath(session, cwd), talk.lines);
  }
  const yore = await home.open();
  const agent = { by: "codex", via: "mcp" } as const;
  await yore.annotate({ kind: "alias", session: A, alias: "first" });
  await yore.annotate({ kind: "alias", session: A, alias: "tide" });
  await yore.annotate({ kind: "alias", session: B, alias: "shop", ...agent });
  home.now += 5_000;
  await yore.annotate({ kind: "tags", items: [A, B].map((session) => ({ session, add: ["one", "two"] })), ...agent });
  await yore.annotate({ kind: "note", session: A, text: "noon", ...agent });
  await yore.annotate({ kind: "note", session: A, text: NOTE });
  await yore.annotate({ kind: "pin", sessions: [A, B] });
  home.now += 5_000;
  await yore.annotate({ kind: "collect", sessions: [A, B], collection: "work/q3", ...agent });
  await yore.annotate({ kind: "tags", items: [{ session: B, remove: ["two"] }] });
  await yore.undoAnnotation({ number: 1 }).catch(() => undefined);
  await yore.undoAnnotation();
  await yore.decideProject({ kind: "rename", project: "shop", name: "The shop", by: "ana" });
  await yore.decideProject({ kind: "merge", project: "/code/shop", into: "tide" });
  await yore.undoProjectDecision({ by: "ana" });
  await yore.close();
  return { home, before: expectAgreement(home), dump: home.dump() };
}

/** As `yore restore` does. */
async function restored(home: TestHome) {
  const yore = await home.open();
  try {
    return await yore.index({ restore: true });
  } finally {
    await yore.close();
  }
}

/** What doctor has to say of what Yore was told. */
async function namedBy(home: TestHome): Promise<readonly string[]> {
  const yore = await home.open();
  const { findings } = await yore.doctor();
  await yore.close();
  return findings.map(({ message }) => message).filter((message) => message.includes("mirror"));
}

/** Where its transcript is gone, a session is the same but for that. */
function withoutMissing(dump: ReturnType<TestHome["dump"]>): ReturnType<TestHome["dump"]> {
  return { ...dump, files: dump.files.map(({ missing, ...file }) => file) };
}

function loseStore(home: TestHome): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${home.storePath}${suffix}`, { force: true });
}
