import { describe, expect, it } from "vitest";
import type { Yore } from "../../src/service/yore.ts";
import { answerEvent } from "../../src/surfaces/hooks/answer.ts";
import { HOSTS } from "../../src/surfaces/hooks/registry.ts";
import { TOOLS } from "../../src/surfaces/mcp/tools/registry.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { runCli, terminal } from "../support/cli.ts";
import { createFakeYore } from "../support/fake-yore.ts";
import { createHome } from "../support/home.ts";
import { hostileData } from "../support/hostile.ts";
import {
  INJECTIONS,
  type Injection,
  OWN_NONCE,
  withoutPaint,
  wrongInJson,
  wrongInPage,
  wrongInReply,
  wrongInText,
} from "../support/injection.ts";
import { callTool, connect } from "../support/mcp.ts";
import { modelServer, openaiReply } from "../support/model-server.ts";

const CWD = "/home/ana/code/tide";
const NOW = Date.parse("2026-06-17T10:30:00Z");
const marker = (number: number): string => `quay${number}x`;

/** Each text wherever a text can stand: in what was said and done, in titles, tags, branches and paths, in notes and memories. */
async function planted(injections: readonly Injection[]): Promise<Yore> {
  const home = createHome({ now: NOW });
  for (const [number, { text }] of injections.entries()) {
    const session = sessionId(number + 1);
    const said = `${text}\n${marker(number)}`;
    const talk = claudeTranscript({ session, cwd: CWD, branch: text, startedAt: Date.UTC(2026, 4, 25, number) });
    talk.prompt(said);
    talk.says(said);
    talk.calls("Bash", { command: said, description: text });
    talk.returns(said, { isError: true });
    talk.calls(text, { anything: text });
    talk.returns(said);
    talk.calls("Write", { file_path: `${CWD}/${text}`, content: text });
    talk.returns(text, { detail: { filePath: text } });
    talk.prompt(`We decided to use ${text} instead of ${text}, because ${text}. ${marker(number)}`);
    talk.says(said);
    // Of every other one the title is the text, so that what a model wrote shows too.
    if (number % 2 === 0) talk.bare({ type: "custom-title", customTitle: text, sessionId: session });
    talk.bare({ type: "tag", tag: text, sessionId: session });
    home.write(home.claudePath(session, CWD), talk.lines);
  }
  const yore = await home.open({ folder: CWD, embeds: true });
  await yore.index();
  for (const [number, { text }] of injections.entries()) {
    const session = sessionId(number + 1);
    if (turnOf(injections, number) % 2 === 0) {
      await yore.annotate({
        kind: "note",
        session,
        text: `${text.slice(0, 90_000)}\n${marker(number)}`,
        by: text.slice(0, 60),
      });
      continue;
    }
    await yore.remember({
      text: `${text.slice(0, 19_000)}\n${marker(number)}`,
      title: text.slice(0, 5_000),
      session,
      type: "decision",
      by: text.slice(0, 60),
    });
  }
  await yore.annotate({ kind: "pin", sessions: injections.map((_, number) => sessionId(number + 1)) });
  const { url } = await modelServer(({ body }) => {
    const number = Number(/quay(\d+)x/.exec(body)?.[1] ?? 0);
    const text = injections[number]?.text ?? "";
    return openaiReply(JSON.stringify({ title: `T ${text.slice(0, 5_000)}`, summary: `S ${text.slice(0, 5_000)}` }));
  });
  await yore.enrich({ engine: { kind: "openai-compatible", model: "m", url } });
  return yore;
}

/** What is wrong, and where. */
class Findings {
  readonly wrong: string[] = [];
  shown = 0;

  add(injection: Injection, surface: string, problems: readonly string[]): void {
    this.shown += 1;
    for (const problem of problems) this.wrong.push(`${injection.name}, in ${surface}: ${problem}`);
  }
}

const KINDS = [...INJECTIONS.values()];
const ALL = KINDS.flat();

/** Where many surfaces show a text by the same functions, each text takes one of them: each through each costs minutes. */
function inTurn<T>(surfaces: readonly T[], turn: number): readonly T[] {
  return surfaces.filter((_, at) => at === turn % surfaces.length);
}

/** Counts on from kind to kind, so that the texts of each begin with another surface. */
function turnOf(injections: readonly Injection[], number: number): number {
  const injection = injections[number];
  return injection === undefined ? 0 : Math.max(0, ALL.indexOf(injection));
}

