import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Yore } from "../../src/service/yore.ts";
import { sources } from "../../src/sources/registry.ts";
import type { Item, MessageItem } from "../../src/sources/source.ts";
import { type Fixture, fixtureGroups, fixtureHome, readFixture } from "../support/fixture-home.ts";
import { messagesIn } from "../support/read-items.ts";

const groups = sources.flatMap((source) =>
  fixtureGroups([source]).map((fixtures) => [titleOf(fixtures), fixtures] as const),
);

describe("what a source tells of its sessions is stored", () => {
  it.each(groups)("%s", { timeout: 20_000 }, async (_name, fixtures) => {
    const { home, files, write } = fixtureHome(fixtures);
    for (const file of files) write(file);
    const yore = await home.open();
    // An export is read when a person names it.
    if (files.some((file) => file.startsWith("export"))) await yore.import({ paths: [join(home.home, "export")] });
    else await yore.index();
    const told = fixtures.flatMap((fixture) => Object.values(readFixture(fixture)));
    const items = told.flatMap((session) => session.items);
    const dump = home.dump();

    // A message that stands in several files, as in a fork, is one.
    expect(dump.messages).toHaveLength(new Set(messagesIn(items).map(({ nativeId }) => nativeId)).size);
    expect(dump.usage.map(({ output }) => Number(output)).toSorted()).toEqual(largestOutputs(items).toSorted());

    const { items: sessions } = await yore.sessions({ all: true, limit: 500 });
    const { items: listed } = await yore.sessions({ limit: 500 });
    const there = new Set(sessions.map(({ id }) => id));
    for (const { id, parent, relation } of sessions) {
      const parents = told.filter(({ session }) => session === id).flatMap((session) => parentsIn(session.items));
      if (parents.length > 0) expect(parents, id).toContainEqual({ session: parent, relation });
      // Under its spawner where that is, and by itself where it is not.
      const isHidden = relation === "subagent" && parent !== undefined && there.has(parent);
      expect(
        listed.some((one) => one.id === id),
        `${id} is listed`,
      ).toBe(!isHidden);
    }
    for (const { id, subagents } of listed) {
      const spawned = sessions.filter(({ parent, relation }) => parent === id && relation === "subagent");
      expect([id, subagents]).toEqual([id, spawned.length]);
    }
    await expectAsides(yore, items);
  });
});

function titleOf(fixtures: readonly Fixture[]): string {
  return `${fixtures[0]?.source.agent}: ${fixtures.map(({ name }) => name).join(", ")}`;
}

/** Of each model call the fullest record counts, as of one answer that is told in several. */
function largestOutputs(items: readonly Item[]): number[] {
  const outputs = new Map<string, number>();
  for (const item of items)
    if (item.kind === "usage") outputs.set(item.key, Math.max(outputs.get(item.key) ?? 0, item.usage.output));
  return [...outputs.values()];
}

function parentsIn(items: readonly Item[]): { session: string; relation: string }[] {
  return items.flatMap((item) => (item.kind === "session" && item.parent !== undefined ? [item.parent] : []));
}

/** What was thought or summed up is found by who asks for it, and by nobody else; what a harness said by nobody. */
async function expectAsides(yore: Yore, items: readonly Item[]): Promise<void> {
  const messages = messagesIn(items);
  const counts = new Map<string, number>();
  for (const { nativeId } of messages) counts.set(nativeId, (counts.get(nativeId) ?? 0) + 1);
  const asides: readonly [string, (message: MessageItem) => boolean, string | undefined][] = [
    ["thinking", ({ part }) => part === "thinking", "assistant"],
    ["summary", ({ role }) => role === "summary", "summary"],
    ["notice", ({ part }) => part === "notice", undefined],
  ];
  for (const [name, isAside, role] of asides) {
    const others = items.flatMap((item) =>
      "text" in item && !(item.kind === "message" && isAside(item)) ? [item.text] : [],
    );
    const rest = others.join("\n").toLowerCase();
    const lone = messages.filter((message) => isAside(message) && counts.get(message.nativeId) === 1);
    const words = lone.flatMap(({ text }) => text.toLowerCase().match(/\b[a-z]{6,}(?<!ed|ing|ly)\b/g) ?? []);
    const word = words.find((one) => !rest.includes(one.slice(0, 4)));
    if (word === undefined) continue;
    expect((await yore.search({ query: word })).hits, `${name}: ${word}`).toEqual([]);
    if (role === undefined) continue;
    const { hits } = await yore.search({ query: `${word} role:${role}` });
    expect(
      hits.map((hit) => hit.message.role),
      `${name}: ${word} role:${role}`,
    ).toContain(role);
  }
}
