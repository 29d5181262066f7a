import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  answer,
  call,
  DAY,
  human,
  openTemporaryStore,
  result,
  type SeedMessage,
  type SeedSession,
  START,
  seed,
} from "../../../test/support/seed.ts";
import type { Store } from "../../store/store.ts";
import { controlsFrom } from "../controls.ts";
import type { QuestionKind } from "../question.ts";
import { drawQuestions, Pool } from "../sample.ts";
import { conversationsIn, survey } from "../survey.ts";

let store: Store;

beforeEach(async () => {
  store = await openTemporaryStore();
});
afterEach(() => store.close());

async function poolOf(...sessions: readonly SeedSession[]) {
  await seed(store, ...sessions);
  const conversations = await conversationsIn(store);
  const pool = new Pool();
  for await (const surveyed of survey(store, conversations, () => {})) pool.add(surveyed);
  return { pool, conversations };
}

/** Questions of one kind: what is asked, and by their first prompts the turns or sessions that are right. */
async function asked(kind: QuestionKind, ...sessions: readonly SeedSession[]) {
  const { pool, conversations } = await poolOf(...sessions);
  const { questions, unusable } = await drawQuestions(pool, store, conversations.of, 50);
  const nativeIds = new Map(conversations.sessions.map(({ id, nativeId }) => [id, nativeId]));
  const of = questions.filter((question) => question.kind === kind);
  return {
    unusable,
    questions: await Promise.all(
      of.map(async ({ query, gold, leftOut }) => ({
        query,
        sessions: gold.conversations.map((conversation) => nativeIds.get(conversation)),
        turns: await Promise.all(
          gold.turns.map(async ([id = ""]) => (await store.observations.byPrefix(id, 1))[0]?.title),
        ),
        leftOut: leftOut.messages.length,
      })),
    ),
  };
}

const bash = (command: string): SeedMessage => ({
  role: "tool",
  part: "call",
  text: command,
  tool: { name: "Bash", commands: [command] },
});
const failed = (text: string): SeedMessage => ({
  role: "tool",
  part: "result",
  text,
  tool: { name: "Bash", isError: true, exitCode: 1 },
});
const edit = (path: string): SeedMessage => call(`edit ${path}`, "Edit", [{ path, changed: true }]);
const titled = (id: string, text: string, ...messages: readonly SeedMessage[]): SeedSession => ({
  id,
  titles: [{ kind: "generated", text }],
  messages,
});

describe("a title", () => {
  it("asks for its session, and no message that says it helps", async () => {
    const { questions } = await asked(
      "title",
      titled(
        "a-session",
        "Warm the tide table cache",
        human("The page is slow"),
        answer("Warm the tide table cache it is."),
      ),
    );
    expect(questions).toEqual([{ query: "Warm the tide table cache", sessions: ["a-session"], turns: [], leftOut: 1 }]);
  });

  it.each([
    ["says too little", "Review again", "Look at it"],
    ["is how a prompt begins", "Warm the tide table…", "Warm the tide table cache, please"],
  ])("is not asked where it %s", async (_, title, prompt) => {
    const { questions } = await asked("title", titled("a-session", title, human(prompt)));
    expect(questions).toEqual([]);
  });

  it("is ambiguous where many sessions have it", async () => {
    const ids = ["a-session", "b-session", "c-session", "d-session"];
    const { questions, unusable } = await asked(
      "title",
      ...ids.map((id) => titled(id, "Check the harbour lights", human("Go"))),
    );
    expect({ questions, unusable }).toEqual({ questions: [], unusable: { ambiguous: 1 } });
  });
});

describe("an error", () => {
  const fixing = [
    human("Build it"),
    bash("npm run build"),
    failed("src/tide.ts(4,2): error TS2339: Property 'level' does not exist on type 'Tide'."),
    answer("I stop here."),
    human("Then mend it"),
    edit("src/tide.ts"),
    bash("npm run build"),
    result("done"),
  ];

  it("asks for the turn that fixed it", async () => {
    const { questions } = await asked("error", { id: "a-session", messages: fixing });
    expect(questions).toEqual([
      {
        query: "src/tide.ts(4,2): error TS2339: Property 'level' does not exist on type 'Tide'.",
        sessions: ["a-session"],
        turns: ["Then mend it"],
        leftOut: 0,
      },
    ]);
  });

  it("is not asked for where nothing fixed it", async () => {
    expect((await asked("error", { id: "a-session", messages: fixing.slice(0, 6) })).questions).toEqual([]);
  });
});

