import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderOfName } from "./encoded-folder.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "yore.names-")));
for (const folder of ["my-app/src", "my/app", "under_score/x.y z", "ü"])
  mkdirSync(join(root, folder), { recursive: true });
const encoded = (path: string): string => path.normalize("NFC").replace(/[^A-Za-z0-9]/g, "-");

describe("folderOfName", () => {
  it.each([
    ["a hyphen in a name", "my-app/src", "my-app/src"],
    ["the longer name where both fit", "my-app", "my-app"],
    ["the only way down that is there", "my/app", "my-app"],
    ["dots, spaces and underscores", "under_score/x.y z", "under_score/x.y z"],
    ["letters outside of ASCII", "ü", "ü"],
  ])("finds %s", (_, written, found) => {
    expect(folderOfName(encoded(join(root, written)))).toBe(join(root, found));
  });

  it.each([
    ["gone", encoded(join(root, "gone/for/good"))],
    ["nothing", ""],
    ["signs", "---"],
    ["a drive", "C--Users-me"],
  ])("finds nothing for %s", (_, name) => {
    expect(folderOfName(name)).toBeUndefined();
  });
});
