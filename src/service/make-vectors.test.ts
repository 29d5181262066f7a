import { describe, expect, it, onTestFinished } from "vitest";
import { openTemporaryStore } from "../../test/support/seed.ts";
import { vectorSetting } from "../config/vectors.ts";
import { createLocalYore } from "./local.ts";
import type { Yore } from "./yore.ts";

describe("the engine that was chosen", () => {
  it("is kept", async () => {
    const yore = await open();
    await yore.useVectors({ engine: "off" });
    expect((await yore.vectors()).chosen).toBe("off");
    await yore.useVectors({ engine: "static" });
    expect((await yore.vectors()).chosen).toBe("static");
  });

  it("is not taken where the environment says another, since nothing would come of it", async () => {
    const yore = await open("off");
    await expect(yore.useVectors({ engine: "static" })).rejects.toMatchObject({
      code: "bad-input",
      message: "YORE_VECTORS is off, and goes before what is chosen.",
    });
    await yore.useVectors({ engine: "off" });
    expect((await yore.vectors()).chosen).toBe("off");
  });

  it.each([
    [undefined, "Run `yore vectors --use static`."],
    ["off", "Set YORE_VECTORS to static, or leave it unset."],
  ])("is told how to be changed where it is none: YORE_VECTORS is %s", async (given, hint) => {
    const yore = await open(given);
    await expect(yore.similar({ id: "00000001" })).rejects.toHaveProperty("hint", hint);
  });
});

async function open(given?: string): Promise<Yore> {
  const store = await openTemporaryStore();
  const yoreHome = `${store.path}-home`;
  const yore = createLocalYore({
    store,
    sources: [],
    environment: { home: "/home/ana", platform: "linux", variables: {}, workFolders: [] },
    clock: () => 0,
    timeZone: "UTC",
    yoreHome,
    storePath: store.path,
    catchUpMs: 1_000,
    firstPassWhole: true,
    vectorSetting: vectorSetting(yoreHome, given),
  });
  onTestFinished(() => yore.close());
  return yore;
}
