import { describe, expect, it } from "vitest";
import { terminal } from "../../../test/support/cli.ts";
import { createFakeInstaller } from "../../../test/support/fake-installer.ts";
import type { IndexProgress } from "../../service/yore.ts";
import type { Io } from "./io.ts";
import { createProgressLine } from "./progress.ts";

const ERASE = "\r\u001b[2K";

function createLine(world: Partial<Io> = {}) {
  const written: string[] = [];
  let now = 0;
  const line = createProgressLine({
    ...terminal(),
    open: () => Promise.reject(new Error("not opened")),
    stdout: { write: () => {}, flush: async () => {} },
    stderr: { write: (text) => void written.push(text) },
    colour: "auto",
    now: () => now,
    folder: "/",
    version: "",
    settings: [],
    readStdin: async () => "",
    ask: undefined,
    edit: async (text) => text,
    runMcp: async () => {},
    runHook: async () => {},
    installer: async () => createFakeInstaller(),
    onInterrupt: () => () => {},
    ...world,
  });
  return {
    written,
    clear: line.clear,
    reportAt: (at: number, progress: Partial<IndexProgress> = {}) => {
      now = at;
      line.report({ phase: "reading", files: 2868, filesDone: 1204, bytes: 1.2e9, bytesDone: 5e8, ...progress });
    },
  };
}

describe("createProgressLine", () => {
  it("says what is read, rewriting one line", () => {
    const { written, reportAt, clear } = createLine();
    reportAt(0);
    reportAt(500, { agent: "claude-code" });
    reportAt(700, { phase: "finishing" });
    clear();
    expect(written).toEqual([
      `${ERASE}reading history: 41 %, 500.0 MB of 1.2 GB, 1,204 of 2,868 files, claude-code`,
      `${ERASE}finishing the index`,
      ERASE,
    ]);
  });

  it("stays quiet when reading is soon over", () => {
    const { written, reportAt, clear } = createLine();
    reportAt(0);
    reportAt(200);
    clear();
    expect(written).toEqual([]);
  });

  it("draws at most every 100 ms", () => {
    const { written, reportAt } = createLine();
    for (let at = 0; at <= 1000; at += 10) reportAt(at);
    expect(written).toHaveLength(8);
  });

  it("is never wider than the terminal", () => {
    const { written, reportAt } = createLine({ columns: 30 });
    reportAt(0);
    reportAt(500);
    expect(written).toEqual([`${ERASE}reading history: 41 %, 500.0…`]);
  });

  it("writes nothing where messages go to a file", () => {
    const { written, reportAt, clear } = createLine({ stderrIsTty: false });
    reportAt(0);
    reportAt(1000);
    clear();
    expect(written).toEqual([]);
  });

  it.each([
    [{ phase: "finding", files: 12 } as const, "looking for history: 12 files"],
    [{ bytes: 0, bytesDone: 0, files: 0, filesDone: 0 }, "reading history: 100 %, 0 B of 0 B, 0 of 0 files"],
    [{ bytes: 10, bytesDone: 12, files: 1, filesDone: 1 }, "reading history: 100 %, 12 B of 10 B, 1 of 1 files"],
  ])("describes %j", (progress, expected) => {
    const { written, reportAt } = createLine();
    reportAt(0, progress);
    reportAt(500, progress);
    expect(written).toEqual([ERASE + expected]);
  });
});
