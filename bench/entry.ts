/** What the benches reach inside for; `build.mjs` bundles it. */
export { openYore } from "../src/app.ts";
export { readSettings } from "../src/config/settings.ts";
export { DERIVATION_VERSION } from "../src/core/observation.ts";
export { redact } from "../src/core/redact.ts";
export { estimateTokens } from "../src/core/text.ts";
export { identifierParts, indexable } from "../src/core/words.ts";
export { type CatchUpReport, catchUp } from "../src/ingest/catch-up.ts";
export { readLines } from "../src/ingest/lines.ts";
export { search } from "../src/search/search.ts";
export { archivePathIn, storePathIn } from "../src/service/places.ts";
export { understand } from "../src/service/search-request.ts";
export { Vectors } from "../src/service/vectors.ts";
export { sources } from "../src/sources/registry.ts";
export { migrations } from "../src/store/sqlite/migrations/index.ts";
export { openSqliteStore } from "../src/store/sqlite/store.ts";
export { createCursors, pagingOf } from "../src/surfaces/mcp/cursor.ts";
export { TOOLS } from "../src/surfaces/mcp/tools/registry.ts";
export { tokenTable } from "../src/vectors/token-table.ts";
