import { describe, expect, it } from "vitest";
import { type ClaudeTranscript, claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { codexRollout, rolloutId, rolloutPath } from "../support/codex-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";

const SESSION = sessionId(1);

function harbour(): ClaudeTranscript {
  const transcript = claudeTranscript({ session: SESSION });
  transcript.prompt("first buoy");
  transcript.says("second lantern");
  transcript.prompt("third anchor");
  transcript.says("fourth rudder");
  return transcript;
}

async function textsOf(home: TestHome): Promise<string[]> {
  const yore = await home.open();
  const { messages } = await yore.session({ session: SESSION, everything: true });
  await yore.close();
  return messages.map((message) => message.text);
}

describe("a line that cannot be read", () => {
  it.each([
    ["NUL bytes", Buffer.alloc(4_096), "nul-bytes"],
    ["half a record", Buffer.from('{"type":"user","message":{"role":"us'), "not-json"],
    ["text that is no JSON", Buffer.from("Killed: 9"), "not-json"],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x22]), "not-json"],
    ["JSON that is no record", Buffer.from("[1,2,3]"), "malformed: record"],
    ["a bare null", Buffer.from("null"), "malformed: record"],
    ["a record of an unknown type", Buffer.from('{"type":"from-the-future","x":1}'), "unknown-type: from-the-future"],
  ])("%s is passed over and counted, and all that follows is read", async (_, damage, reason) => {
    const home = createHome();
    const { lines, at } = harbour();
    const path = home.write(home.claudePath(SESSION), lines.slice(0, 2));
    home.appendRaw(path, Buffer.concat([damage, Buffer.from("\n")]));
    home.append(path, lines.slice(2));

    const report = await home.index();
    expect(await textsOf(home)).toEqual(["first buoy", "second lantern", "third anchor", "fourth rudder"]);
    expect(report).toMatchObject({ messages: 4, skippedLines: 1, problems: [] });

    const yore = await home.open();
    const { session } = await yore.session({ session: SESSION });
    expect(session).toMatchObject({ skippedLines: 1, endedAt: at });
    const { agents, findings } = await yore.doctor();
    expect(agents.find(({ agent }) => agent === "claude-code")).toMatchObject({
      partly: 1,
      unparsed: 0,
      skippedByReason: [{ reason, lines: 1 }],
    });
    expect(findings).toContainEqual(
      expect.objectContaining({ level: "note", message: `Claude Code: 1 lines were passed over: 1 ${reason}.` }),
    );
  });

  it("is counted once, however often the file is read on", async () => {
    const home = createHome();
    const { lines } = harbour();
    const path = home.write(home.claudePath(SESSION), [...lines.slice(0, 1), "{damaged", ...lines.slice(1, 2)]);
    await home.index();
    home.append(path, lines.slice(2, 3));
    await home.index();
    home.append(path, ["{again", ...lines.slice(3)]);
    expect(await home.index()).toMatchObject({ messages: 4, skippedLines: 2 });
    expect(await home.index({ rebuild: true })).toMatchObject({ messages: 4, skippedLines: 2 });
  });

  it("does not hide that a session was read in part", async () => {
    const home = createHome();
    const { lines } = harbour();
    home.write(home.claudePath(SESSION), ["{damaged", ...lines]);
    home.write(home.claudePath(sessionId(2)), claudeTranscript({ session: sessionId(2) }).lines);
    const yore = await home.open();
    const { items } = await yore.sessions();
    expect(items.map(({ id, skippedLines }) => [id, skippedLines])).toEqual([[SESSION, 1]]);
  });

  it("of Codex leaves the other lines of its rollout", async () => {
    const home = createHome();
    const rollout = codexRollout({ session: rolloutId(1) });
    rollout.prompt("first buoy");
    const before = rollout.lines.length;
    rollout.says("second lantern");
    const path = home.write(home.codexPath(rolloutPath(rollout)), rollout.lines.slice(0, before));
    home.appendRaw(path, `\u0000\u0000\n{"torn\n`);
    home.append(path, rollout.lines.slice(before));
    expect(await home.index()).toMatchObject({ messages: 2, skippedLines: 2 });
  });
});

