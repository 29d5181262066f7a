import { isOwnTool } from "../../core/own-tools.ts";
import { clipLine } from "../../core/text.ts";
import { errorsFixed } from "../../memory/errors-met.ts";
import { runsOf } from "../../memory/runs.ts";
import { goldOf, type Miner, MOST_RIGHT } from "../miner.ts";
import { tellingWords, uncut } from "../phrase.ts";
import { NOTHING_LEFT_OUT } from "../question.ts";

const LEAST_WORDS = 3;
const MOST_CHARS = 160;

/** A line of a command that failed, to the turn in which the last step before it went well was taken. */
export const errorMiner: Miner = {
  kind: "error",

  mine({ messages, turns }) {
    const own = messages.filter(({ tool }) => tool === undefined || !isOwnTool(tool));
    return errorsFixed(runsOf(own)).flatMap(({ line, by }) => {
      const query = uncut(clipLine(line, MOST_CHARS));
      const { observations = [] } = turns.find((turn) => turn.messages.includes(by.call)) ?? {};
      if (tellingWords(query) < LEAST_WORDS || observations.length === 0) return [];
      return [{ query, observations }];
    });
  },

  async settle(found) {
    const gold = goldOf(found);
    if (gold.conversations.length > MOST_RIGHT) return { unusable: "ambiguous" };
    return { gold, leftOut: NOTHING_LEFT_OUT };
  },
};
