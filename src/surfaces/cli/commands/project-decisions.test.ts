import { describe, expect, it } from "vitest";
import { runCli, terminal } from "../../../../test/support/cli.ts";
import { createFakeYore } from "../../../../test/support/fake-yore.ts";

describe("yore projects", () => {
  it.each([
    [["merge", "shop", "yore"], "decideProject", { kind: "merge", project: "shop", into: "yore", by: "cli" }],
    [["split", "yore", "a/b", "--json"], "decideProject", { kind: "split", project: "yore", folder: "a/b", by: "cli" }],
    [["rename", "--json", "yore", "js"], "decideProject", { kind: "rename", project: "yore", name: "js", by: "cli" }],
    [["undo"], "undoProjectDecision", { by: "cli" }],
    [["undo", "1"], "undoProjectDecision", { number: 1, by: "cli" }],
    [["history"], "projectDecisions", undefined],
    [["exclude"], "exclusions", undefined],
    [["exclude", "~/a"], "excludeProject", { place: "~/a" }],
    [["include", "~/a"], "includeProject", { place: "~/a" }],
  ])("%j calls %s with %j", async (argv, method, request) => {
    const yore = createFakeYore();
    expect(await runCli(["projects", ...argv], { yore })).toMatchObject({ exit: 0 });
    expect(yore.calls.filter((call) => call.method !== "close")).toEqual([{ method, request }]);
  });

  it.each([
    [["merge", "shop", "yore"], "shop (s0000001) is yore (y0000001). 1 session moved.\n"],
    [["split", "yore", "a/b"], "a/b of yore (y0000001) is part (sp1t0000). 1 session moved.\n"],
    [["rename", "yore", "js"], "yore (y0000001) is called js.\n"],
    [["exclude"], "/home/me/shop\n"],
    [["exclude", "shop"], "excluded: /home/me/shop\n"],
    [["include", "shop"], "included again: /home/me/shop\n"],
    [["undo"], "Undone: yore (y0000001) is called memory.\n"],
    [
      ["history"],
      "NUMBER  WHEN              BY   DECISION\n     1  2026-06-11 10:00  cli  yore (y0000001) is called memory\n",
    ],
  ])("%j says %j", async (argv, text) => {
    expect((await runCli(["projects", ...argv])).stdout).toBe(text);
  });

  it("says how to undo it, to a person", async () => {
    const { stderr } = await runCli(["projects", "rename", "yore", "js"], { ...terminal(), colour: "never" });
    expect(stderr).toBe("undo: yore projects undo 1\n");
  });

  it.each([
    ["nothing to merge into", ["merge", "yore"], 2],
    ["more than it takes", ["merge", "yore", "shop", "other"], 2],
    ["a number that is none", ["undo", "last"], 2],
    ["a decision that is not there", ["undo", "7"], 3],
    ["a project that is not there", ["rename", "reef", "js"], 3],
    ["nothing to include", ["include"], 2],
    ["a command that is not there", ["join", "yore", "shop"], 2],
  ])("refuses %s", async (_, argv, exit) => {
    expect(await runCli(["projects", ...argv])).toMatchObject({ exit, stdout: "" });
  });

  it("passes on what could not be kept", async () => {
    const yore = createFakeYore();
    const world = {
      yore: {
        ...yore,
        decideProject: async (request: Parameters<typeof yore.decideProject>[0]) => ({
          ...(await yore.decideProject(request)),
          warnings: ["the mirror could not be written"],
        }),
      },
    };
    const { exit, stderr } = await runCli(["projects", "rename", "yore", "js"], world);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "warning: the mirror could not be written\n" });
  });
});
