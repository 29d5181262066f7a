import { describe, expect, it } from "vitest";
import type { SearchReply, Yore } from "../../src/service/yore.ts";
import { type ClaudeTranscript, claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome } from "../support/home.ts";

/** A session for each text, or for what `write` does, as an agent wrote it and the program took it in. */
async function history(
  texts: Readonly<Record<string, string | ((talk: ClaudeTranscript) => void)>>,
): Promise<{ readonly yore: Yore; readonly found: (query: string) => Promise<string> }> {
  const home = createHome();
  const names = new Map<string, string>();
  Object.entries(texts).forEach(([name, text], at) => {
    const session = sessionId(at + 1);
    const talk = claudeTranscript({ session, startedAt: Date.parse("2026-06-01T10:00:00Z") });
    if (typeof text === "string") talk.prompt(text);
    else text(talk);
    names.set(session, name);
    home.write(home.claudePath(session), talk.lines);
  });
  const yore = await home.open();
  const found = async (query: string): Promise<string> => told(await yore.search({ query }), names);
  return { yore, found };
}

/** The tier and the sessions of the hits, best first. */
function told({ tier, hits }: SearchReply, names: ReadonlyMap<string, string>): string {
  return [`${tier}:`, ...hits.map((hit) => names.get(hit.session.id) ?? hit.session.id)].join(" ");
}

describe("whatever is typed is searched for", () => {
  it.each([
    ["a code", "it ends with error-401 now", "error-401"],
    ["what looks like a field", "answered status:500 twice", "status:500"],
    ["a path", "run scripts/deploy.sh first", "scripts/deploy.sh"],
    ["an address", "mail user@example.com about it", "user@example.com"],
    ["a percentage", "coverage is 61.2% today", "61.2%"],
    ["a name with a hyphen", "call ask-codex here", "ask-codex"],
    ["a quoted flag", "pass --error-on-warnings to it", '"--error-on-warnings"'],
    ["a ticket", "see POL-358 for why", "POL-358"],
    ["an apostrophe", "the name is a'b", "a'b"],
    ["an operator of the index", "it is NEAR the end", "NEAR"],
  ])("%s", async (_, text, query) => {
    const { found } = await history({ right: text, wrong: "something else of no interest" });
    expect(await found(query)).toBe("all: right");
  });
});

describe("code", () => {
  it.each([
    ["foo_bar", "call foo_bar here", "a foo and a bar"],
    ["foo.bar()", "call foo.bar() here", "a foo and a bar"],
    ["getUserProfile", "call getUserProfile here", "get a user, then a profile"],
    ["API_KEY", "set API_KEY here", "an api, and a key"],
    ["c++", "written in c++ here", "written in c here"],
    ["C#", "written in C# here", "written in C here"],
    ["--flag", "pass --flag here", "a flag is raised"],
    ["#123", "fixes #123 here", "took 123 seconds"],
    ["__init__", "define __init__ here", "an init of something"],
  ])("%s is found as it is written, first of all", async (query, exact, parts) => {
    const { found } = await history({ parts, exact });
    expect(await found(query)).toMatch(/^all: exact/);
  });

  it.each([
    ["user profile", "call getUserProfile here"],
    ["api key", "set API_KEY here"],
    ["foo bar", "call foo_bar here"],
  ])("%s finds a name of these parts", async (query, text) => {
    const { found } = await history({ right: text, wrong: "nothing of the kind" });
    expect(await found(query)).toBe("all: right");
  });
});

describe("Chinese, Japanese and Korean", () => {
  it.each([
    ["a part of a run", "重新配置文件系统", "配置文件"],
    ["two characters", "重新配置文件系统", "配置"],
    ["one character", "重新配置文件系统", "统"],
    ["a name glued to a run", "重跑gen-itgc后", "gen-itgc"],
    ["a run with a name in it", "重跑gen-itgc后", "重跑gen-itgc后"],
    ["kana", "設定ファイルを読む", "ファイル"],
    ["a Korean noun with its particle", "설정파일을 읽기", "설정파일"],
  ])("is found by %s", async (_, text, query) => {
    const { found } = await history({ right: text, wrong: "等待" });
    expect(await found(query)).toBe("all: right");
  });

  it("does not hide what some of the words find behind what one of them finds", async () => {
    const { found } = await history({ both: "cache 失效", one: "cache warm", other: "失效了" });
    expect(await found("cache 失效 absent")).toMatch(/^some: both /);
  });
});

describe("words", () => {
  it("are whole words first, and parts of longer ones only where nothing else is found, and said so", async () => {
    const { found } = await history({ paper: "the ReAct paper", reaction: "a reaction", ui: "React components" });
    expect((await found("react")).split(" ").toSorted()).toEqual(["all:", "paper", "ui"]);
    expect(await found("reactio")).toBe("prefix: reaction");
  });

  it("are no phrase: all of them in any order, then some, and which it was is said", async () => {
    const { found } = await history({ apart: "the login of the page", one: "a login", none: "something" });
    expect(await found("page login")).toBe("all: apart");
    expect(await found('"page login"')).toBe("none:");
    expect(await found("page login absent")).toBe("some: apart one");
    expect(await found("absent")).toBe("none:");
  });
});

describe("what tools were told and printed", () => {
  it("is found decoded, and by itself", async () => {
    const { found } = await history({
      call: (talk) => {
        talk.prompt("look");
        talk.calls("Bash", { command: 'grep -n "needle one"\nsed -i s/x/y/' });
        talk.returns("nothing");
      },
      output: (talk) => {
        talk.prompt("look");
        talk.calls("Bash", { command: "make" });
        talk.returns('found:\n\t"needle two" at C:\\tmp\\log');
      },
      said: "a needle one finds",
    });
    expect(await found('"one sed" role:tool')).toBe("all: call");
    expect(await found('"found needle two"')).toBe("all: output");
    expect(await found("C:\\tmp\\log")).toBe("all: output");
    expect(await found("needle one role:human")).toBe("all: said");
  });
});

describe("what is not found by itself", () => {
  it("is what Yore's own tools were asked and returned, and the session that asks", async () => {
    const { yore, found } = await history({
      asks: (talk) => {
        talk.prompt("what was it about");
        talk.calls("mcp__yore__search", { query: "zeppelin hangar" });
        talk.returns("zeppelin hangar, as it was");
        talk.says("It was the airship's shed.");
      },
      first: "build the zeppelin hangar",
      now: "and the zeppelin hangar again",
    });
    expect((await found("zeppelin hangar")).split(" ").toSorted()).toEqual(["all:", "first", "now"]);
    const { hits } = await yore.search({ query: "zeppelin hangar", excludeSessions: [sessionId(3)] });
    expect(hits.map((hit) => hit.session.id)).toEqual([sessionId(2)]);
  });
});

describe("nothing is hidden by its size", () => {
  it("a session of a single message is found and listed", async () => {
    const { yore, found } = await history({ single: "only this question" });
    expect(await found("question")).toBe("all: single");
    expect((await yore.sessions()).items.map(({ id }) => id)).toEqual([sessionId(1)]);
  });
});
