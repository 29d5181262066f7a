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
  return import(await bundle(join(ROOT, "bench", "entry.ts"), INSIDE));
}

/**
 * Bundles an entry point of the checkout, for Node to import by the address that is returned.
 *
 * @param {string} entry
 * @param {string} outfile
 */
export async function bundle(entry, outfile) {
  await build({
    entryPoints: [entry],
    outfile,
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
  return pathToFileURL(outfile).href;
}
