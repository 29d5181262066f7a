/** What the evals reach inside for; `lib/inside.mjs` bundles it. */
export { openYore } from "../src/app.ts";
export { readSettings } from "../src/config/settings.ts";
export { formatUid, messageUid } from "../src/core/ids.ts";
export { OBSERVATION_TYPES } from "../src/core/session.ts";
export { catchUp } from "../src/ingest/catch-up.ts";
export { digest } from "../src/memory/digest.ts";
export { createLocalYore } from "../src/service/local.ts";
export { archivePathIn, storePathIn } from "../src/service/places.ts";
export { Vectors } from "../src/service/vectors.ts";
export { sources } from "../src/sources/registry.ts";
export { openSqliteStore } from "../src/store/sqlite/store.ts";
export { tokenTable } from "../src/vectors/token-table.ts";
export { corpusFiles, corpusFolder, rememberCorpus } from "../test/support/prompt-corpus.ts";
