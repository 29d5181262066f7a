// Writes the pages of docs that derive from the code. With --check it writes nothing, and fails where a page differs.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { renderPages } = await loadPages();
const pages = Object.entries(await renderPages(root));

if (process.argv.includes("--check")) check();
else write();

/** The code is TypeScript, so it is bundled first; its packages are not. */
async function loadPages() {
  const outfile = join(root, "node_modules", ".cache", "docs", "pages.mjs");
  await build({
    entryPoints: [join(root, "scripts", "docs", "pages.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    packages: "external",
    logLevel: "warning",
  });
  return import(pathToFileURL(outfile).href);
}

function write() {
  for (const [path, text] of pages) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(path);
  }
}

function check() {
  const differences = pages.flatMap(([path, text]) => {
    const difference = firstDifference(readPage(path), text);
    return difference === undefined ? [] : [`${path}, ${difference}`];
  });
  if (differences.length === 0) return;
  console.error(`${differences.join("\n")}\nThe code says otherwise than these pages: run \`npm run docs\`.`);
  process.exitCode = 1;
}

function readPage(path) {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return "";
  }
}

function firstDifference(page, code) {
  if (page === code) return undefined;
  const [inPage, inCode] = [page.split("\n"), code.split("\n")];
  const at = inCode.findIndex((line, index) => line !== inPage[index]);
  const line = at === -1 ? inCode.length : at;
  return `line ${line + 1}:\n  page: ${inPage[line] ?? "(ends)"}\n  code: ${inCode[line] ?? "(ends)"}`;
}
