import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sources } from "../../src/sources/registry.ts";
import { HOSTS } from "../../src/surfaces/hooks/registry.ts";
import { compareDumps } from "../support/dump.ts";
import { fixtureHome, fixtureNames } from "../support/fixture-home.ts";
import type { TestHome } from "../support/home.ts";

/*
 * What hooks of each agent bring in, over its fixtures: however far a file has got when a hook runs, a pass afterwards
 * makes what a first pass makes.
 */

/** Files that are not written one after another: a session reads what was suggested, and a log has an older twin. */
const TOGETHER = ["claude-code suggestion", "copilot-cli older"];

const CASES = sources
  .filter(({ agent, near }) => near !== undefined && HOSTS.some((host) => host.agent === agent))
  .flatMap((source) => fixtureNames(source).map((name) => [source.agent, name, source] as const))
  .filter(([agent, name]) => !TOGETHER.includes(`${agent} ${name}`));

/** What hooks name: of a subagent below its session's folder, the transcript of the session. */
function namedBy(path: string): string {
  return path.replace(/^(.+)\/subagents\/.*$/, "$1.jsonl");
}

async function capture(home: TestHome, agent: string, path: string): Promise<void> {
  const yore = await home.open();
  await yore.capture({ agent, paths: [path], budgetMs: 60_000 });
  await yore.close();
}

function put(path: string, bytes: Uint8Array): void {
  const { mtimeMs } = statSync(path);
  writeFileSync(path, bytes);
  utimesSync(path, mtimeMs / 1_000, mtimeMs / 1_000);
}

describe.each(CASES)("%s %s", (agent, name, source) => {
  it("is stored by hooks as by a pass, however far its files had got when they ran", async () => {
    const { home, over, files, write } = fixtureHome([{ source, name }]);
    const growing = files.filter((file) => file.endsWith(".jsonl"));
    for (const file of files) if (!growing.includes(file)) write(file);
    for (const file of growing) {
      const path = join(home.home, file);
      write(file);
      const whole = readFileSync(path);
      for (const share of [0.31, 0.64, 0.97, 1]) {
        put(path, whole.subarray(0, Math.ceil(whole.length * share)));
        await capture(home, agent, namedBy(path));
      }
    }
    await home.index();
    const fresh = over();
    await fresh.index();
    expect(compareDumps(home.dump(), fresh.dump())).toEqual({});
  });
});
