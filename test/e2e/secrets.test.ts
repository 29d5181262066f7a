import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { redact } from "../../src/core/redact.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { keptIn } from "../support/kept.ts";
import { openAgent } from "../support/mcp-agent.ts";
import { runYore } from "../support/program.ts";
import { type Planted, plantedSecrets } from "../support/secret-corpus/corpus.ts";
import { isReadable } from "../support/secret-corpus/readable.ts";

const SESSION = sessionId(1);

/** Commands in which a text with a secret is given. Each is told with the words and variables that it takes. */
const COMMANDS: Readonly<Record<string, (text: string) => readonly [readonly string[], Record<string, string>?]>> = {
  "a note": (text) => [["note", SESSION, text]],
  "more of a note": (text) => [["note", SESSION, text, "--append"]],
  "an alias": (text) => [["alias", SESSION, text]],
  "a tag": (text) => [["tag", text, SESSION]],
  "a tag of none": (text) => [["untag", text, SESSION]],
  "a collection": (text) => [["collect", SESSION, text]],
  "who wrote it": (text) => [["tag", "kept", SESSION], { YORE_BY: text }],
  "a memory": (text) => [["remember", text]],
  "the title of a memory": (text) => [
    ["remember", "Tides are in UTC.", "--title", text, "--tag", text, "--file", text],
  ],
  "the name of a project": (text) => [["projects", "rename", "tide", text]],
  "a search": (text) => [["search", text]],
  "a session that is not there": (text) => [["show", text]],
};

/** The same of tools. */
const TOOLS: readonly (readonly [string, (text: string) => object])[] = [
  ["add_note", (text) => ({ session: SESSION, text })],
  ["set_alias", (alias) => ({ session: SESSION, alias: alias.slice(0, 200) })],
  ["add_tag", (tag) => ({ session: SESSION, tag })],
  ["apply_tags", (tag) => ({ sessions: [SESSION, tag], tags: [tag] })],
  ["add_to_collection", (collection) => ({ session: SESSION, collection })],
  ["remember", (text) => ({ text, title: text, files: [text] })],
  ["search", (query) => ({ query, project: query })],
  ["get_session", (session) => ({ session })],
  ["nothing of ours", (text) => ({ [text]: text })],
];

describe("no secret that is recognised is in any file of Yore's", () => {
  it("after it stood in transcripts, and was told in every way that Yore can be told", async () => {
    const home = createHome();
    const recognised = plantedSecrets(4).filter(isRecognised);
    expect(recognised.length).toBeGreaterThan(300);
    const tokens = recognised.filter(({ secret }) => isRecognised({ before: "", secret, after: "" }));
    expect(tokens.length).toBeGreaterThan(100);
    write(home, recognised);
    expect((await runYore(home, ["index"])).code).toBe(0);

    for (const [at, command] of Object.values(COMMANDS).entries()) {
      // In what a note or a memory says a secret may stand among words; a name is told by itself.
      for (const one of [recognised[at * 7], tokens[at * 5]]) {
        const [argv, env = {}] = command(one === undefined ? "" : textOf(one));
        await runYore(home, argv, { env });
      }
    }
    const agent = await openAgent(home, { env: { YORE_WRITES_PER_MINUTE: "0" } });
    const calls = TOOLS.flatMap(([tool, given], at) => [
      ...everyNth(recognised, TOOLS.length, at).map((one) => agent.ask(tool, given(textOf(one)))),
      ...everyNth(tokens, TOOLS.length, at).map(({ secret }) => agent.ask(tool, given(secret))),
    ]);
    await Promise.all(calls);
    agent.mcp.child.stdin.end();
    await agent.mcp.exit();
    expect((await runYore(home, ["index", "--rebuild"])).code).toBe(0);
    for (const argv of outgoing(home)) expect((await runYore(home, argv)).code, argv.join(" ")).toBe(0);
    const other = createHome();
    expect((await runYore(other, ["restore", "--from", join(home.yoreHome, "backup.db")])).code).toBe(0);

    const places = keptIn(home);
    expect(places.archived).toContain("[redacted:");
    expect(places.stored).toContain("[redacted:");
    expect(places.files).toContain("add_note");
    expect(places.files).toContain('"type":"message"');
    expect(leaks(recognised, places)).toEqual([]);
    expect(leaks(recognised, keptIn(other))).toEqual([]);
  }, 240_000);
});

/** Everything that goes out, into files that are looked at with the others. */
function outgoing({ yoreHome }: TestHome): readonly (readonly string[])[] {
  const at = (name: string) => join(yoreHome, name);
  return [
    ["backup", at("backup.db")],
    ["export", "-o", at("all.jsonl")],
    ["export", "--format", "markdown", "-o", at("pages")],
    ["share", SESSION, "--everything", "-o", at("page.html")],
  ];
}

/** So that each way is told others. */
function everyNth<T>(list: readonly T[], n: number, from: number): readonly T[] {
  return list.filter((_, at) => at % n === from);
}

function textOf({ before, secret, after }: Pick<Planted, "before" | "secret" | "after">): string {
  return before + secret + after;
}

function isRecognised(planted: Pick<Planted, "before" | "secret" | "after">): boolean {
  const { before, secret, after } = planted;
  return !isReadable(secret, redact(textOf(planted)).text, before, after);
}

/** A session whose messages and calls of tools hold them all. */
function write(home: TestHome, planted: readonly Planted[]): void {
  const talk = claudeTranscript({ session: SESSION });
  planted.forEach((one, at) => {
    const text = textOf(one);
    if (at % 3 === 0) talk.prompt(`Look at this: ${text}`);
    else if (at % 3 === 1) talk.says(text);
    else {
      talk.calls("Bash", { command: text });
      talk.returns(text);
    }
  });
  home.write(home.claudePath(SESSION), talk.lines);
}

/** Kinds of secrets of which a stretch stands somewhere, and where. */
function leaks(planted: readonly Planted[], places: Readonly<Record<string, string>>): readonly string[] {
  const lower = Object.entries(places).map(([place, text]) => [place, text.toLowerCase()] as const);
  return planted.flatMap(({ kind, before, secret, after }) => {
    const around = `${before}\0${after}`.toLowerCase();
    const stretches = stretchesOf(secret.toLowerCase()).filter((stretch) => !around.includes(stretch));
    return lower.flatMap(([place, text]) =>
      stretches.filter((stretch) => text.includes(stretch)).map((stretch) => `${kind}: ${stretch} in ${place}`),
    );
  });
}

const STRETCH = 12;

function stretchesOf(secret: string): readonly string[] {
  if (secret.length < STRETCH) return [secret];
  const count = Math.floor(secret.length / STRETCH);
  return Array.from({ length: count }, (_, at) => secret.slice(at * STRETCH, (at + 1) * STRETCH));
}