describe("a file of which nothing is understood", () => {
  it("is named as such, and keeps no other from being read", async () => {
    const home = createHome();
    home.write(home.claudePath(SESSION), harbour().lines);
    home.write(home.claudePath(sessionId(2)), ['{"type":"quantum-leap"}', '{"type":"quantum-leap"}']);
    const rollout = codexRollout({ session: rolloutId(1) });
    home.write(home.codexPath(rolloutPath(rollout)), ['{"timestamp":"2027-01-01T00:00:00Z","type":"v9","payload":{}}']);

    const yore = await home.open();
    const { agents, findings } = await yore.doctor();
    expect(agents.filter(({ files }) => files > 0)).toMatchObject([
      {
        agent: "claude-code",
        files: 2,
        parsed: 1,
        unparsed: 1,
        firstReason: "unknown-type: quantum-leap",
        sessions: 1,
      },
      { agent: "codex", files: 1, parsed: 0, unparsed: 1, firstReason: "unknown-type: v9", sessions: 0 },
    ]);
    const messages = findings.map((finding) => finding.message);
    expect(messages).toContain("Claude Code: nothing could be read in 1 of 2 files (unknown-type: quantum-leap).");
  });

  it("of many unknown types does not fill the store with their names", async () => {
    const home = createHome();
    const lines = Array.from({ length: 500 }, (_, index) => `{"type":"kind-${index}"}`);
    home.write(home.claudePath(SESSION), lines);
    const yore = await home.open();
    const claude = (await yore.doctor()).agents.find(({ agent }) => agent === "claude-code");
    expect(claude?.skippedLines).toBe(500);
    expect(claude?.skippedByReason.length).toBeLessThanOrEqual(50);
  });
});

