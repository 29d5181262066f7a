import { describe, expect, it, onTestFinished } from "vitest";
import { answer, human, openTemporaryStore, seed } from "../../test/support/seed.ts";
import { tinyTable } from "../../test/support/tiny-table.ts";
import { vectorSetting } from "../config/vectors.ts";
import { YoreError } from "../core/errors.ts";
import { createLocalYore } from "./local.ts";
import { Vectors } from "./vectors.ts";
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

describe("a table that is damaged", () => {
  it("is told, and keeps nothing else from being told", async () => {
    const store = await openTemporaryStore();
    await seed(store, { id: "00000001-tide", messages: [human("tide"), answer("harbour")] });
    await new Vectors(
      store,
      () => 0,
      () => tinyTable(["tide", "harbour"]),
    ).embed();
    const message = "The token table is damaged.";
    const damaged = new Vectors(
      store,
      () => 0,
      () => {
        throw new YoreError("unreadable", message);
      },
    );
    const yore = await open(undefined, store, damaged);
    expect(await yore.vectors()).toMatchObject({ observations: 1, problem: message, engines: [{ isAsked: false }] });
    expect((await yore.doctor()).findings).toContainEqual({ level: "warning", message, remedy: "Install yore anew." });
  });
});

async function open(
  given?: string,
  opened?: Awaited<ReturnType<typeof openTemporaryStore>>,
  vectors?: Vectors,
): Promise<Yore> {
  const store = opened ?? (await openTemporaryStore());
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
    ...(vectors !== undefined && { vectors }),
  });
  onTestFinished(() => yore.close());
  return yore;
}
