import { describe, expect, it } from "vitest";
import { messageUid } from "../../../src/core/ids.ts";
import type { NewMessage, Store } from "../../../src/store/store.ts";
import {
  answer,
  call,
  human,
  notice,
  result,
  START,
  seed,
  summary,
  thinking,
  writeSession,
} from "../../support/seed.ts";
import { type OpenStore, PAGE, storeForEach } from "./opened-store.ts";

const KEY = { agent: "claude-code", nativeId: "s1" };

const FULL: NewMessage = {
  uid: messageUid("claude-code", "m1"),
  seq: 0,
  role: "tool",
  part: "call",
  at: START,
  text: "npm test\n\t-- 配置 😀",
  tool: "Bash",
  callId: "c1",
  files: [
    { path: "/home/ana/tide/a b.ts", changed: true },
    { path: "+odd", changed: false },
  ],
  commands: ["npm test", "ls\n-la"],
  isError: false,
  exitCode: 1,
  durationMs: 12,
  branch: "fix",
  cwd: "/home/ana/tide/sub",
  byte: 8_000_000_000,
};

export function describeMessages(open: OpenStore): void {
  describe("messages", () => {
    const { store, writer } = storeForEach(open);

    const add = async (messages: readonly NewMessage[]): Promise<number> =>
      (await writer()).transaction(async (tx) => {
        const { id } = await tx.session(KEY);
        const file = await tx.saveFile({ ...FILE, path: "/history/s1.jsonl" }, id);
        await tx.addMessages(id, file, messages);
        return id;
      });
    const texts = async (id: number, slice = PAGE): Promise<string[]> =>
      (await (await store()).sessions.messages(id, {}, slice)).items.map((message) => message.text);

    it("come back with everything they had", async () => {
      const id = await add([FULL]);
      const { items, total } = await (await store()).sessions.messages(id, {}, PAGE);
      const { uid: _, ...rest } = FULL;
      expect(total).toBe(1);
      expect(items).toEqual([{ ...rest, uid: "bed42630c41fc901e8038e47", file: "/history/s1.jsonl" }]);
    });

    it("come back with nothing they had not", async () => {
      const { uid, seq, byte } = FULL;
      const id = await add([{ uid, seq, byte, role: "human", part: "text", text: "" }]);
      const { items } = await (await store()).sessions.messages(id, {}, PAGE);
      expect(items).toEqual([
        {
          uid: "bed42630c41fc901e8038e47",
          seq: 0,
          role: "human",
          part: "text",
          text: "",
          files: [],
          commands: [],
          file: "/history/s1.jsonl",
          byte: 8_000_000_000,
        },
      ]);
    });

    it.each([
      ["short", "x"],
      ["long", "The quick brown fox. ".repeat(5_000)],
      ["long, of other scripts", "配置文件 ёлка 😀 ".repeat(1_000)],
      ["long, without any pattern", Array.from({ length: 3_000 }, (_, at) => (at * 7_919).toString(36)).join("")],
      ["with a NUL and other controls", `a\u0000b\u0001\r\n${"\u0000".repeat(2_000)}`],
      ["with quotes and escapes", `'"\\n%_*${"''".repeat(1_000)}`],
      ["just below where compression may begin", "y".repeat(999)],
      ["just where it may begin", "y".repeat(1_000)],
    ])("keep a text that is %s", async (_, text) => {
      const id = await add([{ ...FULL, text, commands: [text] }]);
      const [message] = (await (await store()).sessions.messages(id, {}, PAGE)).items;
      expect(message?.text === text).toBe(true);
      expect(message?.commands).toHaveLength(1);
      expect(message?.commands[0] === text).toBe(true);
    });

    it("put a replacement in place of half a character", async () => {
      const long = "x".repeat(2_000);
      const id = await add([
        { ...FULL, text: "a\ud800b", commands: ["a\ud800b"], cwd: "/\udc00", tool: "t\ud83d" },
        { ...FULL, uid: messageUid("a", "2"), seq: 1, text: `${long}\ud800` },
      ]);
      const { items } = await (await store()).sessions.messages(id, {}, PAGE);
      expect(items[0]).toMatchObject({ text: "a\ufffdb", commands: ["a\ufffdb"], cwd: "/\ufffd", tool: "t\ufffd" });
      expect(items[1]?.text).toBe(`${long}\ufffd`);
    });

    it("are in the order of their numbers, in pages that neither repeat nor miss any", async () => {
      await seed(await store(), { id: "s1", messages: Array.from({ length: 25 }, (_, at) => human(`m${at}`)) });
      const { id } = await sessionOf(await store());
      const pages = await Promise.all([0, 10, 20, 30].map((offset) => texts(id, { offset, limit: 10 })));
      expect(pages.map((page) => page.length)).toEqual([10, 10, 5, 0]);
      expect(pages.flat()).toEqual(Array.from({ length: 25 }, (_, at) => `m${at}`));
    });

    it("can be asked for by role and part", async () => {
      const messages = [human("a"), thinking("b"), answer("c"), call("d"), result("e"), summary("f"), notice("g")];
      await seed(await store(), { id: "s1", messages });
      const { id } = await sessionOf(await store());
      const read = async (options: Parameters<Store["sessions"]["messages"]>[1]): Promise<string> => {
        const { items, total } = await (await store()).sessions.messages(id, options, PAGE);
        return `${total} ${items.map((message) => message.text).join("")}`;
      };
      expect(await read({ roles: ["human", "assistant"] })).toBe("3 abc");
      expect(await read({ parts: ["text"] })).toBe("3 acf");
      expect(await read({ roles: ["assistant"], parts: ["text"] })).toBe("1 c");
      expect(await read({ roles: [] })).toBe("0 ");
      expect(await read({})).toBe("7 abcdefg");
    });

    it("are none for a session that is not known", async () => {
      expect(await (await store()).sessions.messages(999, {}, PAGE)).toEqual({ items: [], total: 0 });
    });

    it("are found by their identity, wherever they are", async () => {
      const id = await add([FULL]);
      const found = await (await writer()).transaction((tx) =>
        tx.findMessages([messageUid("codex", "m1"), messageUid("claude-code", "m1")]),
      );
      expect(found).toEqual([undefined, { session: id, file: expect.any(Number) }]);
    });

    it("are stored once", async () => {
      await add([FULL]);
      await expect(add([{ ...FULL, seq: 1 }])).rejects.toThrow();
      const shared = [human("shared", { nativeId: "m9" }), answer("too", { nativeId: "m10" })];
      await seed(
        await store(),
        { id: "original", messages: shared },
        { id: "fork", messages: [...shared, human("own")] },
        { id: "twice", messages: [human("same", { nativeId: "m11" }), human("same", { nativeId: "m11" })] },
      );
      const { items } = await (await store()).sessions.list({}, { subagents: true }, PAGE);
      const counts = Object.fromEntries(items.map((session) => [session.nativeId, session.messages]));
      expect(counts).toEqual({ s1: 1, original: 2, fork: 1, twice: 1 });
    });

    it("go on being numbered after those that are there", async () => {
      await seed(await store(), { id: "s1", messages: [human("a")] });
      await seed(await store(), { id: "s1", messages: [human("b", { nativeId: "x" })] });
      const { id } = await sessionOf(await store());
      const { items } = await (await store()).sessions.messages(id, {}, PAGE);
      expect(items.map((message) => [message.seq, message.text])).toEqual([
        [0, "a"],
        [1, "b"],
      ]);
    });

    it("can be read from a number on, for deriving anew", async () => {
      await seed(await store(), { id: "s1", messages: [human("a"), answer("b"), answer("c"), answer("d")] });
      const read = await (await writer()).transaction(async (tx) => {
        const { id } = await tx.session(KEY);
        return tx.messagesFrom(id, 1, 2);
      });
      expect(read.map((message) => message.text)).toEqual(["b", "c"]);
    });

    it("are there within the transaction that wrote them", async () => {
      const open = await (await writer()).transaction(async (tx) => {
        const id = await writeSession(tx, { id: "s1", messages: [human("a"), answer("bc")] });
        return (await tx.cursor(id)).open;
      });
      expect(open).toMatchObject({
        firstSeq: 0,
        messages: 2,
        chars: 3,
        part: 1,
        type: "note",
        traits: expect.any(Number),
      });
    });
  });
}

const FILE = {
  agent: "claude-code",
  sourceVersion: 1,
  size: 1,
  mtimeMs: START,
  inode: 1,
  offset: 1,
  window: "",
  readerState: undefined,
  skipped: {},
  items: 1,
};

async function sessionOf(store: Store): Promise<{ readonly id: number }> {
  const [session] = await store.sessions.byPrefix("s1", 1);
  return { id: session?.id ?? 0 };
}
