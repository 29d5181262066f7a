import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { compareDumps } from "../support/dump.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { expectAgreement, type Kept } from "../support/layers.ts";
import { drawFrom } from "../support/secret-corpus/draw.ts";

const [A, B, C] = [sessionId(1), sessionId(2), sessionId(3)];
const NOTE = `# Why\n\nThe tide turns at *noon*.\n\n${"It has always done so. ".repeat(20).trim()}`;

/** What is gone beside the file that is damaged. */
const LOSSES: Readonly<Record<string, (home: TestHome) => void>> = {
  nothing: () => undefined,
  "the store": loseStore,
  "the store and the transcripts": (home) => {
    loseStore(home);
    rmSync(join(home.home, ".claude"), { recursive: true });
  },
};

/** Each by a part of its path below the folder of the mirror. */
const FILES = [
  "aliases.json",
  "tags.json",
  "pins.json",
  "collections.json",
  "forgotten.json",
  "notes/",
  "memories/",
  "projects.json",
  "history.jsonl",
] as const;

const DAMAGES: Readonly<Record<string, (text: Buffer) => Buffer | string>> = {
  "cut in half": (text) => text.subarray(0, text.length / 2),
  "cut near its beginning": (text) => text.subarray(0, 40),
  "cut before its end": (text) => text.subarray(0, text.length - 20),
  emptied: () => "",
  "filled with something else": () => Buffer.from(drawFrom(7).base64(3_000), "base64"),
  "overwritten in its middle": (text) => {
    const spoilt = Buffer.from(text);
    spoilt.fill(0, Math.floor(spoilt.length / 2), Math.floor(spoilt.length / 2) + 8);
    return spoilt;
  },
};

/** Lists of which an entry, or the line of a change, makes no sense any more. */
const ENTRIES: Readonly<Record<string, (text: string) => string>> = {
  "aliases.json": (text) => text.replace('"shop"', '"<shop>"'),
  "tags.json": (text) => text.replace('"session"', '"sess"'),
  "pins.json": (text) => text.replace('"agent": "claude-code"', '"agent": 7'),
  "collections.json": (text) => text.replace('"work/q3"', "null"),
  "forgotten.json": (text) => text.replace('"session"', '"sess"'),
  "projects.json": (text) => text.replace('"kind": "rename"', '"kind": "rebame"'),
  "history.jsonl": (text) => text.replace('"edits"', '"edit'),
};

describe.each(Object.keys(LOSSES))("what Yore was told comes back where %s is gone", { timeout: 30_000 }, (loss) => {
  it.each(["by `yore restore`", "by whatever is asked next"])("%s", async (way) => {
    const { home, before, dump } = await told();
    LOSSES[loss]?.(home);
    if (way === "by `yore restore`") expect(await restored(home)).toMatchObject({ problems: [], lost: 0 });
    else await (await home.open()).tags();
    expect(expectAgreement(home)).toEqual(before);
    expect(compareDumps(withoutMissing(home.dump()), withoutMissing(dump))).toEqual({});
    expect(await namedBy(home)).toEqual([]);
  });
});

describe.each(["nothing", "the store and the transcripts"])(
  "what a damaged file told comes back, or its loss is named, where %s is gone",
  (loss) => {
    describe.each(FILES)("and %s", (name) => {
      it.each(Object.keys(DAMAGES))("is %s", (damage) => expectWholeOrNamed(loss, name, DAMAGES[damage]));
    });

    it.each(Object.keys(ENTRIES))("and an entry of %s makes no sense", (name) =>
      expectWholeOrNamed(loss, name, (text) => ENTRIES[name]?.(text.toString("utf8")) ?? ""),
    );
  },
);

async function expectWholeOrNamed(
  loss: string,
  name: string,
  damage: ((text: Buffer) => Buffer | string) | undefined,
): Promise<void> {
  const { home, before } = await told();
  const path = fileOf(home, name);
  const text = readFileSync(path);
  const spoilt = damage?.(text) ?? "";
  expect(Buffer.from(spoilt).equals(text)).toBe(false);
  writeFileSync(path, spoilt);
  LOSSES[loss]?.(home);
  home.now += 60_000;
  const { problems } = await restored(home);
  const named = await namedBy(home);
  const after = expectAgreement(home, { lost: name === "history.jsonl" && loss !== "nothing" });
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  // What was edited in a file cannot be told from what was cut off it: a change of the history keeps what it was.
  const isAnEdit = after.history.some(({ via, was }) => via === "mirror" && was !== null);
  expect(named).toContainEqual(expect.stringContaining(isAnEdit ? "edited by hand" : basename(path)));
  if (loss !== "nothing")
    expect(problems).toContainEqual(expect.objectContaining({ problem: expect.stringContaining(basename(path)) }));
}

function fileOf({ yoreHome }: TestHome, name: string): string {
  const files = readdirSync(join(yoreHome, "mirror"), { recursive: true, encoding: "utf8" });
  const found = files.filter(
    (path) => path.includes(name) && !path.endsWith(name.replace("/", "")) && /\.\w+$/.test(path),
  );
  return join(yoreHome, "mirror", found[0] ?? name);
}

async function told(): Promise<{ home: TestHome; before: Kept; dump: ReturnType<TestHome["dump"]> }> {
  const home = createHome();
  for (const [session, cwd] of [
    [A, "/code/tide"],
    [B, "/code/shop"],
    [C, "/code/shop"],
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
  await yore.undoAnnotation();
  await yore.annotate({ kind: "forget", sessions: [C], reason: "of a customer", ...agent });
  const { memory } = await yore.remember({ text: "Tides are in UTC.", type: "decision", project: "shop", ...agent });
  await yore.remember({ text: `Tides are in local time. ${"So are charts. ".repeat(30)}`, supersedes: [memory.id] });
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
