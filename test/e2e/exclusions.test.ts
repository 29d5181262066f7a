import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { keptIn } from "../support/kept.ts";
import { jsonOf, runYore } from "../support/program.ts";

const [A, B] = [sessionId(1), sessionId(2)];
const PRIVATE = "/home/ana/clinic";

describe("what must not be stored, by the program", () => {
  it("is excluded by a command, a variable and a file, before anything of it is kept", async () => {
    const home = worked();
    expect(await jsonOf(home, ["projects", "exclude", PRIVATE])).toEqual({
      excluded: [{ place: PRIVATE, from: "config" }],
      changed: [PRIVATE],
      stored: 0,
    });
    await jsonOf(home, ["index"]);
    expect(await idsIn(home)).toEqual([B]);
    expect(leaks(home)).toEqual([]);
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${home.storePath}${suffix}`, { force: true });
    await jsonOf(home, ["restore"]);
    expect(leaks(home)).toEqual([]);
    expect((await runYore(home, ["projects", "include", PRIVATE])).stdout).toBe(`included again: ${PRIVATE}\n`);
    expect(await idsIn(home, { YORE_EXCLUDE_PROJECTS: "/nowhere,/home/ana/cl*" })).toEqual([B]);
    expect(leaks(home)).toEqual([]);
    expect(await idsIn(home)).toEqual([A, B]);
    expect(await idsIn(home, { YORE_EXCLUDE_PROJECTS: PRIVATE })).toEqual([B]);
    expect(await jsonOf(home, ["doctor"], { env: { YORE_EXCLUDE_PROJECTS: PRIVATE } })).toMatchObject({
      hidden: { forgotten: 0, excluded: 1, refusedFiles: 0 },
    });
  });

  it("is not known where the file makes no sense, and then nothing is read", async () => {
    const home = worked();
    home.writeRaw(`${home.yoreHome}/config.json`, "{");
    expect(await runYore(home, ["sessions"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("config.json is no JSON"),
    });
    expect(await runYore(home, ["index"])).toMatchObject({ code: 2 });
    expect(leaks(home)).toEqual([]);
  });
});

function worked(): TestHome {
  const home = createHome();
  for (const [session, cwd, word] of [
    [A, PRIVATE, "stethoscope"],
    [B, "/home/ana/tide", "tides"],
  ] as const) {
    const talk = claudeTranscript({ session, cwd });
    talk.prompt(`ask about a ${word}`);
    home.write(home.claudePath(session, cwd), talk.lines);
  }
  return home;
}

async function idsIn(home: TestHome, env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const { stdout } = await runYore(home, ["sessions", "--json"], { env });
  return JSON.parse(stdout)
    .sessions.map(({ id }: { readonly id: string }) => id)
    .sort();
}

function leaks(home: TestHome): readonly string[] {
  return Object.entries(keptIn(home)).flatMap(([place, text]) => (text.includes("stethoscope") ? [place] : []));
}
