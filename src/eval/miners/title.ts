import { goldOf, type Miner, MOST_RIGHT } from "../miner.ts";
import { phraseOf, tellingWords, uncut } from "../phrase.ts";
import type { Surveyed } from "../question.ts";
import { quoting } from "../quoting.ts";

const LEAST_WORDS = 3;
const MOST_CHARS = 160;

/** What a person or the agent called a session, unless that is how one of its prompts begins. */
export const titleMiner: Miner = {
  kind: "title",

  mine(surveyed) {
    const title = uncut(titleOf(surveyed) ?? "");
    if (surveyed.session.relation === "subagent" || title.length > MOST_CHARS) return [];
    if (tellingWords(title) < LEAST_WORDS || isPrompt(title, surveyed)) return [];
    return [{ query: title, observations: [] }];
  },

  async settle(found, store) {
    const gold = goldOf(found);
    if (gold.conversations.length > MOST_RIGHT) return { unusable: "ambiguous" };
    const quotes = await quoting(store, found[0]?.query ?? "");
    if (quotes === undefined) return { unusable: "quoted too often" };
    const titles = [...new Set([...quotes.titles, ...found.map(({ session }) => session.id)])];
    return { gold, leftOut: { ...quotes, titles: titles.sort((a, b) => a - b) } };
  },
};

function titleOf({ titles }: Surveyed): string | undefined {
  return titles.custom ?? titles.generated ?? titles.summary;
}

function isPrompt(title: string, { messages }: Surveyed): boolean {
  const phrase = phraseOf(title);
  return messages.some(
    ({ role, text }) => role === "human" && phraseOf(text.slice(0, 4 * MOST_CHARS)).startsWith(phrase),
  );
}
