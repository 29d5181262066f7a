import { commitsOf } from "../../memory/commits.ts";
import { runsOf } from "../../memory/runs.ts";
import { goldOf, type Miner, MOST_RIGHT } from "../miner.ts";
import { tellingWords, uncut } from "../phrase.ts";
import { quoting } from "../quoting.ts";

const LEAST_WORDS = 3;

/** The first line of what was committed, to the session that did. */
export const commitMiner: Miner = {
  kind: "commit",

  mine({ messages }) {
    return commitsOf(runsOf(messages)).flatMap(({ subject }) => {
      const query = uncut(subject ?? "");
      return tellingWords(query) < LEAST_WORDS ? [] : [{ query, observations: [] }];
    });
  },

  async settle(found, store) {
    const gold = goldOf(found);
    if (gold.conversations.length > MOST_RIGHT) return { unusable: "ambiguous" };
    const leftOut = await quoting(store, found[0]?.query ?? "");
    if (leftOut === undefined) return { unusable: "quoted too often" };
    const gone = new Set(leftOut.messages.map(({ session, seq }) => `${session} ${seq}`));
    const hasMore = found.some(({ session, prompts }) => prompts.some((seq) => !gone.has(`${session.id} ${seq}`)));
    return hasMore ? { gold, leftOut } : { unusable: "nothing left" };
  },
};
