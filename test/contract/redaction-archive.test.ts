import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENT_CASES, type AgentCase, nameOf, recordsOf, saveRecords } from "../support/agent-cases.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { codexRollout, rolloutId, rolloutPath } from "../support/codex-lines.ts";
import { createHome } from "../support/home.ts";
import { keptIn } from "../support/kept.ts";

const SESSION = sessionId(1);

describe("no part of a secret is in any file of Yore's", () => {
  it.each(AGENT_CASES.map((agentCase) => [nameOf(agentCase), agentCase] as const))("of %s", async (_, agentCase) => {
    const home = createHome({ workFolders: agentCase.workFolder === undefined ? [] : [agentCase.workFolder] });
    const planted = new Planted();
    const words = [...Object.values(textsWith(planted)), "barnacle"];
    const records = withField(agentCase, recordsOf(agentCase, words), planted);
    saveRecords(agentCase, join(home.home, agentCase.path), records);
    await home.index();
    const kept = keptIn(home);
    expect(kept.archived).toContain("[redacted:private-key");
    expect(kept.stored).toContain("barnacle");
    expect(planted.leaks(kept)).toEqual([]);
  });

  it.each(Object.keys(shapesWith(new Planted())))(
    "planted in what a tool of Claude Code was given and gave, as %s",
    async (shape) => {
      const home = createHome();
      const planted = new Planted();
      const field = (): unknown => shapesWith(planted)[shape];
      const talk = claudeTranscript({ session: SESSION });
      talk.prompt("barnacle");
      talk.calls("mcp__tide__apply", { given: field(), text: JSON.stringify({ deep: field() }) });
      talk.returns(JSON.stringify(field(), null, 2), {
        detail: { gave: field(), content: [{ type: "text", text: field() }] },
      });
      home.write(home.claudePath(SESSION), talk.lines);
      const subagent = home.claudePath(SESSION).replace(".jsonl", "/subagents/agent-a1.jsonl");
      const search = claudeTranscript({ session: SESSION, agentId: "a1" });
      search.prompt("look for barnacles");
      home.write(subagent, search.lines);
      home.writeRaw(subagent.replace(".jsonl", ".meta.json"), JSON.stringify({ description: "Find", beside: field() }));
      await home.index();
      const kept = keptIn(home);
      expect(kept.archived).toMatch(/\[redacted:/);
      expect(planted.leaks(kept)).toEqual([]);
    },
  );

  it.each(Object.keys(shapesWith(new Planted())))("planted in a call and a result of Codex, as %s", async (shape) => {
    const home = createHome();
    const planted = new Planted();
    const field = (): unknown => shapesWith(planted)[shape];
    const talk = codexRollout({ session: rolloutId(1) });
    talk.prompt("barnacle");
    const call_id = "call_1";
    talk.line("response_item", { type: "function_call", name: "apply", arguments: JSON.stringify(field()), call_id });
    talk.line("response_item", {
      type: "function_call_output",
      call_id,
      output: JSON.stringify({ output: JSON.stringify(field()) }),
    });
    talk.line("event_msg", { type: "exec_command_end", call_id, parsed: field() });
    home.write(home.codexPath(rolloutPath(talk)), talk.lines);
    await home.index();
    const kept = keptIn(home);
    expect(kept.archived).toMatch(/\[redacted:/);
    expect(planted.leaks(kept)).toEqual([]);
  });

  it("planted in a patch, which stays a patch of as many lines", async () => {
    const home = createHome();
    const planted = new Planted();
    const lines = [" before", ...planted.pem().map((line) => `+${line}`), " after"];
    const talk = claudeTranscript({ session: SESSION });
    talk.prompt("barnacle");
    talk.calls("Write", { file_path: "/home/ana/code/tide/a.pem", content: "" });
    talk.returns("done", {
      detail: { structuredPatch: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 9, lines }] },
    });
    home.write(home.claudePath(SESSION), talk.lines);
    await home.index();
    const kept = keptIn(home);
    expect(planted.leaks(kept)).toEqual([]);
    expect(kept.archived).toContain(
      JSON.stringify([" before", "+[redacted:private-key]", ...Array(8).fill("+"), " after"]),
    );
  });

  it("planted in the name of a file that was read, but for where it is told where the file is", async () => {
    const home = createHome();
    const planted = new Planted();
    home.write(home.claudePath(planted.token()), claudeTalk());
    await home.index();
    const { archived, folders } = keptIn(home);
    expect(planted.leaks({ archived, folders })).toEqual([]);
  });
});

/** Secrets of one home. Each is another, so that none is found for its likeness to one that was seen. */
class Planted {
  readonly #parts: string[] = [];
  #state = 11;

  #drawn(length: number): string {
    let text = "";
    while (text.length < length) {
      this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) >>> 0;
      text += LETTERS.charAt((this.#state >>> 8) % LETTERS.length);
    }
    return text;
  }

