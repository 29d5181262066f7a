import type { Miner } from "../miner.ts";
import { commitMiner } from "./commit.ts";
import { errorMiner } from "./error.ts";
import { fileMiner } from "./file.ts";
import { identifierMiner } from "./identifier.ts";
import { titleMiner } from "./title.ts";

/** One of each kind, in the order of `QUESTION_KINDS`. */
export const MINERS: readonly Miner[] = [titleMiner, errorMiner, fileMiner, commitMiner, identifierMiner];
