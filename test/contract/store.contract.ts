import { describe } from "vitest";
import { describeAnnotations } from "./store/annotations.contract.ts";
import { describeDecisions } from "./store/decisions.contract.ts";
import { describeEnrichments } from "./store/enrichments.contract.ts";
import { describeFigures } from "./store/figures.contract.ts";
import { describeFiles } from "./store/files.contract.ts";
import { describeExcluded, describeHidden } from "./store/hidden.contract.ts";
import { describeLease } from "./store/lease.contract.ts";
import { describeMemories } from "./store/memories.contract.ts";
import { describeMessages } from "./store/messages.contract.ts";
import { describeObservations } from "./store/observations.contract.ts";
import type { OpenStore } from "./store/opened-store.ts";
import { describePlainIndex } from "./store/plain-index.contract.ts";
import { describeProjects } from "./store/projects.contract.ts";
import { describePurge } from "./store/purge.contract.ts";
import { describeReceipts } from "./store/receipts.contract.ts";
import { describeSessions } from "./store/sessions.contract.ts";
import { describeTexts } from "./store/texts.contract.ts";
import { describeTitles } from "./store/titles.contract.ts";
import { describeTransactions } from "./store/transactions.contract.ts";
import { describeVectors } from "./store/vectors.contract.ts";
import { describeWords } from "./store/words.contract.ts";
import { describeHostileWords } from "./store/words-hostile.contract.ts";
import { describePieces } from "./store/words-pieces.contract.ts";

/** What every implementation of the store must do. */
export function describeStore(name: string, open: OpenStore): void {
  describe(`store: ${name}`, () => {
    describeLease(open);
    describeTransactions(open);
    describeFiles(open);
    describeMessages(open);
    describeSessions(open);
    describeTitles(open);
    describeProjects(open);
    describeDecisions(open);
    describeAnnotations(open);
    describeMemories(open);
    describeEnrichments(open);
    describeHidden(open);
    describeExcluded(open);
    describeObservations(open);
    describePlainIndex(open);
    describeWords(open);
    describePieces(open);
    describeHostileWords(open);
    describeFigures(open);
    describeTexts(open);
    describePurge(open);
    describeReceipts(open);
    describeVectors(open);
  });
}
