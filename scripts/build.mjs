// Bundles the program into dist/bin: yore.js, which is started and loads one of the others; cli.js, the command line;
// hook.js, what agents call while they work, with hook-memory.js and hook-capture.js, of which it loads the one it needs;
// install.js, which connects them; mcp.js, which also starts the server by itself; and model-thread.js, in which a server
// holds a sentence model.
import crypto from "node:crypto";
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const out = join(root, "dist", "bin");
rmSync(out, { recursive: true, force: true });

const common = {
  bundle: true,
  platform: "node",
  // One CommonJS file starts in half the time that the same modules take as ES modules.
  format: "cjs",
  target: "node20.19",
  // So that what is loaded later is required too, and not taken through the loader of ES modules.
  supported: { "dynamic-import": false },
  outdir: out,
  absWorkingDir: root,
  // The bundles are no ES modules, and know where they are by another name.
  define: { "import.meta.dirname": "__dirname" },
  // A native module cannot be bundled.
  external: ["better-sqlite3/*"],
  // The SDK brings a JSON Schema validator of 150 kB for what is validated here otherwise. The parser of JSON with comments
  // has a main file that finds its parts at run time.
  alias: {
    "jsonc-parser": "jsonc-parser/lib/esm/main.js",
    "@modelcontextprotocol/server/_shims": "./src/surfaces/mcp/no-validator.ts",
  },
  minify: true,
  metafile: true,
  legalComments: "none",
  logLevel: "warning",
};

/**
 * What is JavaScript of the database's driver goes into the bundles, where it is compiled with the rest. Its native part is
 * taken from where the package has it.
 */
const nativeApart = {
  name: "native-apart",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: join(root, "node_modules/better-sqlite3/lib/index.js") }));
    onResolve({ filter: /^bindings$/ }, () => ({ path: "bindings", namespace: "native" }));
    onLoad({ filter: /.*/, namespace: "native" }, () => ({
      contents: 'module.exports = () => require("better-sqlite3/build/Release/better_sqlite3.node");',
    }));
  },
};

/** Node takes a while to load its cryptography, which most hooks do without: it is loaded when something is first called. */
const cryptoLater = {
  name: "crypto-later",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:crypto$/ }, ({ namespace, path }) =>
      namespace === "later" ? { path, external: true } : { path, namespace: "later" },
    );
    const names = Object.keys(crypto).filter((name) => /^[a-z]/.test(name) && typeof crypto[name] === "function");
    onLoad({ filter: /.*/, namespace: "later" }, () => ({
      contents: [
        'let loaded; const load = () => (loaded ??= require("node:crypto"));',
        ...names.map((name) => `export const ${name} = (...given) => load().${name}(...given);`),
      ].join("\n"),
    }));
  },
};

/** These are files of their own, which the command line loads only to serve, to answer and to connect. */
const othersApart = {
  name: "others-apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/(?:mcp|hook|install)\.ts$/ }, ({ path }) => ({
      path: path.replace(".ts", ".js"),
      external: true,
    })),
};

const results = await Promise.all([
  build({
    ...common,
    entryPoints: ["yore", "hook", "hook-memory", "hook-capture", "install", "mcp", "model-thread"].map(
      (name) => `src/bin/${name}.ts`,
    ),
    plugins: [nativeApart, cryptoLater],
  }),
  build({ ...common, entryPoints: ["src/bin/cli.ts"], plugins: [othersApart, nativeApart, cryptoLater] }),
]);
// esbuild leaves regular expressions as they are. In plain ASCII a file is read without decoding, and code takes half the room.
for (const name of readdirSync(out).filter((file) => file.endsWith(".js"))) {
  const path = join(out, name);
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  writeFileSync(path, readFileSync(path, "utf8").replace(/[\u0080-\uffff]/g, escaped));
}
copyFileSync(join(root, "assets", "token-table.bin"), join(out, "token-table.bin"));
writeFileSync(join(out, "package.json"), '{ "type": "commonjs" }\n');
for (const name of ["yore.js", "mcp.js"]) chmodSync(join(out, name), 0o755);
writeFileSync(
  join(out, "THIRD-PARTY-LICENSES.txt"),
  `${licences(results.flatMap((result) => Object.keys(result.metafile.inputs)))}\n\n${readFileSync(join(root, "assets", "token-table.LICENSE.txt"), "utf8")}`,
);

/** Licence texts of every package that went into the bundle. */
function licences(inputs) {
  const packages = new Set(
    inputs.flatMap((input) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []),
  );
  return [...packages]
    .sort()
    .map((name) => {
      const folder = join(root, "node_modules", name);
      const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      return `${name} ${about.version} (${about.license})\n${licenceText(folder)}`;
    })
    .join("\n\n");
}

function licenceText(folder) {
  for (const name of ["LICENSE", "LICENSE.md", "LICENSE.txt", "license", "LICENCE", "license.md"]) {
    try {
      return readFileSync(join(folder, name), "utf8").trim();
    } catch {}
  }
  return "";
}