describe("a huge line", () => {
  it("keeps its session: of its longest field the middle is cut", async () => {
    const home = createHome();
    const transcript = claudeTranscript({ session: SESSION });
    transcript.prompt("first buoy");
    transcript.calls("Bash", { command: "cat log" });
    transcript.returns(`opening words ${"x".repeat(12_000_000)} closing words`);
    transcript.says("second lantern");
    home.write(home.claudePath(SESSION), transcript.lines);

    expect(await home.index()).toMatchObject({ messages: 4, skippedLines: 0 });
    const [, , output = ""] = await textsOf(home);
    expect(output.startsWith("opening words xxx")).toBe(true);
    expect(output).toMatch(/\[…cut \d+ (?:characters|bytes)…\]/);
    expect(output.endsWith("xxx closing words")).toBe(true);
    expect(output.length).toBeLessThan(100_000);
  });

  it("with an image in it is read for its text", async () => {
    const home = createHome();
    const transcript = claudeTranscript({ session: SESSION });
    transcript.line({
      type: "user",
      message: {
        role: "user",
        content: [
          { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0K".repeat(1_000_000) } },
          { type: "text", text: "what is on this screenshot" },
        ],
      },
    });
    home.write(home.claudePath(SESSION), transcript.lines);
    await home.index();
    const [text = ""] = await textsOf(home);
    expect(text).toContain("what is on this screenshot");
    expect(text.length).toBeLessThan(1_000);
  });
});

describe("a last line without its newline", () => {
  it("that is still being written waits, and appears once when it is finished", async () => {
    const home = createHome();
    const { lines } = harbour();
    const path = home.write(home.claudePath(SESSION), lines.slice(0, 1));
    const [, second = ""] = lines;
    const pieces = [second.slice(0, 40), second.slice(40, 200), second.slice(200)];
    for (const piece of pieces.slice(0, 2)) {
      home.appendRaw(path, piece);
      expect(await home.index()).toMatchObject({ messages: 1, skippedLines: 0 });
    }
    home.appendRaw(path, `${pieces[2]}\n`);
    expect(await home.index()).toMatchObject({ messages: 2, newMessages: 1, skippedLines: 0 });
    home.append(path, lines.slice(2));
    expect(await home.index()).toMatchObject({ messages: 4, skippedLines: 0 });
    expect(await textsOf(home)).toEqual(["first buoy", "second lantern", "third anchor", "fourth rudder"]);
  });

  it("that is whole is found at once, and stored once when the newline comes", async () => {
    const home = createHome();
    const { lines } = harbour();
    const path = home.write(home.claudePath(SESSION), lines.slice(0, 1));
    home.appendRaw(path, lines[1] ?? "");
    expect(await home.index()).toMatchObject({ messages: 2, newMessages: 1 + 1, skippedLines: 0 });
    expect(await home.index()).toMatchObject({ messages: 2, newMessages: 0 });
    home.appendRaw(path, "\n");
    expect(await home.index()).toMatchObject({ messages: 2, newMessages: 0, skippedLines: 0 });
    home.append(path, lines.slice(2));
    expect(await home.index()).toMatchObject({ messages: 4, newMessages: 2 });
    expect(await textsOf(home)).toEqual(["first buoy", "second lantern", "third anchor", "fourth rudder"]);
  });

  it("that was whole and is replaced leaves nothing behind", async () => {
    const home = createHome();
    const { lines } = harbour();
    const path = home.write(home.claudePath(SESSION), lines.slice(0, 1));
    const [first = "", second = ""] = lines;
    home.appendRaw(path, second);
    await home.index();
    home.truncate(path, first.length + 1);
    home.append(path, lines.slice(2));
    await home.index();
    expect(await textsOf(home)).toEqual(["first buoy", "third anchor", "fourth rudder"]);
  });

  it("that was whole and is taken back leaves nothing behind", async () => {
    const home = createHome();
    const { lines } = harbour();
    const path = home.write(home.claudePath(SESSION), lines.slice(0, 1));
    const [first = "", second = ""] = lines;
    home.appendRaw(path, second);
    await home.index();
    home.truncate(path, first.length + 1);
    await home.index();
    expect(await textsOf(home)).toEqual(["first buoy"]);
  });

  it("ends in the middle of a character", async () => {
    const home = createHome();
    const transcript = claudeTranscript({ session: SESSION });
    transcript.prompt("first buoy");
    transcript.prompt("das Boot läuft 帆船 aus");
    const [first = "", second = ""] = transcript.lines;
    const bytes = Buffer.from(`${first}\n${second}\n`);
    const path = home.write(home.claudePath(SESSION), []);
    const cut = bytes.indexOf(Buffer.from("帆")) + 1;
    home.appendRaw(path, bytes.subarray(0, cut));
    await home.index();
    home.appendRaw(path, bytes.subarray(cut));
    await home.index();
    expect(await textsOf(home)).toEqual(["first buoy", "das Boot läuft 帆船 aus"]);
  });
});

describe("odd files", () => {
  it.each([
    ["empty", ""],
    ["of blank lines", "\n\n  \n\r\n"],
    ["of one newline", "\n"],
    ["of NUL bytes alone", "\u0000".repeat(64)],
  ])("an %s one is no session and no problem", async (_, content) => {
    const home = createHome();
    home.appendRaw(home.write(home.claudePath(SESSION), []), content);
    expect(await home.index()).toMatchObject({ files: 1, sessions: 0, messages: 0, problems: [] });
    home.append(home.claudePath(SESSION), harbour().lines);
    expect(await home.index()).toMatchObject({ files: 1, sessions: 1, messages: 4, problems: [] });
  });

  it("lines that end as on Windows are read", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(SESSION), []);
    home.appendRaw(path, `\ufeff${harbour().lines.join("\r\n")}\r\n`);
    expect(await home.index()).toMatchObject({ messages: 4, skippedLines: 0 });
  });

  it.each([
    ["NUL", "before \u0000 after"],
    ["halves of surrogate pairs", "before \ud800 after \udc00"],
    ["characters outside the first plane", "before 🜨𝒳 after"],
    ["control and bidi characters", "before \u001b[31m\u202e after"],
    ["a very long word", `before ${"x".repeat(150_000)} after`],
  ])("%s in a text is no end of it", async (_, text) => {
    const home = createHome();
    const transcript = claudeTranscript({ session: SESSION });
    transcript.prompt(text);
    transcript.says("fourth rudder");
    home.write(home.claudePath(SESSION), transcript.lines);
    expect(await home.index()).toMatchObject({ messages: 2, skippedLines: 0, problems: [] });
    const yore = await home.open();
    for (const query of ["before", "after", "rudder"]) {
      expect((await yore.search({ query })).hits, query).toHaveLength(1);
    }
    const [shown = "", ...others] = await textsOf(home);
    expect(shown).toBe(text.replace(/\p{Surrogate}/gu, "\ufffd"));
    expect(others).toEqual(["fourth rudder"]);
  });

  it("a byte offset leads back to the line a message came from", async () => {
    const home = createHome();
    const { lines } = harbour();
    const path = home.write(home.claudePath(SESSION), lines.slice(0, 2));
    await home.index();
    home.append(path, ["{damaged", ...lines.slice(2)]);
    await home.index();
    const yore = await home.open();
    const { messages } = await yore.session({ session: SESSION });
    const bytes = Buffer.from(
      [...lines.slice(0, 2), "{damaged", ...lines.slice(2)].map((line) => `${line}\n`).join(""),
    );
    for (const { text, byte = -1, file } of messages) {
      expect(file).toBe(path);
      const line = bytes.toString("utf8", byte, bytes.indexOf(10, byte));
      expect(line).toContain(text);
      expect(() => JSON.parse(line)).not.toThrow();
    }
    expect(messages).toHaveLength(4);
  });
});
