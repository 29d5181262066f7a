import { join } from "node:path";
import { bundle, ROOT } from "../../bench/lib/build.mjs";

/**
 * Bundles what the evals reach inside for and loads it.
 *
 * @returns {Promise<typeof import("../entry.ts")>}
 */
export async function inside() {
  return import(
    await bundle(join(ROOT, "evals", "entry.ts"), join(ROOT, "node_modules", ".cache", "yore-evals", "inside.mjs"))
  );
}
