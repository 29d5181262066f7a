import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readMirror, setMirrorAside, writeMirror } from "./mirror-file.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "yore-mirror-"));
  path = join(folder, "mirror", "things.json");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const mode = (file: string): string => (statSync(file).mode & 0o777).toString(8);

it("is for its owner alone, and comes back as it was written", () => {
  const umask = process.umask(0);
  try {
    writeMirror(path, { a: ["ü", 1, null] });
  } finally {
    process.umask(umask);
  }
  expect([mode(join(folder, "mirror")), mode(path)]).toEqual(["700", "600"]);
  expect(readMirror(path)).toEqual({ a: ["ü", 1, null] });
  expect(readFileSync(path, "utf8")).toMatch(/^\{\n {2}"a": \[[\s\S]*\}\n$/);
});

it("is replaced whole, and nothing is left beside it", () => {
  writeMirror(path, { long: "x".repeat(1_000) });
  writeFileSync(`${path}.${process.pid}.tmp`, "left by a process that was killed", { mode: 0o644 });
  writeMirror(path, {});
  expect(readFileSync(path, "utf8")).toBe("{}\n");
  expect([readdirSync(join(folder, "mirror")), mode(path)]).toEqual([["things.json"], "600"]);
});

it("stays where a person linked it to", () => {
  writeMirror(path, {});
  const elsewhere = join(folder, "elsewhere.json");
  writeFileSync(elsewhere, "{}");
  rmSync(path);
  symlinkSync(elsewhere, path);
  writeMirror(path, { a: 1 });
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(readMirror(elsewhere)).toEqual({ a: 1 });
});

it("stays as it was where it cannot be replaced", () => {
  mkdirSync(path, { recursive: true });
  expect(() => writeMirror(path, {})).toThrow();
  expect(readdirSync(join(folder, "mirror"))).toEqual(["things.json"]);
});

it("is nothing where it is no JSON, and is moved aside with all that is in it", () => {
  writeMirror(path, {});
  writeFileSync(path, "{");
  expect(readMirror(path)).toBeUndefined();
  const aside = setMirrorAside(path, Date.parse("2026-06-01T10:00:00Z"));
  expect(aside).toBe(`${path}.damaged-20260601T100000Z`);
  expect([readdirSync(join(folder, "mirror")), readFileSync(aside, "utf8")]).toEqual([
    [aside.slice(join(folder, "mirror").length + 1)],
    "{",
  ]);
});
