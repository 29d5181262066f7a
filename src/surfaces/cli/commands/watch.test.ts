import { describe, expect, it } from "vitest";
import { runCli } from "../../../../test/support/cli.ts";
import { createFakeYore } from "../../../../test/support/fake-yore.ts";
import { YoreError } from "../../../core/errors.ts";
import type { WatchRequest, WatchTurn } from "../../../service/yore.ts";

const pass = (turn: Partial<Extract<WatchTurn, { kind: "pass" }>> = {}): WatchTurn => ({
  kind: "pass",
  newMessages: 0,
  filesRead: 0,
  problems: [],
  ...turn,
});

async function watched(...turns: readonly WatchTurn[]) {
  const watch = async ({ onTurn }: WatchRequest): Promise<void> => {
    for (const turn of turns) onTurn?.(turn);
  };
  const { exit, stdout, stderr } = await runCli(["watch"], { yore: { ...createFakeYore(), watch } });
  return { exit, stdout, stderr: stderr.replace("watching until Ctrl-C\n", "") };
}

describe("yore watch", () => {
  it("prints a line for each look that found something", async () => {
    expect(
      await watched(pass(), pass({ newMessages: 1, filesRead: 1 }), pass({ newMessages: 1_200, filesRead: 3 })),
    ).toEqual({
      exit: 0,
      stdout: "2026-06-21 10:00 1 new message in 1 file\n2026-06-21 10:00 1,200 new messages in 3 files\n",
      stderr: "",
    });
  });

  it("says that another process does it", async () => {
    const { stdout, stderr } = await watched({ kind: "waiting" });
    expect([stdout, stderr]).toEqual(["", "another process is watching; this one takes over when it ends\n"]);
  });

  it.each<[string, WatchTurn, string]>([
    ["a file cannot be read", pass({ problems: [{ path: "/a\u001b/b", problem: "EACCES" }] }), "/a/b: EACCES"],
    ["the disk is full", pass({ stale: "disk-full" }), "the index is behind: the disk is full"],
    ["a look fails", { kind: "failure", error: new YoreError("unreadable", "No store.") }, "No store."],
  ])("says once that %s, however often it is met", async (_, turn, message) => {
    expect(await watched(turn, pass(), turn)).toEqual({ exit: 0, stdout: "", stderr: `warning: ${message}\n` });
  });

  it("does not warn of a look that another process had to give way to", async () => {
    expect(await watched(pass({ stale: "another-process" }))).toMatchObject({ stderr: "" });
  });

  it("ends with 0 at Ctrl-C", async () => {
    let interrupt = (): void => {};
    const watch = ({ signal }: WatchRequest) =>
      new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve());
        interrupt();
      });
    const yore = createFakeYore();
    const { exit } = await runCli(["watch"], {
      yore: { ...yore, watch },
      onInterrupt: (stop) => {
        interrupt = stop;
        return () => {};
      },
    });
    expect([exit, yore.calls.at(-1)?.method]).toEqual([0, "close"]);
  });

  it("ends when nobody reads what it prints any more", async () => {
    const closed = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    const write = (): void => {
      throw closed;
    };
    const watch = async ({ onTurn }: WatchRequest) => onTurn?.(pass({ newMessages: 1, filesRead: 1 }));
    const yore = { ...createFakeYore(), watch };
    expect(await runCli(["watch"], { yore, stdout: { write, flush: async () => {} } })).toMatchObject({ exit: 0 });
  });
});
