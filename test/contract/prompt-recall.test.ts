import { describe, expect, it } from "vitest";
import ordinary from "../../evals/prompts/ordinary.json" with { type: "json" };
import questions from "../../evals/prompts/questions.json" with { type: "json" };
import unanswerable from "../../evals/prompts/unanswerable.json" with { type: "json" };
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome } from "../support/home.ts";
import { corpusFiles, corpusFolder, rememberCorpus } from "../support/prompt-corpus.ts";

const PROJECTS = ["shop-api", "ledger", "atlas-web"];

async function withCorpus() {
  const home = createHome();
  for (const { path, lines } of corpusFiles()) home.write(`${home.home}/${path}`, lines);
  await home.index();
  const yore = await home.open({ catchUpMs: 0 });
  return { home, yore, ids: await rememberCorpus(yore) };
}

describe("recall at the prompt", () => {
  it("says nothing to ordinary prompts", { timeout: 60_000 }, async () => {
    const { yore } = await withCorpus();
    expect(ordinary.length).toBeGreaterThan(200);
    const answered: string[] = [];
    for (const prompt of ordinary) {
      for (const project of PROJECTS) {
        const { text } = await yore.recallForPrompt({ prompt, folder: corpusFolder(project) });
        if (text !== "") answered.push(`${project}: ${prompt.slice(0, 80)}`);
      }
    }
    expect(answered).toEqual([]);
  });

  it("answers questions about the past with what answers them, and with nothing else", {
    timeout: 60_000,
  }, async () => {
    const { yore, ids } = await withCorpus();
    const [wrong, unanswered]: [string[], string[]] = [[], []];
    for (const { prompt, project, answers } of questions) {
      const { items, tokens } = await yore.recallForPrompt({ prompt, folder: corpusFolder(project) });
      const [best] = items;
      const right = answers.map((key) => ids.get(`${project} ${key}`));
      if (best === undefined) unanswered.push(prompt);
      else if (!right.includes(best.id)) wrong.push(prompt);
      expect(tokens).toBeLessThanOrEqual(300);
    }
    expect(questions.length).toBeGreaterThan(60);
    expect(wrong).toEqual([]);
    expect(unanswered.length).toBeLessThanOrEqual(4);
  });

  it("has little to say on what was never spoken of", { timeout: 60_000 }, async () => {
    const { yore } = await withCorpus();
    const answered: string[] = [];
    for (const prompt of unanswerable) {
      for (const project of PROJECTS) {
        const { text } = await yore.recallForPrompt({ prompt, folder: corpusFolder(project) });
        if (text !== "") answered.push(prompt);
      }
    }
    expect(answered.length).toBeLessThanOrEqual(3);
  });

  it("tells a memory with its text, date and id, and why it was told", async () => {
    const { yore, ids } = await withCorpus();
    const id = ids.get("shop-api queue") ?? "";
    const request = {
      prompt: "why did we choose graphile-worker over BullMQ?",
      folder: corpusFolder("shop-api"),
    };
    const reply = await yore.recallForPrompt(request);
    expect(reply.text).toBe(`Recorded earlier in this project, and near to what was asked:

- Background jobs use graphile-worker and not BullMQ, so that a job is committed with the order it belongs to. (decision, saved on purpose; 2026-06-17) [${id}]

get_observations reads one whole, by the id in brackets.
`);
    expect(reply.items).toEqual([{ id, kind: "memory", title: expect.stringContaining("graphile-worker") }]);
    expect(reply.trace.query).toContain("bullmq");
    expect(reply.trace.candidates[0]).toMatchObject({ id, outcome: "shown", signals: { kind: "past" } });
    expect(await yore.recallForPrompt(request)).toEqual(reply);
    expect((await yore.recallForPrompt({ ...request, budget: 20 })).text).toBe("");
  });

  it("tells nothing for two words that stand somewhere in a long answer", async () => {
    const home = createHome();
    const made = claudeTranscript({ session: sessionId(1) });
    made.prompt("look over the release script");
    made.says(
      `It reads the version. Force is with the tag. ${"The rest is as it was. ".repeat(40)} Guests may not allow it.`,
    );
    home.write(home.claudePath(sessionId(1)), made.lines);
    await home.index();
    const yore = await home.open({ catchUpMs: 0 });
    const request = { prompt: "do we allow force push here?", folder: "/home/ana/code/tide" };
    const { text, trace } = await yore.recallForPrompt(request);
    expect(text).toBe("");
    expect(trace.candidates).toMatchObject([{ outcome: "cut", signals: { kind: "past", matched: 2, title: 0 } }]);
  });

  it("tells what came of a session, but never to the session itself", async () => {
    const { yore, ids } = await withCorpus();
    const request = {
      prompt: "how did we solve 'deadlock detected' when two carts check out?",
      folder: corpusFolder("shop-api"),
    };
    const { text, items } = await yore.recallForPrompt(request);
    const id = ids.get("shop-api deadlock") ?? "";
    expect(items[0]?.id).toBe(id);
    expect(text).toContain("→ Fixed by locking stock rows in order of product_id");
    const { session } = (await yore.timeline({ observation: id, before: 0, after: 0 })).entries[0] ?? {};
    expect(session?.id).toMatch(sessionId(11).slice(0, 4));
    const own = await yore.recallForPrompt({ ...request, session: session?.id ?? "" });
    expect(own.items.map((item) => item.id)).not.toContain(id);
  });

  it("tells nothing of another project, of what was superseded, and of places that are excluded", async () => {
    const { home, yore, ids } = await withCorpus();
    const prompt = "why did we choose graphile-worker over BullMQ?";
    const folder = corpusFolder("shop-api");
    expect((await yore.recallForPrompt({ prompt, folder: corpusFolder("ledger") })).text).toBe("");
    const id = ids.get("shop-api queue") ?? "";
    await yore.remember({ text: "Background jobs run in pg-boss now.", type: "decision", supersedes: [id] });
    expect((await yore.recallForPrompt({ prompt, folder })).items.map((item) => item.id)).not.toContain(id);
    await yore.close();
    const excluding = await home.open({ catchUpMs: 0, excluded: [folder] });
    const other = "how did we solve 'deadlock detected' when two carts check out?";
    expect((await excluding.recallForPrompt({ prompt: other, folder })).text).toBe("");
  });
});
