import { join } from "node:path";
import { expect, it } from "vitest";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome } from "../support/home.ts";
import { modelServer, openaiReply, written } from "../support/model-server.ts";
import { jsonOf, runYore, startYore } from "../support/program.ts";

function worked(count: number) {
  const home = createHome();
  for (let number = 1; number <= count; number += 1) {
    const talk = claudeTranscript({ session: sessionId(number), startedAt: Date.UTC(2026, 2, number) });
    talk.prompt(`count barnacle ${number}`);
    talk.says("There are some.");
    home.write(home.claudePath(sessionId(number)), talk.lines);
  }
  return home;
}

it("yore enrich writes titles over an API and by a program, and takes them back", async () => {
  const home = worked(2);
  const { url, calls } = await modelServer(() => openaiReply(written()));
  const ask = ["enrich", "--engine", "openai-compatible", "--url", url, "--model", "small", "--yes"];
  expect(await jsonOf(home, [...ask, "-n", "1"])).toMatchObject({ outcome: "limit", enriched: 1, estimated: false });
  expect(calls).toHaveLength(1);
  const fake = [process.execPath, join(import.meta.dirname, "../support/fake-model.mjs")];
  const { stdout } = await runYore(home, ["enrich", "--engine", "command", "--yes", "--", ...fake]);
  expect(stdout).toMatch(
    /^node wrote of 1 session, for [\d,]+ tokens in and [\d,]+ out, some or all of them estimated\.\n$/,
  );
  expect(await jsonOf(home, ["sessions"])).toMatchObject({
    sessions: [
      { title: "Barnacles counted", titleBy: "enriched", enriched: { model: "small" } },
      { title: "By a program", titleBy: "enriched", enriched: { model: "node" } },
    ],
  });
  const shown = await runYore(home, ["show", sessionId(2)]);
  expect(shown.stdout).toContain("- summary by small: The hull was cleaned, and keels were weighed.\n");
  expect(await jsonOf(home, ["enrich", "--drop"])).toEqual({ dropped: 2 });
  expect(await jsonOf(home, ["sessions"])).toMatchObject({ sessions: [{ titleBy: "said", enriched: null }, {}] });
});

it("yore enrich keeps what is done at Ctrl-C, and goes on from there", async () => {
  const home = worked(3);
  const held = await modelServer((_, number) => (number === 1 ? openaiReply(written()) : "hang"));
  const ask = (url: string) => [
    "enrich",
    "--engine",
    "openai-compatible",
    "--url",
    url,
    "--model",
    "small",
    "--yes",
    "--json",
  ];
  const { child, finished } = startYore(home, ask(held.url));
  while (held.calls.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGINT");
  const { code, stdout } = await finished;
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { outcome: "stopped", enriched: 1 }]);
  const { url, calls } = await modelServer(() => openaiReply(written()));
  expect(JSON.parse((await runYore(home, ask(url))).stdout)).toMatchObject({ outcome: "done", enriched: 2 });
  expect(calls).toHaveLength(2);
});

it("yore enrich refuses to run within what it started", async () => {
  const env = { YORE_INSIDE: "1" };
  const { code, stderr } = await runYore(worked(1), ["enrich", "--engine", "command", "--yes", "cat"], { env });
  expect(code).toBe(2);
  expect(stderr).toContain("YORE_INSIDE is set here.");
});