  #keep(text: string): string {
    this.#parts.push(text);
    return text;
  }

  token(): string {
    return `ghp_${this.#keep(this.#drawn(36))}`;
  }

  password(): string {
    return this.#keep(`Zx9-${this.#drawn(14)}`);
  }

  /** Lines of a key, nine in all. */
  pem(): readonly string[] {
    const data = Array.from({ length: 6 }, () => this.#keep(this.#drawn(64)));
    const kind = `${"PRIVATE"} KEY-----`;
    return [`-----BEGIN ${kind}`, ...data, `${this.#keep(this.#drawn(30))}==`, `-----END ${kind}`];
  }

  /** Stretches of secrets that stand in what was kept, by where. */
  leaks(kept: Readonly<Record<string, string>>): readonly string[] {
    return Object.entries(kept).flatMap(([place, text]) => {
      const lower = text.toLowerCase();
      return this.#parts
        .flatMap((part) => (part.length < STRETCH ? [part] : stretchesOf(part)))
        .filter((stretch) => text.includes(stretch) || lower.includes(stretch.toLowerCase()))
        .map((stretch) => `${stretch} in ${place}`);
    });
  }
}

const LETTERS = "q7Rk2VtY9mXc4LpZ8wNd3HsB6jGf5TzQ1yKe0MvUaWxEiDoPrCuSbJhFnAgIlO";
const STRETCH = 12;

function stretchesOf(part: string): readonly string[] {
  return Array.from({ length: Math.floor(part.length / STRETCH) }, (_, at) =>
    part.slice(at * STRETCH, (at + 1) * STRETCH),
  );
}

/** Texts with secrets in them, as a person may paste them. */
function textsWith(planted: Planted): Readonly<Record<string, string>> {
  const half = (planted: Planted, from: number, to?: number) => planted.pem().slice(from, to).join("\n");
  return {
    "a token": `use ${planted.token()}`,
    "a key": planted.pem().join("\n"),
    "the end of a key": `${half(planted, 3)}\nafter`,
    "the end of a key behind a cut": `[… 20 lines …]\n${half(planted, 2).slice(50)}`,
    "a key without its last lines": `before\n${half(planted, 0, 5)}`,
    "a key that is cut in a line": `${half(planted, 0, 6).slice(0, -50)}…`,
    "a key whose first line is cut": half(planted, 0).slice(12),
    "a key whose middle is cut": `${half(planted, 0, 4)}\n... [12 lines truncated] ...\n${half(planted, 5)}`,
    "a key in JSON in JSON": JSON.stringify(JSON.stringify({ lines: planted.pem() })),
    "the end of a key in JSON in JSON": JSON.stringify(JSON.stringify({ lines: planted.pem().slice(2) })),
    "numbered lines": planted
      .pem()
      .map((line, at) => `${String(at + 1).padStart(6)}→${line}`)
      .join("\n"),
    "the end of numbered lines": planted
      .pem()
      .slice(2)
      .map((line, at) => `${at + 3}\t${line}`)
      .join("\n"),
    "a patch": planted
      .pem()
      .map((line) => `+${line}`)
      .join("\n"),
    "the end of a patch": planted
      .pem()
      .slice(2)
      .map((line) => `-${line}`)
      .join("\n"),
    "a quoted key": planted
      .pem()
      .map((line) => `> ${line}`)
      .join("\n"),
  };
}

/** Values of JSON with secrets in them. */
function shapesWith(planted: Planted): Readonly<Record<string, unknown>> {
  return {
    ...textsWith(planted),
    lines: planted.pem(),
    "lines of a patch": [" before", ...planted.pem().map((line) => `+${line}`)],
    "lines of which the first are missing": planted.pem().slice(4),
    "lines of which the last are missing": planted.pem().slice(0, 4),
    "pieces of several lines": inPieces(planted.pem()),
    "numbered lines in a list": planted.pem().map((line, at) => `${at + 1}\t${line}`),
    "lines in objects": planted.pem().map((text, at) => ({ number: at + 1, text })),
    "lines in lists": planted.pem().map((text, at) => [at + 1, text]),
    "lines with a number between them": planted.pem().flatMap((text, at) => [at, text]),
    "a name on one line and its value on the next": ["- name: DB_PASSWORD", `  value: ${planted.password()}`],
    "the same in a patch": ["+- name: DB_PASSWORD", `+  value: ${planted.password()}`],
    "a name beside its value": [{ name: "AWS_SECRET_ACCESS_KEY", value: `${planted.token().slice(4)}Ab1+` }],
    "the words of a command": { argv: ["mysql", "--password", planted.password()] },
    "the words of another command": { command: ["curl", "-u", `ana:${planted.password()}`, "https://tide.dev"] },
    "the name of a field": { [planted.token()]: "prod" },
    "a text as the name of a field": { answers: { [`Use token ${planted.token()}?`]: "yes" } },
    "an assignment as the name of a field": { [`DB_PASSWORD=${planted.password()}`]: true },
    "two names of fields": { [planted.token()]: 1, [planted.token()]: planted.token() },
  };
}

function inPieces(lines: readonly string[]): readonly string[] {
  return [0, 3, 6].map((from) => lines.slice(from, from + 3).join("\n"));
}

/** Where the format is JSON, what is planted stands also in a field of the last record that no reader knows. */
function withField({ isProse, unit }: AgentCase, records: readonly object[], planted: Planted): readonly object[] {
  if (isProse === true || unit === "container") return records;
  return records.map((one, at) => (at < records.length - 1 ? one : { ...one, planted: shapesWith(planted) }));
}

function claudeTalk(): readonly string[] {
  const talk = claudeTranscript({ session: SESSION });
  talk.prompt("barnacle");
  return talk.lines;
}
