import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { describe, expect, it, onTestFinished } from "vitest";
import { chatgpt } from "../../src/sources/chatgpt/source.ts";
import { claudeAi } from "../../src/sources/claude-ai/source.ts";
import type { Source } from "../../src/sources/source.ts";
import { readParts } from "../support/read-items.ts";

const ASKED = { sender: "human", text: "how deep?", content: [], created_at: "2026-03-02T09:00:00Z" };
const OF_CLAUDE = ["a", "b", "c"].map((uuid) => ({
  uuid,
  name: uuid,
  chat_messages: [{ uuid: `${uuid}1`, ...ASKED }],
}));
const OF_CHATGPT = ["d", "e"].map((id) => {
  const message = { id: `${id}1`, author: { role: "user" }, content: { content_type: "text", parts: ["how deep?"] } };
  return { id, title: id, mapping: { n: { id: "n", parent: null, message } }, current_node: "n" };
});

describe.each([
  { source: claudeAi, other: chatgpt, conversations: OF_CLAUDE, ids: ["a", "b", "c"] },
  { source: chatgpt, other: claudeAi, conversations: OF_CHATGPT, ids: ["d", "e"] },
])("an export of $source.name", ({ source, other, conversations, ids }) => {
  const json = JSON.stringify(conversations);
  const lines = conversations.map((conversation) => `${JSON.stringify(conversation)}\n`).join("");
  const zipped = (files: Record<string, string>): Uint8Array =>
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])));

  it.each([
    { what: "a zip archive", name: "export.zip", bytes: zipped({ "chat.html": "<p>", "conversations.json": json }) },
    { what: "an archive by another name", name: "download (1)", bytes: zipped({ "conversations.json": json }) },
    { what: "an archive with a folder in it", name: "e.zip", bytes: zipped({ "data/conversations.json": json }) },
    { what: "an archive in pieces", name: "e.zip", bytes: zipped(shards(conversations)) },
    { what: "a file", name: "conversations.json", bytes: Buffer.from(json) },
    { what: "a file by another name", name: "mine.json", bytes: Buffer.from(json) },
    { what: "JSON Lines", name: "conversations.jsonl", bytes: Buffer.from(lines) },
  ])("is known and read: $what", ({ name, bytes }) => {
    const path = write(name, bytes);
    const [file, ...others] = source.accept?.(path) ?? [];
    expect({ file, others }).toEqual({ file: { path, unit: "container" }, others: [] });
    expect(other.accept?.(path)).toEqual([]);
    const read = file === undefined ? [] : readParts(source, file);
    expect(read.map(({ part, session }) => [part.name, session])).toEqual(ids.map((id) => [id, id]));
    expect(read.every(({ items }) => items.some((item) => item.kind === "message" && item.text === "how deep?"))).toBe(
      true,
    );
  });

  it("is known by the files in a folder", () => {
    const path = write("conversations-000.json", Buffer.from(json));
    const folder = join(path, "..");
    writeFileSync(join(folder, "users.json"), "[]");
    mkdirSync(join(folder, "conversations-001.json"));
    expect(source.accept?.(folder)).toEqual([{ path, unit: "container" }]);
  });

  it.each([
    { what: "nothing", name: "notes", bytes: Buffer.alloc(0) },
    { what: "text", name: "notes.txt", bytes: Buffer.from("Killed: 9") },
    { what: "other JSON", name: "conversations.json", bytes: Buffer.from('[{"id":1},{"uuid":"x"}]') },
    { what: "another archive", name: "a.zip", bytes: zipped({ "a.txt": "a" }) },
  ])("is not $what", ({ name, bytes }) => {
    expect(source.accept?.(write(name, bytes))).toEqual([]);
  });

  const whole = Buffer.from(zipped({ "chat.html": "<p>".repeat(500), "conversations.json": json }));
  it.each([
    { what: "half an archive", name: "a.zip", bytes: whole.subarray(0, whole.length / 2), told: "is damaged" },
    { what: "half an archive by another name", name: "a", bytes: whole.subarray(0, 90), told: "is damaged" },
    { what: "an archive behind something else", name: "a.zip", bytes: behind(whole), told: "is damaged" },
    { what: "an archive with its front cut off", name: "a.zip", bytes: whole.subarray(9), told: "is damaged" },
    { what: "an archive with another byte in it", name: "a.zip", bytes: flipped(json), told: "is damaged" },
    { what: "an archive of another method", name: "a.zip", bytes: packedBy(whole, 14), told: "not supported" },
    { what: "an empty archive", name: "a.zip", bytes: Buffer.alloc(0), told: "is empty" },
    { what: "an empty file", name: "conversations.json", bytes: Buffer.alloc(0), told: "is empty" },
    { what: "half a file", name: "mine.json", bytes: Buffer.from(json.slice(0, 40)), told: "is damaged" },
    { what: "text in place of JSON", name: "conversations.json", bytes: Buffer.from("Killed: 9"), told: "is damaged" },
  ])("is told to be none that can be read: $what", ({ name, bytes, told }) => {
    expect(() => source.accept?.(write(name, bytes))).toThrow(told);
  });

  it("is known by the archives in a folder, and those that are damaged are told when they are opened", () => {
    const path = write("a.zip", whole);
    const folder = join(path, "..");
    const half = join(folder, "b.zip");
    writeFileSync(half, whole.subarray(0, 90));
    writeFileSync(join(folder, "c.zip"), zipped({ "a.txt": "a" }));
    expect(source.accept?.(folder)).toEqual([path, half].map((at) => ({ path: at, unit: "container" })));
    expect(() => [...(source.open?.({ path: half, unit: "container" }).parts() ?? [])]).toThrow("is damaged");
  });

  it.each([
    { what: "a file that ends too soon", name: "conversations.json", bytes: Buffer.from(json.slice(0, -20)) },
    { what: "an archive of which a checksum is wrong", name: "a.zip", bytes: wrongChecksum(json) },
  ])("is read as far as it goes, and that is told: $what", ({ name, bytes }) => {
    const path = write(name, bytes);
    expect(source.accept?.(path)).toHaveLength(1);
    const container = source.open?.({ path, unit: "container" });
    const parts = [...(container?.parts() ?? [])];
    container?.close();
    expect(parts.at(-1)).toEqual({
      path,
      problem: "is damaged or incomplete, and read as far as it goes",
      kind: "damaged",
    });
    const names = parts.slice(0, -1).map((part) => ("problem" in part ? part.problem : part.name));
    expect(names.length).toBeGreaterThan(0);
    expect(names).toEqual(ids.slice(0, names.length));
  });

  it("is not what is not there", () => {
    expect(source.accept?.(join(tmpdir(), "yore-not-there"))).toEqual([]);
  });

  it("gives any conversation, in any order", () => {
    const file = { path: write("conversations.json", Buffer.from(json)), unit: "container" as const };
    const names = [...ids].reverse();
    expect(names.map((name) => recordsOf(source, file, [name])[0])).toEqual(
      [...recordsOf(source, file, ids)].reverse(),
    );
    expect(recordsOf(source, file, ["not there"])).toEqual([[]]);
  });

  it("tells what is no JSON, and reads the others", () => {
    const path = write("conversations.json", Buffer.from(json.replace("[", '[{"id":oops},')));
    const container = source.open?.({ path, unit: "container" });
    const parts = [...(container?.parts() ?? [])];
    container?.close();
    expect(parts.map((part) => ("problem" in part ? part.problem : part.name))).toEqual([
      "conversation 1 is no JSON",
      ...ids,
    ]);
  });

  it("has another revision where a conversation went on", () => {
    const [before, after] = [json, json.replace("how deep?", "how deep is it?")].map((text) => {
      const container = source.open?.({ path: write("conversations.json", Buffer.from(text)), unit: "container" });
      const parts = [...(container?.parts() ?? [])];
      container?.close();
      return parts.map((part) => ("problem" in part ? undefined : part.revision));
    });
    expect(after?.[0]).not.toBe(before?.[0]);
    expect(after?.slice(1)).toEqual(before?.slice(1));
  });
});