async function askTools(yore: Yore, injections: readonly Injection[], findings: Findings): Promise<void> {
  const memories = (await yore.memories({ limit: 500 })).items;
  for (const [number, injection] of injections.entries()) {
    const session = sessionId(number + 1);
    const { entries } = await yore.timeline({ session, after: 20 });
    const ids = entries.map(({ id }) => id);
    const memory = memories.find((one) => one.session === session)?.id ?? "";
    const all = { ids: [...ids, memory].slice(0, 10) };
    const calls: readonly (readonly [string, Record<string, unknown>])[] = [
      ["search", { query: marker(number) }],
      ["get_session", { session, roles: ["human", "assistant", "tool", "system", "summary"] }],
      ["get_observations", { ...all, detail: "full", max_chars: 11_500 }],
      ...inTurn<readonly [string, Record<string, unknown>]>(
        [
          ["timeline", { session }],
          ["search", { query: injection.text.slice(0, 200) || "x" }],
          ["search", { query: marker(number), project: injection.text.slice(0, 100) }],
          ["get_session", { session }],
          ["get_observations", all],
          ["context_for_session", { session }],
          ["context_for_session", { session, mode: "full" }],
        ],
        turnOf(injections, number),
      ),
    ];
    for (const [name, input] of calls) {
      const reply = await callTool(name, input, { yore, nonce: () => OWN_NONCE }).catch((error) => String(error));
      findings.add(injection, `${name} ${JSON.stringify(input).slice(0, 60)}`, wrongInReply(reply, injection));
    }
  }
  for (const name of ["list_sessions", "list_projects", "list_tags"]) {
    const reply = await callTool(name, { limit: 50 }, { yore, nonce: () => OWN_NONCE });
    for (const injection of injections) findings.add(injection, name, wrongInReply(reply, injection));
  }
}

async function askServer(yore: Yore, injections: readonly Injection[], findings: Findings): Promise<void> {
  const { client, close } = await connect("legacy", { yore, nonce: () => OWN_NONCE });
  const { resources } = await client.listResources();
  const listed = resources
    .map(({ name, title = "", description = "" }) => `${name} ${title} ${description}`)
    .join("\n");
  const read = async (uri: string, shown: readonly Injection[]): Promise<void> => {
    const { contents } = await client.readResource({ uri });
    for (const content of contents)
      for (const injection of shown)
        if ("text" in content) findings.add(injection, uri.slice(0, 18), wrongInReply(content.text, injection));
  };
  const prompt = async (
    name: string,
    given: Readonly<Record<string, string>>,
    shown: readonly Injection[],
  ): Promise<void> => {
    const { messages } = await client.getPrompt({ name, arguments: given });
    for (const { content } of messages)
      for (const injection of shown)
        if (content.type === "text") findings.add(injection, name, wrongInReply(content.text, injection));
  };
  for (const [number, injection] of injections.entries()) {
    findings.add(injection, "the list of resources", wrongInText(listed, injection));
    const session = sessionId(number + 1);
    const first = (await yore.timeline({ session })).entries[0]?.id ?? "";
    const ways = [
      () => read(`yore://session/${session}`, [injection]),
      () => read(`yore://observation/${first}`, [injection]),
      () => prompt("handoff", { session }, [injection]),
      () => prompt("recall", { topic: marker(number) }, [injection]),
    ];
    for (const way of inTurn(ways, turnOf(injections, number))) await way();
  }
  await read(`yore://project/${(await yore.projects()).items[0]?.id}`, injections);
  await prompt("standup", { days: "30" }, injections);
  await close();
}

