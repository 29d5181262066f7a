import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENT_CASES, nameOf, recordsOf, saveRecords } from "../support/agent-cases.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { codexRollout, rolloutId, rolloutPath } from "../support/codex-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { keptIn } from "../support/kept.ts";

const SESSION = sessionId(1);
const SECRET = "quillwort";
const SPAN = `before <private>${SECRET}</private> after`;

describe("what stands between private tags is in no file of Yore's", () => {
  it.each(AGENT_CASES.map((agentCase) => [nameOf(agentCase), agentCase] as const))("of %s", async (_, agentCase) => {
    const home = createHome({ workFolders: agentCase.workFolder === undefined ? [] : [agentCase.workFolder] });
    const words = ["barnacle", SPAN, `limpet\n\n<Private>\n${SECRET}\n</PRIVATE>\n\nwhelk`];
    saveRecords(agentCase, join(home.home, agentCase.path), recordsOf(agentCase, words));
    await home.index();
    expect(keptIn(home).stored).toContain("barnacle");
    expect(keptIn(home).stored).toMatch(/before \[private\] after/);
    expect(leaks(home)).toEqual([]);
  });

  it("wherever it stands in a session of Claude Code, read at once or line by line", async () => {
    for (const stepwise of [false, true]) {
      const home = createHome();
      const lines = claudeLines(home);
      const path = home.write(home.claudePath(SESSION), []);
      const yore = await home.open();
      for (const line of stepwise ? lines : [lines.join("\n")]) {
        home.append(path, [line]);
        if (stepwise) await yore.index();
      }
      await yore.index();
      await yore.annotate({ kind: "note", session: SESSION, text: `a note\n<private>\n${SECRET}` });
      await yore.remember({ text: `Barnacles cling.\n<private>\n${SECRET}` });
      await yore.annotate({ kind: "forget", sessions: [SESSION], reason: SPAN });
      expect(leaks(home)).toEqual([]);
      await yore.index({ rebuild: true });
      expect(leaks(home)).toEqual([]);
      const kept = keptIn(home).archived;
      expect(kept).toContain('["+a","+[private]","","","+b"]');
      expect(kept).toContain("Talk of `<private>` goes on.");
    }
  });

  it.each([
    ["closed in another", ["see <private>", SECRET, "</private> gull"]],
    ["closed in a third", ["out <private>", "tern", `${SECRET}</private> gull`]],
    ["never closed", ["gull", "<private>", SECRET]],
  ])("over blocks of one message, %s", async (_, texts) => {
    const home = createHome();
    const talk = claudeTranscript({ session: SESSION });
    talk.prompt("barnacle");
    const content = texts.map((text) => ({ type: "text", text }));
    talk.line({ type: "user", message: { role: "user", content } });
    talk.calls("Bash", { command: "ls" });
    talk.line({
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content }] },
    });
    home.write(home.claudePath(SESSION), talk.lines);
    await home.index();
    expect(keptIn(home).stored).toContain("gull");
    expect(leaks(home)).toEqual([]);
  });

  it("wherever it stands in a session of Codex", async () => {
    const home = createHome();
    const talk = codexRollout({ session: rolloutId(1) });
    talk.prompt(SPAN);
    const call_id = "call_1";
    talk.line("response_item", { type: "function_call", name: "apply", arguments: JSON.stringify(SHAPES), call_id });
    talk.line("response_item", {
      type: "function_call_output",
      call_id,
      output: JSON.stringify({ output: JSON.stringify(SHAPES) }),
    });
    talk.runs(`echo '${SPAN}'`, `<private>\n${SECRET}`);
    talk.says("done");
    home.write(home.codexPath(rolloutPath(talk)), talk.lines);
    await home.index();
    expect(leaks(home)).toEqual([]);
    expect(keptIn(home).stored).toContain("done");
  });
});

const SHAPES = {
  text: SPAN,
  unclosed: `<private>${SECRET}`,
  lines: ["a", "<private>", SECRET, "</private>"],
  deep: JSON.stringify({ deeper: JSON.stringify({ text: SPAN }) }),
};

function claudeLines(home: TestHome): readonly string[] {
  const talk = claudeTranscript({ session: SESSION });
  talk.bare({ type: "custom-title", customTitle: SPAN, sessionId: SESSION });
  talk.bare({ type: "summary", summary: SPAN, leafUuid: "x" });
  talk.prompt(`ask about barnacles. ${SPAN}`);
  talk.thinks(SPAN);
  talk.says("Talk of `<private>` goes on.");
  talk.calls("Write", {
    file_path: "/home/ana/code/tide/a.md",
    content: `<private>\n${SECRET}\n</private>`,
    ...SHAPES,
  });
  talk.returns(SPAN, {
    detail: { structuredPatch: [{ lines: ["+a", "+<private>", `+${SECRET}`, "+</private>", "+b"] }], ...SHAPES },
  });
  talk.calls("Bash", { command: `echo "${SPAN}"` });
  talk.returns(JSON.stringify(SHAPES).replaceAll("<", "\\u003c"));
  talk.calls("Task", { description: SPAN, prompt: SPAN, subagent_type: "Explore" });
  talk.returns("done", { detail: { agentId: "a1", content: [{ type: "text", text: SPAN }] } });
  const subagent = home.claudePath(SESSION).replace(".jsonl", "/subagents/agent-a1.jsonl");
  const search = claudeTranscript({ session: SESSION, agentId: "a1" });
  search.prompt(SPAN);
  home.write(subagent, search.lines);
  home.writeRaw(subagent.replace(".jsonl", ".meta.json"), JSON.stringify({ description: SPAN, agentType: "Explore" }));
  return talk.lines;
}

/** Where in what Yore wrote down the word stands that nobody is to know. */
function leaks(home: TestHome): readonly string[] {
  return Object.entries(keptIn(home)).flatMap(([place, text]) => (text.includes(SECRET) ? [place] : []));
}
