/** What the evals reach inside for; `lib/inside.mjs` bundles it. */
export { OBSERVATION_TYPES } from "../src/core/session.ts";
export { catchUp } from "../src/ingest/catch-up.ts";
export { digest } from "../src/memory/digest.ts";
export { archivePathIn, storePathIn } from "../src/service/local-bench.ts";
export { sources } from "../src/sources/registry.ts";
export { openSqliteStore } from "../src/store/sqlite/store.ts";
