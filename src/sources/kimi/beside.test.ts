import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readerOf, readWith } from "../../../test/support/read-items.ts";
import type { FoundFile, Item } from "../source.ts";
import { kimi } from "./source.ts";

describe("what stands beside a transcript", () => {
  let home: string;

  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), "kimi-beside-")));
  });

  afterEach(() => {
    rmSync(home, { recursive: true, force: true });
  });

  it("is told again by a later reader only where the title changed", () => {
    const path = write("sessions/p/s/wire.jsonl", "");
    write("sessions/p/s/state.json", { custom_title: "First" });
    const first = readNothing({ path, unit: "lines" }, undefined);
    expect(first.items).toEqual([{ kind: "title", title: "custom", text: "First" }]);
    expect(readNothing({ path, unit: "lines" }, first.state).items).toEqual([]);
    write("sessions/p/s/state.json", { custom_title: "Second" });
    expect(readNothing({ path, unit: "lines" }, first.state).items).toEqual([
      { kind: "title", title: "custom", text: "Second" },
    ]);
  });

  it("may be broken", () => {
    const path = write("sessions/p/s/wire.jsonl", "");
    write("sessions/p/s/state.json", "{");
    mkdirSync(join(home, "kimi.json"));
    expect(readNothing({ path, unit: "lines" }, undefined).items).toEqual([]);
  });

  it.each([
    { what: "a folder that is there", source: "sessions/p/old", there: true },
    { what: "a flat file that is there", source: "sessions/p/old.jsonl", there: true },
    { what: "a folder that is gone", source: "gone/old", there: false },
    { what: "a folder of another name", source: "sessions/p", there: false },
  ])("decides what is told of an imported session: from $what", ({ source, there }) => {
    write("sessions/p/old/context.jsonl", "");
    write("sessions/p/old.jsonl", "");
    const path = write("code/sessions/w/ses_old/agents/main/wire.jsonl", "");
    const custom = {
      imported_from_kimi_cli: true,
      kimi_cli_session_id: "old",
      kimi_cli_source_path: join(home, source),
    };
    write("code/sessions/w/ses_old/state.json", { custom });
    const { items, session } = readWith(kimi, { path, unit: "lines" }, [
      { type: "metadata", created_at: 1785612803281 },
      appended("without a time"),
      { ...appended("older"), time: 1785612803280 },
      { ...appended("newer"), time: 1785612803282 },
    ]);
    expect(session).toBe("old");
    const texts = items.map((item) => (item.kind === "message" ? item.text : item.kind));
    expect(texts).toEqual(there ? ["newer"] : ["without a time", "older", "newer"]);
  });

  it("keeps a fork of an imported session apart", () => {
    const path = write("code/sessions/w/session_fork/agents/main/wire.jsonl", "");
    const custom = { imported_from_kimi_cli: true, kimi_cli_session_id: "old", kimi_cli_source_path: "/gone/old" };
    write("code/sessions/w/session_fork/state.json", { custom, forkedFrom: "ses_old" });
    const { items, session } = readWith(kimi, { path, unit: "lines" }, [appended("hello")]);
    expect(session).toBe("session_fork");
    expect(items.flatMap(nativeIdOf)).toEqual(["old#1"]);
  });

  function write(path: string, content: unknown): string {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    return file;
  }
});

function appended(text: string): object {
  return { type: "context.append_message", message: { role: "user", content: [{ type: "text", text }] } };
}

function nativeIdOf(item: Item): string[] {
  return item.kind === "message" ? [item.nativeId] : [];
}

/** What a reader tells at a record that tells nothing itself. */
function readNothing(file: FoundFile, state: unknown): { readonly items: Item[]; readonly state: unknown } {
  const items: Item[] = [];
  const reader = readerOf(kimi, file, state);
  reader.read({ type: "metadata" }, (item) => items.push(item));
  return { items, state: JSON.parse(JSON.stringify(reader.state())) };
}
