import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { describe, expect, it, onTestFinished } from "vitest";
import { readDirectory, unpack } from "./zip.ts";

const LARGE = Buffer.from("tide ".repeat(200_000));
const ARCHIVE = Buffer.from(
  zipSync({
    "pictures/a.png": [Buffer.from("PK\u0005\u0006"), { level: 0 }],
    "b.json": LARGE,
    "empty.json": Buffer.alloc(0),
  }),
);

describe("an archive", () => {
  it("tells its files, and gives what is in them in pieces", () => {
    const file = open(ARCHIVE);
    const entries = readDirectory(file) ?? [];
    expect(entries.map(({ name, bytes }) => [name, bytes])).toEqual([
      ["pictures/a.png", 4],
      ["b.json", LARGE.length],
      ["empty.json", 0],
    ]);
    const pieces = entries.map((entry) => [...unpack(file, entry)]);
    expect(pieces.map((some) => Buffer.concat(some).toString("utf8"))).toEqual([
      "PK\u0005\u0006",
      LARGE.toString("utf8"),
      "",
    ]);
  });

  it.each([
    { what: "a comment", bytes: withComment(ARCHIVE, "made by hand") },
    { what: "a directory of the large kind", bytes: asZip64(ARCHIVE) },
  ])("may have $what", ({ bytes }) => {
    const file = open(bytes);
    expect(readDirectory(file)?.map(({ name }) => name)).toEqual(["pictures/a.png", "b.json", "empty.json"]);
  });

  it.each([
    { what: "nothing", bytes: Buffer.alloc(0) },
    { what: "text", bytes: Buffer.from("Killed: 9") },
    { what: "half an archive", bytes: ARCHIVE.subarray(0, ARCHIVE.length / 2) },
    { what: "the end of an archive alone", bytes: ARCHIVE.subarray(-22) },
  ])("is not $what", ({ bytes }) => {
    expect(readDirectory(open(bytes))).toBeUndefined();
  });

  it.each([
    { what: "is encrypted", change: { isEncrypted: true } },
    { what: "is packed in another way", change: { method: 14 } },
    { what: "stands elsewhere", change: { offset: 7 } },
    { what: "has no end", change: { packed: 10 * LARGE.length } },
    { what: "has another checksum", change: { checksum: 7 } },
  ])("says so where a file in it $what", ({ change }) => {
    const file = open(ARCHIVE);
    const entry = readDirectory(file)?.find(({ name }) => name === "b.json");
    if (entry === undefined) throw new Error("not found");
    expect(() => [...unpack(file, { ...entry, ...change })]).toThrow();
  });
});

function open(bytes: Uint8Array): number {
  const folder = mkdtempSync(join(tmpdir(), "yore-zip-"));
  writeFileSync(join(folder, "a.zip"), bytes);
  const file = openSync(join(folder, "a.zip"), "r");
  onTestFinished(() => {
    closeSync(file);
    rmSync(folder, { recursive: true });
  });
  return file;
}

function withComment(archive: Buffer, comment: string): Buffer {
  const bytes = Buffer.concat([archive, Buffer.from(comment)]);
  bytes.writeUInt16LE(comment.length, archive.length - 2);
  return bytes;
}

/** The same archive with its directory's place in the fields that archives of more than 4 GB have. */
function asZip64(archive: Buffer): Buffer {
  const end = Buffer.from(archive.subarray(-22));
  const body = archive.subarray(0, -22);
  const large = Buffer.alloc(56);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(BigInt(end.readUInt32LE(12)), 40);
  large.writeBigUInt64LE(BigInt(end.readUInt32LE(16)), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(body.length), 8);
  end.writeUInt32LE(0xffffffff, 12);
  end.writeUInt32LE(0xffffffff, 16);
  return Buffer.concat([body, large, locator, end]);
}
