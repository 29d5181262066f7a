import { decisionsOf } from "../../memory/decisions.ts";
import type { StoredMessage } from "../../store/store.ts";
import { goldOf, type Miner, MOST_RIGHT } from "../miner.ts";
import { NOTHING_LEFT_OUT } from "../question.ts";

/** A turn that changed more is about none of them in particular. */
const MOST_CHANGED = 2;
/** What is shorter is no name that anything is found by. */
const LEAST_CHARS = 6;

/** A file, by the end of its path, to turns in which something was decided that names it, or that changed little else. */
export const fileMiner: Miner = {
  kind: "file",

  mine({ turns }) {
    return turns.flatMap(({ messages, observations }) => {
      const said = messages.filter(({ part }) => part !== "thinking");
      const statements = observations.length === 0 ? [] : decisionsOf(said).map(({ statement }) => statement);
      if (statements.length === 0) return [];
      const paths = pathsIn(messages, statements.join("\n"));
      return paths.map((query) => ({ query, observations }));
    });
  },

  async settle(found) {
    const gold = goldOf(found);
    if (gold.conversations.length > MOST_RIGHT) return { unusable: "ambiguous" };
    return { gold, leftOut: NOTHING_LEFT_OUT };
  },
};

function pathsIn(messages: readonly StoredMessage[], said: string): readonly string[] {
  const touched = messages.flatMap(({ files }) => files);
  const named = touched.map(({ path }) => path).filter((path) => said.includes(baseOf(path)));
  const changed = new Set(touched.flatMap(({ path, changed: isChanged }) => (isChanged ? [path] : [])));
  const meant = [...named, ...(changed.size <= MOST_CHANGED ? changed : [])];
  const ends = meant.filter((path) => baseOf(path).includes(".") && baseOf(path).length >= LEAST_CHARS).map(endOf);
  return [...new Set(ends)];
}

function partsOf(path: string): readonly string[] {
  return path.split(/[\\/]+/).filter(Boolean);
}

function baseOf(path: string): string {
  return partsOf(path).at(-1) ?? "";
}

/** A file with the folder it is in. */
function endOf(path: string): string {
  return partsOf(path).slice(-2).join("/");
}
