// What Yore must know of the conversations, whatever the program.
import assert from "node:assert/strict";
import { mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { assertHas, given } from "../clients/checks.mjs";
import { AGAIN, ASIDE, CHILD, COMMANDS, EDIT, FIRST, FORK, PARENT, READ, SECOND, WRITE } from "./story.mjs";

/** Each check of what is known after the conversations, while the program's files are there. */
export async function checkKnown({ program, check, models, memory }) {
  const { steps, tells, forks = false, resumes = true } = program;
  let read;
  await check("its sessions are read", async () => {
    await memory.json("index");
    read = await memory.read();
    assert.ok(read.sessions.length > 0, "there is no session");
  });
  if (read === undefined) return undefined;
  const known = read;
  await check("every record is understood", async () => {
    const { skippedByReason = [], firstReason } = await memory.health();
    const reasons = skippedByReason.map(({ reason, lines }) => `${lines} ${reason}`);
    assert.ok(reasons.length === 0, `passed over: ${reasons.join(", ")}${firstReason ? ` (${firstReason})` : ""}`);
  });
  await check("its files are not taken for another agent's", async () => {
    const { agents } = await memory.json("index");
    const others = Object.entries(agents).filter(([agent, { sessions }]) => agent !== program.agent && sessions > 0);
    assert.deepEqual(others, []);
  });
  const session = (marker) => given(sessionWith(known, "human", marker), `session in which ${marker} was asked`);
  const first = () => session(FIRST.marker);

  const said = [FIRST, ...(resumes ? [SECOND] : []), ...(forks ? [FORK] : []), ...(steps.delegate ? [PARENT] : [])];
  await check("what was asked is kept, once, as a person's words", () => {
    for (const { prompt } of said) assertOnce(known, "human", prompt);
  });
  await check("nothing else counts as a person's words", () => {
    const prompts = [...said, AGAIN].map(({ prompt }) => prompt);
    const others = messagesOf(known, "human").filter((text) => !prompts.includes(text));
    assert.deepEqual(others, program.alsoSaid ?? []);
  });
  await check("what was answered is kept, once", () => {
    for (const { answer } of said) assertOnce(known, "assistant", answer);
    assertOnce(known, "assistant", FIRST.say);
  });
  if (tells.thinking === true) {
    await check("what was thought is kept, once", () => assertOnce(known, "assistant", FIRST.think, includes));
  }
  await check("each command is kept with its output, once", () => {
    const { messages } = first();
    for (const { command, output } of [COMMANDS.ok, COMMANDS.failed, COMMANDS.long]) {
      assertHas(toolTexts(messages).join("\n"), program.written?.(command) ?? command, "what is known of tools");
      assertToolText(messages, output, 1);
    }
    assertToolText(messages, READ.content, 1);
  });
  await check("commands are known as they were typed", () => {
    const commands = first().commands.map(({ command }) => command);
    for (const { command } of [COMMANDS.ok, COMMANDS.failed, COMMANDS.long]) {
      assert.ok(commands.includes(command), `${command} is not among ${JSON.stringify(commands)}`);
    }
  });
  if (tells.exitCodes === "all" || tells.exitCodes === "failed") {
    await check("commands are known with their exit status", () => {
      const codes = [COMMANDS.ok, COMMANDS.failed].map(
        ({ command }) => first().commands.find((known) => known.command === command)?.exitCode,
      );
      assert.deepEqual(codes, tells.exitCodes === "failed" ? [null, 7] : [0, 7]);
    });
  }
  await check("files are known, with what was done to them", () => {
    const { files } = first();
    if (tells.reads !== false) assert.equal(changeOf(files, READ.file), false, READ.file);
    assert.equal(changeOf(files, EDIT.file), true, EDIT.file);
    assert.equal(changeOf(files, WRITE.file), true, WRITE.file);
    assertHas(toolTexts(first().messages).join("\n"), EDIT.after, "what is known of the edit");
  });
  await check("the session has a title", () => {
    const { title } = first();
    const wanted = [tells.title === "last prompt" ? SECOND.prompt : FIRST.prompt];
    if (tells.title === "generated") wanted.push(ASIDE);
    assert.ok(wanted.includes(title), `it is ${JSON.stringify(title)}`);
  });
  if (resumes) {
    await check("the resumed session is one session", () => assert.equal(session(SECOND.marker).id, first().id));
  }
  await check("there are no other sessions", () => {
    const family = steps.delegate === undefined ? 0 : program.subagentsInline ? 1 : 2;
    assert.equal(known.sessions.length, 1 + (forks ? 1 : 0) + family, listSessions(known));
  });
  if (forks) {
    await check("the fork is a session that came from the first", () => {
      const { parent, relation } = session(FORK.marker);
      assert.deepEqual({ parent, relation }, { parent: first().id, relation: "fork" });
    });
  }
  if (steps.delegate) await checkFamily({ program, check, session, known });
  if (program.compact) {
    await check("the summary of a compaction is kept, once", () => assertOnce(known, "summary", ASIDE, includes));
  }
  if (tells.tokens !== false) {
    await check("tokens are counted once", () => {
      const { cacheWrite: _, ...usage } = known.usage;
      assert.deepEqual(usage, sumOf(models.handed(), program));
    });
  }
  await check("what was said is found, in its session", async () => {
    assert.deepEqual(await memory.sessionsWith("mooringline"), [first().id]);
    assert.deepEqual(await memory.sessionsWith("buoysound"), [first().id]);
  });
  return known;
}

async function checkFamily({ program, check, session, known }) {
  const child = () => given(sessionWith(known, "assistant", CHILD.answer), "session in which the subagent answered");
  await check("what the subagent was asked, did and answered is kept, once", () => {
    assertOnce({ sessions: [child()] }, "system", CHILD.prompt, includes);
    assertOnce({ sessions: [child()] }, "assistant", CHILD.answer);
    assertToolText(child().messages, COMMANDS.child.output, 1);
  });
  await check("the subagent hangs under the session that started it", () => {
    const { id, parent, relation } = child();
    const asking = session(PARENT.marker).id;
    if (program.subagentsInline) assert.equal(id, asking);
    else assert.deepEqual({ parent, relation }, { parent: asking, relation: "subagent" });
  });
}

/** Each check of what is known later: nothing new is read, and nothing is lost when the program's files are. */
export async function checkKept({ program, check, home, memory }, known) {
  await check("nothing is read a second time", async () => {
    const { bytes } = await memory.json("index");
    assert.equal(bytes, 0);
  });
  await check("what was read is kept when its files are gone", async () => {
    for (const folder of program.history) moveAway(home.path, folder);
    await memory.json("index");
    assertSame(await memory.read(), known);
  });
  await check("and when all is read again from the archive", async () => {
    await memory.json("index", "--rebuild");
    assertSame(await memory.read(), known);
  });
}

/** Out of Yore's sight, but there for a person to look at. */
function moveAway(home, folder) {
  const away = join(home, "gone", folder);
  mkdirSync(dirname(away), { recursive: true });
  renameSync(join(home, folder), away);
}

function assertSame(after, before) {
  const text = ({ sessions, usage }) => ({
    usage,
    sessions: sessions.map(({ state: _, ...session }) => session).sort((a, b) => (a.id < b.id ? -1 : 1)),
  });
  assert.deepEqual(text(after), text(before));
}

function sessionWith({ sessions }, role, part) {
  return sessions.find(({ messages }) => messages.some((one) => one.role === role && one.text.includes(part)));
}

function messagesOf({ sessions }, role) {
  return sessions.flatMap(({ messages }) => messages.filter((one) => one.role === role).map(({ text }) => text));
}

function assertOnce(known, role, wanted, matches = (text, part) => text === part) {
  const texts = messagesOf(known, role);
  const count = texts.filter((text) => matches(text, wanted)).length;
  if (count === 1) return;
  const near = known.sessions
    .flatMap(({ messages }) => messages.filter(({ text }) => text.includes(lastWord(wanted))))
    .slice(0, NEAR_SHOWN)
    .map((message) => `${message.role}: ${message.text.slice(0, 300)}`);
  assert.fail(`${JSON.stringify(wanted)} is there ${count} times as ${role}\n${near.join("\n")}`);
}

const NEAR_SHOWN = 6;

function includes(text, part) {
  return text.includes(part);
}

function lastWord(text) {
  return /(\w+)\W*$/.exec(text)[1];
}

function toolTexts(messages) {
  return messages.filter(({ role }) => role === "tool").map(({ text }) => text);
}

function assertToolText(messages, part, times) {
  const matches = part instanceof RegExp ? (text) => part.test(text) : (text) => text.includes(part);
  const count = toolTexts(messages).filter(matches).length;
  assert.ok(
    count === times,
    `${part instanceof RegExp ? part : JSON.stringify(part)} is in ${count} messages of tools`,
  );
}

/** Whether a file was changed; undefined where it is not known. */
function changeOf(files, name) {
  const touches = files.filter(({ path }) => path.split("/").at(-1) === name);
  return touches.length === 0 ? undefined : touches.some(({ changed }) => changed);
}

function listSessions({ sessions }) {
  return sessions
    .map(({ id, title, parent, relation, messages }) =>
      [id, `${messages.length} messages`, title, relation, parent].filter(Boolean).join(", "),
    )
    .join("\n");
}

/**
 * Of what was handed out. What a program asks for itself it does not count as a rule, but for the summing up of a
 * session, which is the last that it does here.
 */
function sumOf(handed, { countsCompaction = false }) {
  const counted = handed.filter(({ thread, isLast }) => thread !== undefined || (countsCompaction && isLast));
  const sum = (key) => counted.reduce((total, one) => total + one[key], 0);
  return { input: sum("input"), output: sum("output"), cacheRead: sum("cached") };
}
