import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { environmentOf, findFiles, findProblems } from "../../../test/support/read-items.ts";
import { openConversation } from "./container.ts";
import { antigravityRoots, placeOf } from "./paths.ts";
import { antigravity } from "./source.ts";

const BRAIN = ".gemini/antigravity/brain";
const LOGS = ".system_generated/logs";
let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "antigravity-paths-")));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("roots", () => {
  it.each(["linux", "darwin", "win32"] as const)("on %s are those of the editor and of agy", (platform) => {
    const roots = antigravityRoots(environmentOf(home, { platform })).map((root) => relative(home, root));
    expect(roots).toEqual(["antigravity", "antigravity-ide", "antigravity-cli"].map((n) => `.gemini/${n}/brain`));
  });
});

describe("find", () => {
  it.each([
    {
      what: "the complete transcript",
      files: [`${LOGS}/transcript_full.jsonl`, `${LOGS}/transcript.jsonl`, `${LOGS}/overview.txt`],
      found: `${LOGS}/transcript_full.jsonl log`,
    },
    {
      what: "the shortened one, else",
      files: [`${LOGS}/transcript.jsonl`, `${LOGS}/overview.txt`],
      found: `${LOGS}/transcript.jsonl log`,
    },
    { what: "that of the first versions, else", files: [`${LOGS}/overview.txt`], found: `${LOGS}/overview.txt log` },
    {
      what: "a transcript with the documents beside it",
      files: [`${LOGS}/transcript.jsonl`, "walkthrough.md", "audit.md", "task.md"],
      found: `${LOGS}/transcript.jsonl log task.md walkthrough.md audit.md`,
    },
    {
      what: "documents alone",
      files: ["walkthrough.md", "implementation_plan.md", "implementation_plan.md.resolved"],
      found: "implementation_plan.md container implementation_plan.md walkthrough.md",
    },
  ])("gives $what", ({ files, found }) => {
    touch(...files.map((name) => `${BRAIN}/c1/${name}`));
    const folder = join(home, BRAIN, "c1");
    const told = findFiles(antigravity, home).map(({ path, unit, beside = [] }) =>
      [relative(folder, path), unit, ...beside.map((other) => relative(folder, other))].join(" "),
    );
    expect(told).toEqual([found]);
  });

  it.each([
    `${BRAIN}/c1/uploaded_image_1.png`,
    `${BRAIN}/c1/task.md.metadata.json`,
    `${BRAIN}/c1/task.md.resolved.3`,
    `${BRAIN}/c1/.hidden.md`,
    `${BRAIN}/c1/${LOGS}/other.jsonl`,
    `${BRAIN}/task.md`,
    ".gemini/antigravity/conversations/c1.pb",
    ".gemini/antigravity-cli/history.jsonl",
  ])("passes over %s", (path) => {
    touch(path);
    expect(found()).toEqual([]);
  });

  it("gives the conversations of all programs", () => {
    const paths = ["antigravity", "antigravity-ide", "antigravity-cli"].map(
      (name) => `.gemini/${name}/brain/c1/${LOGS}/transcript.jsonl`,
    );
    touch(...paths);
    expect(found()).toEqual(paths);
  });

  it("follows links, and gives a file once", () => {
    touch(`disk/c1/${LOGS}/transcript.jsonl`);
    mkdirSync(join(home, ".gemini/antigravity"), { recursive: true });
    symlinkSync(join(home, "disk"), join(home, BRAIN));
    symlinkSync(join(home, "disk/c1"), join(home, "disk/c2"));
    expect(found()).toEqual([`disk/c1/${LOGS}/transcript.jsonl`]);
  });

  it("reports what it cannot look into and goes on", () => {
    touch(`.gemini/antigravity-cli/brain/c1/${LOGS}/transcript.jsonl`);
    mkdirSync(join(home, ".gemini/antigravity"), { recursive: true });
    symlinkSync(join(home, BRAIN), join(home, BRAIN));
    expect(found()).toHaveLength(1);
    const problems = findProblems(antigravity, home).map(({ path, problem }) => `${relative(home, path)}: ${problem}`);
    expect(problems).toEqual([`${BRAIN}: cannot be read (ELOOP)`]);
  });

  it("is empty, without a problem, where Antigravity was never used", () => {
    expect(found()).toEqual([]);
    expect(findProblems(antigravity, home)).toEqual([]);
  });
});

describe("placeOf", () => {
  it.each([
    {
      path: "/h/.gemini/antigravity-cli/brain/c1/.system_generated/logs/transcript.jsonl",
      folder: "/h/.gemini/antigravity-cli/brain/c1",
      history: "/h/.gemini/antigravity-cli/history.jsonl",
    },
    {
      path: "/h/.gemini/antigravity/brain/c1/task.md",
      folder: "/h/.gemini/antigravity/brain/c1",
      history: "/h/.gemini/antigravity/history.jsonl",
    },
    {
      path: "C:\\h\\.gemini\\antigravity\\brain\\c1\\.system_generated\\logs\\transcript.jsonl",
      folder: "C:\\h\\.gemini\\antigravity\\brain\\c1",
      history: "C:\\h\\.gemini\\antigravity\\history.jsonl",
    },
  ])("of $path", ({ path, folder, history }) => {
    expect(placeOf(path)).toEqual({ session: "c1", folder, history });
  });
});

describe("documents without a transcript", () => {
  it("are one session, with another revision when one of them changes or a new one is there", () => {
    touch(`${BRAIN}/c1/task.md`);
    const first = revisions();
    expect(first).toEqual([expect.stringMatching(/^c1 /)]);
    expect(revisions()).toEqual(first);
    utimesSync(join(home, BRAIN, "c1/task.md"), 1_700_000_000, 1_700_000_000);
    const second = revisions();
    expect(second).not.toEqual(first);
    touch(`${BRAIN}/c1/walkthrough.md`);
    expect(revisions()).not.toEqual(second);
  });

  it("are no session once they are gone", () => {
    touch(`${BRAIN}/c1/task.md`);
    const [file] = findFiles(antigravity, home);
    rmSync(join(home, BRAIN), { recursive: true });
    expect(file).toBeDefined();
    if (file !== undefined) expect([...openConversation(file).parts()]).toEqual([]);
  });
});

function revisions(): readonly string[] {
  return findFiles(antigravity, home).flatMap((file) =>
    [...openConversation(file).parts()].map((part) =>
      "problem" in part ? part.problem : `${part.name} ${part.revision}`,
    ),
  );
}

function found(): string[] {
  return findFiles(antigravity, home).map(({ path }) => relative(home, path));
}

function touch(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), "");
  }
}
