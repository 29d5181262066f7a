import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

/** The checkout. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Corpora and stores are kept here from run to run. */
export const CACHE = join(ROOT, "node_modules", ".cache", "yore-bench");
/** The bundled inside, for child processes to import. */
export const INSIDE = join(CACHE, "inside.mjs");

/**
 * Bundles what the benches reach inside for and loads it.
 *
 * @returns {Promise<typeof import("../entry.ts")>}
 */
export async function inside() {
  await build({
    entryPoints: [join(ROOT, "bench", "entry.ts")],
    outfile: INSIDE,
    absWorkingDir: ROOT,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    external: ["better-sqlite3"],
    sourcemap: "inline",
    logLevel: "error",
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  return import(pathToFileURL(INSIDE).href);
}