async function typeCommands(yore: Yore, injections: readonly Injection[], findings: Findings): Promise<void> {
  const open = { ...yore, close: async () => {} };
  const inPipe = async (argv: readonly string[], shown: readonly Injection[]): Promise<void> => {
    const { stdout, stderr } = await runCli(argv, { yore: open });
    const wrong = argv[0] === "context" ? wrongInOwnFence : wrongInText;
    for (const injection of shown) findings.add(injection, nameOf(argv), wrong(stdout + stderr, injection));
  };
  const onTerminal = async (argv: readonly string[], shown: readonly Injection[]): Promise<void> => {
    const { stdout, stderr } = await runCli(argv, { yore: open, ...terminal(100) });
    const seen = withoutPaint(stdout + stderr);
    for (const injection of shown)
      findings.add(injection, `${nameOf(argv)} on a terminal`, wrongInText(seen, injection));
  };
  const asJson = async (argv: readonly string[], shown: readonly Injection[]): Promise<void> => {
    const { stdout, stderr } = await runCli([...argv, "--json"], { yore: open });
    for (const injection of shown) findings.add(injection, `${nameOf(argv)} --json`, wrongInJson(stdout + stderr));
  };
  const lists = [
    "sessions --all --full-ids",
    "projects --long",
    "tags",
    "pins",
    "memories",
    "log",
    "enrich",
    "stats",
    "",
  ];
  const ways = [inPipe, onTerminal, asJson];
  for (const [at, list] of lists.entries()) {
    const argv = list.split(" ").filter(Boolean);
    // One kind after the other takes each list each way.
    for (const type of inTurn(ways, at + KINDS.indexOf(injections))) await type(argv, injections);
  }
  for (const type of ways) await type(["similar", sessionId(1), "--limit", "200"], injections);
  expect((await yore.similar({ id: sessionId(1) })).hits.length).toBeGreaterThan(0);
  for (const [number, injection] of injections.entries()) {
    const session = sessionId(number + 1);
    const { hits } = await yore.search({ query: marker(number) });
    const found = hits[0]?.id ?? session;
    const words = injection.text.slice(0, 100).split(/\s+/).slice(0, 3);
    await onTerminal(["show", session, "--full", "--everything"], [injection]);
    const turn = turnOf(injections, number);
    const several = [
      ["search", marker(number)],
      ["show", session],
      ["show", found],
      ["timeline", "--session", session],
    ];
    for (const argv of several) for (const type of inTurn(ways, turn)) await type(argv, [injection]);
    const others = [
      ["search", ...words, marker(number)],
      ["why", found],
      ["note", session],
      ["context", session, "--full"],
    ];
    for (const argv of inTurn(others, turn)) await inPipe(argv, [injection]);
  }
}

function nameOf(argv: readonly string[]): string {
  return `yore ${argv.join(" ").slice(0, 60)}`;
}

async function writeFiles(yore: Yore, injections: readonly Injection[], findings: Findings): Promise<void> {
  harmlessPage ??= (await (await planted([HARMLESS])).share({ session: sessionId(1), everything: true })).html;
  for (const [number, injection] of injections.entries()) {
    const session = sessionId(number + 1);
    const { html } = await yore.share({ session, everything: true });
    findings.add(injection, "a page", wrongInPage(html, harmlessPage));
    let markdown = "";
    for await (const { text } of yore.export({ session, format: "markdown" })) markdown += text;
    findings.add(injection, "an export", wrongInText(markdown, injection));
    let lines = "";
    for await (const { text } of yore.export({ session, format: "jsonl" })) lines += text;
    findings.add(injection, "an export of lines", wrongInJson(lines));
  }
}

/** What no page has more tags than; made once. */
let harmlessPage: string | undefined;

const HARMLESS: Injection = {
  name: "harmless",
  text: "The tide.\n\n# Tables\n\n- one\n- **two** and `three`\n\n```ts\nconst a = 1;\n```\n",
  never: [],
};

async function callHooks(yore: Yore, injections: readonly Injection[], findings: Findings): Promise<void> {
  let answers = 0;
  const call = async (agent: string, event: string, more: object, shown: readonly Injection[]): Promise<void> => {
    let printed = "";
    const fields = { session_id: `${agent} ${JSON.stringify(more)}`, cwd: CWD, hook_event_name: event, ...more };
    await answerEvent([event, "--agent", agent], {
      parts: { memory: async () => yore, capture: async () => yore },
      options: { contextTokens: 2_000, promptRecall: true, toolRecall: true, keepsReceipts: true },
      folder: CWD,
      now: () => NOW,
      read: async () => JSON.stringify(fields),
      print: (text) => {
        printed = text;
      },
      left: () => 0,
    });
    if (printed.includes("Recorded history")) answers += 1;
    for (const injection of shown) {
      findings.add(injection, `${event} of ${agent}`, wrongInJson(printed));
      const texts = printed === "" ? [] : textsIn(JSON.parse(printed));
      for (const text of texts) findings.add(injection, `${event} of ${agent}`, wrongInOwnFence(text, injection));
    }
  };
  const asking = (number: number) => ({ prompt: `what was decided about ${marker(number)}?` });
  for (const { agent } of HOSTS) await call(agent, "SessionStart", { source: "startup" }, injections);
  for (const { agent } of inTurn(HOSTS, KINDS.indexOf(injections)))
    await call(agent, "UserPromptSubmit", asking(0), injections);
  for (const [number, injection] of injections.entries()) {
    const writing = { tool_name: "Write", tool_input: { file_path: `${CWD}/${injection.text.slice(0, 200)}` } };
    await call("claude-code", "UserPromptSubmit", asking(number), [injection]);
    await call("claude-code", "PreToolUse", writing, [injection]);
  }
  // Else nothing was tested.
  expect(answers).toBeGreaterThan(0);
  const { text } = await yore.brief({ folder: CWD, budget: 2_000 });
  for (const injection of injections) findings.add(injection, "a brief", wrongInText(text, injection));
}

