import { spawnSync } from "node:child_process";
import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import type { LeaseHolder } from "../../../src/store/store.ts";
import { type OpenStore, storeForEach } from "./opened-store.ts";

const here = (token: string, pid = process.pid): LeaseHolder => ({ host: hostname(), pid, token });

export function describeLease(open: OpenStore): void {
  describe("lease", () => {
    const { writer, again } = storeForEach(open);

    it("is given to one, and refused to a second until it ends", async () => {
      const lease = await writer();
      expect(await lease.acquireLease(here("a"), 2_000, 1_000)).toBe(true);
      expect(await lease.acquireLease(here("b"), 3_000, 1_999)).toBe(false);
      expect(await lease.acquireLease(here("b"), 3_000, 2_000)).toBe(true);
      expect(await lease.acquireLease(here("a"), 4_000, 2_500)).toBe(false);
    });

    it("is refused over another connection too", async () => {
      await (await writer()).acquireLease(here("a"), 2_000, 1_000);
      expect(await (await (await again()).writer()).acquireLease(here("b"), 2_000, 1_000)).toBe(false);
    });

    it("is renewed by its holder", async () => {
      const lease = await writer();
      await lease.acquireLease(here("a"), 2_000, 1_000);
      expect(await lease.acquireLease(here("a"), 5_000, 1_500)).toBe(true);
      expect(await lease.acquireLease(here("b"), 6_000, 2_500)).toBe(false);
    });

    it("is given back by its holder alone", async () => {
      const lease = await writer();
      await lease.acquireLease(here("a"), 2_000, 1_000);
      await lease.releaseLease(here("b"));
      expect(await lease.acquireLease(here("b"), 2_000, 1_000)).toBe(false);
      await lease.releaseLease(here("a"));
      expect(await lease.acquireLease(here("b"), 2_000, 1_000)).toBe(true);
    });

    it("is taken over from a process that is gone", async () => {
      const { pid } = spawnSync(process.execPath, ["--version"]);
      const lease = await writer();
      await lease.acquireLease(here("a", pid), 2_000, 1_000);
      expect(await lease.acquireLease(here("b"), 2_000, 1_000)).toBe(true);
    });

    it("for watching is another than the one for writing, and is given and taken alike", async () => {
      const lease = await writer();
      const { pid } = spawnSync(process.execPath, ["--version"]);
      expect(await lease.acquireLease(here("a"), 2_000, 1_000)).toBe(true);
      expect(await lease.acquireLease(here("b", pid), 2_000, 1_000, "watch")).toBe(true);
      expect(await lease.acquireLease(here("c"), 2_000, 1_000, "watch")).toBe(true);
      expect(await lease.acquireLease(here("d"), 2_000, 1_000, "watch")).toBe(false);
      expect(await lease.acquireLease(here("c"), 4_000, 1_900, "watch")).toBe(true);
      expect(await lease.acquireLease(here("d"), 5_000, 3_999, "watch")).toBe(false);
      await lease.releaseLease(here("c"));
      expect(await lease.acquireLease(here("d"), 5_000, 3_999, "watch")).toBe(false);
      await lease.releaseLease(here("c"), "watch");
      expect(await lease.acquireLease(here("d"), 5_000, 3_999, "watch")).toBe(true);
      expect(await lease.acquireLease(here("e"), 5_000, 1_900)).toBe(false);
    });

    it("is not taken over from another machine, of whose processes nothing is known", async () => {
      const { pid } = spawnSync(process.execPath, ["--version"]);
      const lease = await writer();
      await lease.acquireLease({ host: "elsewhere", pid, token: "a" }, 2_000, 1_000);
      expect(await lease.acquireLease(here("b"), 2_000, 1_000)).toBe(false);
    });
  });
}