function behind(archive: Buffer): Buffer {
  return Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\n\r\n"), archive]);
}

function packedBy(archive: Buffer, method: number): Buffer {
  const bytes = Buffer.from(archive);
  const entry = bytes.lastIndexOf("PK\u0001\u0002");
  bytes.writeUInt16LE(method, entry + 10);
  return bytes;
}

/** The first byte that is packed says how the others are: no other is allowed there. */
function flipped(json: string): Buffer {
  const bytes = Buffer.from(zipSync({ "conversations.json": Buffer.from(json) }));
  bytes.writeUInt8(0xff, 30 + "conversations.json".length);
  return bytes;
}

function wrongChecksum(json: string): Buffer {
  const bytes = Buffer.from(zipSync({ "conversations.json": Buffer.from(json) }));
  const entry = bytes.lastIndexOf("PK\u0001\u0002");
  bytes.writeUInt32LE((bytes.readUInt32LE(entry + 16) ^ 1) >>> 0, entry + 16);
  return bytes;
}

function shards(conversations: readonly object[]): Record<string, string> {
  return Object.fromEntries(conversations.map((one, n) => [`conversations-00${n}.json`, JSON.stringify([one])]));
}

function recordsOf(source: Source, file: { path: string; unit: "container" }, names: readonly string[]): unknown[][] {
  const container = source.open?.(file);
  const records = names.map((name) => [...(container?.records({ name, revision: "" }) ?? [])]);
  container?.close();
  return records;
}

function write(name: string, bytes: Uint8Array): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "yore-export-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}