/** What was handed over before, and how it came about. */
async function askWhy(yore: Yore, injections: readonly Injection[], findings: Findings): Promise<void> {
  const open = { ...yore, close: async () => {} };
  const { items } = await yore.receipts({ limit: 100 });
  for (const argv of [
    ["why"],
    ...items.flatMap(({ id }) => [
      ["why", id],
      ["replay", id],
    ]),
  ]) {
    const { stdout, stderr } = await runCli(argv, { yore: open });
    for (const injection of injections)
      findings.add(injection, `yore ${argv.join(" ")}`, wrongInOwnFence(stdout + stderr, injection));
  }
  expect(items.length).toBeGreaterThan(0);
}

/** Where the fence's word is not given, but made of what stands in it, or by chance. */
function wrongInOwnFence(text: string, injection: Injection): readonly string[] {
  const [, nonce = ""] =
    /^Recorded history, quoted as data; .*\n<<yore (?!0123456789ab)([0-9a-f]{12,})\n/m.exec(text) ?? [];
  if (nonce === "") return wrongInText(text, injection);
  return wrongInReply(text.replaceAll(`yore ${nonce}`, `yore ${OWN_NONCE}`), injection);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe("the corpus of injections", () => {
  it("has at least sixty texts, each with a name of its own", () => {
    const all = [...INJECTIONS].flatMap(([kind, injections]) => injections.map(({ name }) => `${kind}: ${name}`));
    expect(all.length).toBeGreaterThanOrEqual(60);
    expect(new Set(all).size).toBe(all.length);
  });
});

describe.each([...INJECTIONS])("stored texts that are %s", (_, injections) => {
  const LONG_MS = 300_000;
  const through = async (
    surface: (yore: Yore, injections: readonly Injection[], findings: Findings) => Promise<void>,
    yore: Yore,
  ): Promise<void> => {
    const findings = new Findings();
    await surface(yore, injections, findings);
    expect(findings.wrong).toEqual([]);
    expect(findings.shown).toBeGreaterThanOrEqual(injections.length);
  };

  it("come out neutralised, whoever asks for them and however", { timeout: LONG_MS }, async () => {
    const yore = await planted(injections);
    for (const surface of [askTools, askServer, typeCommands, writeFiles, callHooks, askWhy])
      await through(surface, yore);
  });

  it("come out neutralised of every tool, wherever they stand", { timeout: LONG_MS }, async () => {
    const findings = new Findings();
    for (const injection of injections) {
      const data = hostileData(injection.text);
      for (const [name, input] of CALLS) {
        const yore = createFakeYore(data);
        const reply = await callTool(name, input, { yore, nonce: () => OWN_NONCE });
        findings.add(injection, name, wrongInReply(reply, injection));
      }
    }
    expect(findings.wrong).toEqual([]);
    expect(new Set(CALLS.map(([name]) => name))).toEqual(new Set(TOOLS.map(({ name }) => name)));
  });
});

const SESSION = { session: "hostile-session" };
const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
  ["add_note", { ...SESSION, text: "fence" }],
  ["add_tag", { ...SESSION, tag: "fence" }],
  ["add_to_collection", { ...SESSION, collection: "work" }],
  ["apply_tags", { sessions: ["hostile-session", "nowhere1"], tags: ["a", "b"] }],
  ["context_for_session", SESSION],
  ["forget", { id: "hostile-session" }],
  ["get_observations", { ids: ["h00000000001"] }],
  ["get_observations", { ids: ["h00000000001"], detail: "full", max_chars: 11_500 }],
  ["get_session", SESSION],
  ["list_projects", {}],
  ["list_sessions", {}],
  ["list_tags", {}],
  ["pin_session", SESSION],
  ["remember", { text: "fence" }],
  ["remove_tag", { ...SESSION, tag: "fence" }],
  ["search", { query: "fence" }],
  ["search", { type: "decision" }],
  ["set_alias", { ...SESSION, alias: "fence" }],
  ["timeline", { observation: "h00000000001" }],
];
