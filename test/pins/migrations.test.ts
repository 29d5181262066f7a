import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { migrations } from "../../src/store/sqlite/migrations/index.ts";

/*
 * A migration that has run on stores in the field is never edited: a change is a new one, with its hash added here.
 * Before the first release, an edited one gets its new hash.
 */
const HASHES: readonly string[] = [
  "cb423f3060ed1f5e",
  "03d22190b05c2d29",
  "5c8c300a27c15998",
  "7abcaa7401b5a0a6",
  "f465ee112d40ac70",
  "7f03c012ccbefee5",
  "742e2a5cc43c37e1",
  "1577d8b66d0d5902",
  "1cbeaff6b57faff3",
  "dadcb1e191c1547b",
  "90f5b07ae26dd0a0",
  "0ad3fa40a5076fe3",
  "06710907bf3084f6",
];

it("migrations are the ones that stores have had", () => {
  expect(migrations.map((migration) => createHash("sha256").update(migration).digest("hex").slice(0, 16))).toEqual(
    HASHES,
  );
});
