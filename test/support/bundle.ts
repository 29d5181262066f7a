import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/**
 * Bundles a module for a process of its own, and returns the file. `body` may import from the project's root; the
 * database driver stays outside, since it is no JavaScript.
 */
export async function bundle(body: string): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), "yore-bundle-")), "main.mjs");
  const driver = pathToFileURL(join(process.cwd(), "node_modules/better-sqlite3/lib/index.js")).href;
  await build({
    stdin: { contents: body, resolveDir: process.cwd(), loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    logLevel: "silent",
    plugins: [
      {
        name: "driver",
        setup: (setup) => setup.onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: driver, external: true })),
      },
    ],
  });
  return outfile;
}