describe("a file", () => {
  it("asks for the turn that decided something about it", async () => {
    const { questions } = await asked("file", {
      id: "a-session",
      messages: [
        human("We decided to keep all levels in src/model/level-store.ts from now on."),
        edit("/home/ana/tide/src/model/level-store.ts"),
        human("Thanks, now list the files"),
        call("ls", "Read", [{ path: "/home/ana/tide/src/other-file.ts", changed: false }]),
      ],
    });
    expect(questions).toMatchObject([
      { query: "model/level-store.ts", sessions: ["a-session"], turns: [expect.stringContaining("We decided")] },
    ]);
  });
});

describe("a commit", () => {
  const committing = (id: string, at: number): SeedSession => ({
    id,
    at,
    messages: [
      human("The lights flicker"),
      edit("src/lights.ts"),
      bash('git commit -m "Keep harbour lights from flickering"'),
      result("[main 1a2b3c4] Keep harbour lights from flickering"),
    ],
  });

  it("asks for its session by the subject, without the messages that quote it anywhere", async () => {
    const { questions } = await asked("commit", committing("a-session", START), {
      id: "b-session",
      at: START + DAY,
      messages: [human("What is new?"), bash("git log"), result("1a2b3c4 Keep harbour lights from flickering")],
    });
    expect(questions).toEqual([
      { query: "Keep harbour lights from flickering", sessions: ["a-session"], turns: [], leftOut: 3 },
    ]);
  });

  it("is not asked where all that a person said in the session quotes it", async () => {
    const [, ...rest] = committing("a-session", START).messages;
    const messages = [human("Commit as: Keep harbour lights from flickering"), ...rest];
    expect(await asked("commit", { id: "a-session", messages })).toEqual({
      questions: [],
      unusable: { "nothing left": 1 },
    });
  });
});

describe("an identifier", () => {
  it("asks for the turn that has it first, in the order of time", async () => {
    const { questions } = await asked(
      "identifier",
      { id: "b-session", at: START + DAY, messages: [human("Where was harbourLightGuard?"), answer("In lights.ts.")] },
      { id: "a-session", at: START, messages: [human("Write a guard"), answer("I call it harbourLightGuard.")] },
    );
    expect(questions).toEqual([
      { query: "harbourLightGuard", sessions: ["a-session"], turns: ["Write a guard"], leftOut: 0 },
    ]);
  });

  it.each(["aGVsbG8gd29ybGQ", "deadbeef01", "plain", "X", "QxZtRwBn"])("%s is no name of code", async (word) => {
    expect((await asked("identifier", { id: "a-session", messages: [human(`See ${word} there`)] })).questions).toEqual(
      [],
    );
  });

  it("that stands in many conversations came in nowhere in particular", async () => {
    const sessions = ["a", "b", "c", "d"].map((id) => ({
      id: `${id}-session`,
      messages: [human("Use harbourLightGuard")],
    }));
    expect(await asked("identifier", ...sessions)).toEqual({ questions: [], unusable: { ambiguous: 1 } });
  });
});

describe("questions", () => {
  const many = (count: number, cwd: string): SeedSession[] =>
    Array.from({ length: count }, (_, at) => ({
      id: `${cwd.slice(-4)}-${at}-session`,
      cwd,
      messages: [
        human(`Do use ${cwd.slice(-4)}${letters(at)}Guard and ${cwd.slice(-4)}${letters(at + 40)}_ledger here`),
      ],
    }));
  const letters = (at: number): string =>
    `pier${"aeiou"[at % 5]}l${"aeiou"[Math.floor(at / 5) % 5]}n${"aeiou"[Math.floor(at / 25)]}`;

  it("are the same in every run, whatever the limit, and projects take turns", async () => {
    const { pool, conversations } = await poolOf(...many(12, "/home/ana/tide"), ...many(3, "/home/ana/quay"));
    const draw = async (limit: number) => (await drawQuestions(pool, store, conversations.of, limit)).questions;
    const [six, all] = [await draw(6), await draw(100)];
    expect(six).toEqual(all.slice(0, 6));
    const projects = new Map(conversations.sessions.map(({ id, projectName }) => [id, projectName]));
    const drawn = six.map(({ gold }) => projects.get(gold.conversations[0] ?? 0));
    expect(drawn.filter((project) => project === "quay")).toHaveLength(3);
  });

  it("that have no answer look like those that have, and nobody ever said them", async () => {
    const { pool } = await poolOf(...many(8, "/home/ana/tide"), ...many(8, "/home/ana/quay"));
    const controls = await controlsFrom(pool, store, 8);
    expect(controls.length).toBeGreaterThan(0);
    for (const { kind, query } of controls) {
      expect(kind).toBe("identifier");
      expect(query).toMatch(/^[a-z]+(?:Guard|_ledger)$/);
      const clauses = [{ text: query }];
      expect(await store.words.newest({ clauses, places: ["prompt"] }, "all", 1)).toEqual([]);
    }
  });
});
