import { history } from "./001-history.ts";
import { containers } from "./002-containers.ts";
import { projectDecisions } from "./003-project-decisions.ts";
import { watchLease } from "./004-watch-lease.ts";
import { annotations } from "./006-annotations.ts";
import { memories } from "./007-memories.ts";
import { refusedSessions } from "./008-refused-sessions.ts";
import { receipts } from "./009-receipts.ts";
import { hookEvents } from "./010-hook-events.ts";
import { enrichments } from "./011-enrichments.ts";
import { traits } from "./012-traits.ts";
import { briefing } from "./013-briefing.ts";
import { vectors } from "./014-vectors.ts";

/** In order; a store's schema number is how many of them it has had. */
export const migrations: readonly string[] = [
  history,
  containers,
  projectDecisions,
  watchLease,
  annotations,
  memories,
  refusedSessions,
  receipts,
  hookEvents,
  enrichments,
  traits,
  briefing,
  vectors,
];
