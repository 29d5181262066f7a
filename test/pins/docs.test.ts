import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { variablesOf } from "../../scripts/docs/agents.ts";
import { SETTING_VARIABLES } from "../../src/config/settings.ts";
import { ERROR_CODES } from "../../src/core/errors.ts";
import { PLACES } from "../../src/core/pieces.ts";
import { REDACTION_NAMES } from "../../src/core/redact.ts";
import { OBSERVATION_TYPES, PARTS, RELATIONS, ROLES, SESSION_STATES, TITLE_ORIGINS } from "../../src/core/session.ts";
import { FILTER_FIELDS } from "../../src/search/query.ts";
import { TIERS } from "../../src/service/yore.ts";
import { sources } from "../../src/sources/registry.ts";
import { commands } from "../../src/surfaces/cli/commands.ts";
import { TOOLS } from "../../src/surfaces/mcp/tools/registry.ts";
import { runCli } from "../support/cli.ts";
import { anchorsOf, linksOf, projectFiles, ROOT, readProject, sectionOf } from "../support/pages.ts";

const files = projectFiles();
const pages = files.filter((path) => path.endsWith(".md"));
const page = (path: string) => readProject(path);
const names = (things: readonly { readonly name: string }[]) => things.map(({ name }) => name);

describe("everything that has a name is on its page", () => {
  it.each<[string, readonly string[], (name: string) => string]>([
    // Agents call hooks, and nobody types that.
    ["README.md", names(commands.filter(({ name }) => name !== "hook")), (name) => `\n| \`yore ${name}\` `],
    ["docs/reference/cli.md", names(commands), (name) => `\n## yore ${name}\n`],
    ["docs/reference/mcp-tools.md", names(TOOLS), (name) => `\n## ${name}\n`],
    ["docs/reference/settings.md", names(SETTING_VARIABLES), (name) => `\n| \`${name}\` `],
    ["docs/guides/search.md", FILTER_FIELDS, (name) => `\`${name}:\``],
    ["docs/guides/search.md", TIERS, (name) => `\n| \`${name}\` `],
    ["docs/guides/search.md", [...OBSERVATION_TYPES, ...ROLES], (name) => `\`${name}\``],
    ["docs/guides/privacy.md", REDACTION_NAMES, (name) => `\`${name}\``],
    ["docs/reference/json.md", ERROR_CODES, (name) => `\n| \`${name}\` `],
    ["docs/agents.md", names(sources), (name) => `\n## ${name}\n`],
    ["README.md", names(sources), (name) => name],
    ["docs/words.md", [...OBSERVATION_TYPES, ...ROLES, ...RELATIONS], (name) => `\n| \`${name}\` `],
    ["docs/words.md", TITLE_ORIGINS, (name) => `\n| \`${name}\` `],
    ["docs/words.md", [...PARTS, ...SESSION_STATES, ...PLACES], (name) => `\`${name}\``],
  ])("%s has %j", (path, things, shown) => {
    expect(things.filter((name) => !page(path).includes(shown(name)))).toEqual([]);
  });

  it("docs/reference/settings.md has every variable that the code reads", () => {
    const code = files.filter((path) => /^src\/.*\.ts$/.test(path) && !path.endsWith(".test.ts")).map(page);
    const read = code.flatMap((text) => [...text.matchAll(/\bvariables\??(?:\.([A-Z_]+)|\["([A-Z_]+)"\])/g)]);
    const named = read.map(([, name, quoted]) => name ?? quoted ?? "");
    const variables = new Set([...named, ...sources.flatMap(variablesOf)]);
    expect([...variables]).toEqual(expect.arrayContaining(["CODEX_HOME", "OPENCLAW_STATE_DIR", "YORE_HOME"]));
    expect([...variables].filter((name) => !page("docs/reference/settings.md").includes(`\n| \`${name}\` `))).toEqual(
      [],
    );
  });

  it("no page names a redaction rule that is gone", () => {
    const marks = [
      ...page("docs/guides/privacy.md").matchAll(/`((?!your-)[a-z]+(?:-[a-z]+)*-(?:key|token|secret|webhook))`/g),
    ];
    expect(marks.map(([, name]) => name).filter((name) => !REDACTION_NAMES.includes(name ?? ""))).toEqual([]);
  });
});

describe("docs/reference/json.md", () => {
  const json = page("docs/reference/json.md");
  const shared = sectionOf(json, "Shapes that several commands use");

  it.each([
    ["yore", []],
    ["yore search", ["search", "fence"]],
    ["yore search", ["search", "fence", "--explain"]],
    ["yore show", ["show", "0197f2c4"]],
    ["yore show", ["show", "k00000000001"]],
    ["yore timeline", ["timeline"]],
    ["yore sessions", ["sessions"]],
    ["yore projects", ["projects"]],
    ["yore tags", ["tags"]],
    ["yore tags", ["tags", "rename", "mcp", "x"]],
    ["yore context", ["context", "0197f2c4"]],
    ["yore alias", ["alias", "0197f2c4"]],
    ["yore alias", ["alias", "0197f2c4", "x"]],
    ["yore tag", ["tag", "x", "0197f2c4", "nowhere1"]],
    ["yore untag", ["untag", "mcp", "0197f2c4"]],
    ["yore note", ["note", "0197f2c4"]],
    ["yore note", ["note", "0197f2c4", "x"]],
    ["yore pin", ["pin", "0197f2c4"]],
    ["yore unpin", ["unpin", "0197f2c4"]],
    ["yore pins", ["pins"]],
    ["yore collect", ["collect", "0197f2c4", "x"]],
    ["yore uncollect", ["uncollect", "0197f2c4", "x"]],
    ["yore collections", ["collections"]],
    ["yore log", ["log"]],
    ["yore undo", ["undo"]],
    ["yore audit", ["audit"]],
    ["yore why", ["why"]],
    ["yore why", ["why", "r-0000000001"]],
    ["yore why", ["why", "k00000000001"]],
    ["yore index", ["index"]],
    ["yore index", ["import", "export.zip"]],
    ["yore backup", ["backup"]],
    ["yore redact", ["redact"]],
    ["yore purge", ["purge", "0197f2c4", "--yes"]],
    ["yore enrich", ["enrich"]],
    ["yore enrich", ["enrich", "--drop"]],
    ["yore enrich", ["enrich", "--engine", "command", "model", "--dry-run"]],
    ["yore enrich", ["enrich", "--engine", "command", "model", "--yes"]],
    ["yore vectors", ["vectors"]],
    ["yore vectors", ["vectors", "--use", "minilm"]],
    ["yore vectors", ["vectors", "--drop", "minilm"]],
    ["yore vectors", ["vectors", "--engine", "minilm", "--dry-run"]],
    ["yore vectors", ["vectors", "--engine", "minilm"]],
    ["yore eval", ["eval", "--show"]],
    ["yore stats", ["stats"]],
    ["yore doctor", ["doctor"]],
    ["yore install", ["install", "--yes"]],
    ["yore install", ["uninstall", "--dry-run"]],
  ])("tells every field of %s (%j)", async (heading, argv) => {
    const { stdout } = await runCli([...argv, "--json"]);
    const section = sectionOf(json, heading);
    expect(section).not.toBe("");
    const fields = fieldsOf(JSON.parse(stdout));
    expect(fields.size).toBeGreaterThan(0);
    expect([...fields].filter((field) => !`${section}${shared}`.includes(`\`${field}\``))).toEqual([]);
  });

  it("has a section for every command that prints JSON", () => {
    const told = [...json.matchAll(/^## yore (\w+)$/gm)].map(([, name]) => name);
    expect(told.sort()).toEqual(
      names(commands.filter(({ name }) => !["hook", "mcp", "replay", "watch"].includes(name))).sort(),
    );
  });
});

describe("links", () => {
  it.each(pages)("%s leads to what is there", (path) => {
    const broken = linksOf(page(path)).filter((link) => {
      if (/^(?:https?|mailto):/.test(link)) return false;
      const [file = "", anchor] = link.split("#");
      const target = file === "" ? path : normalize(join(dirname(path), file));
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(page(target)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it.each(pages.filter((path) => !path.startsWith("test/")))("%s names only files that are there", (path) => {
    const named = [...page(path).matchAll(/`((?:src|test|scripts|docs|bench)\/[\w./-]*(?:\/|\.(?:ts|mjs|md)))`/g)];
    expect(named.map(([, file]) => file ?? "").filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it("docs/architecture.md names only constants that are there", () => {
    const code = files.filter((path) => path.startsWith("src/")).map(page);
    const constants = [...page("docs/architecture.md").matchAll(/`([A-Z][A-Z_]{3,})`/g)].map(([, name]) => name ?? "");
    expect(constants.length).toBeGreaterThan(5);
    expect(constants.filter((name) => !code.some((text) => text.includes(name)))).toEqual([]);
  });
});

describe("commands of npm", () => {
  const scripts = ["start", "test", "ci", "link", "run", ...Object.keys(manifest.scripts)];

  it.each(pages.filter((path) => /npm/.test(page(path))))("%s names only those that package.json has", (path) => {
    const run = [...page(path).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name]) => name ?? "");
    const short = [...page(path).matchAll(/\bnpm (ci|start|test|link)\b/g)].map(([, name]) => name ?? "");
    expect([...run, ...short].filter((name) => !scripts.includes(name))).toEqual([]);
    expect(run.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([]);
  });

  it.each(pages)("%s takes it for installed from nowhere, as long as the README says that it is not on npm", (path) => {
    const isPublished = !page("README.md").includes("not on npm yet");
    const installing = page(path).match(/\bnpm (?:install|i) (?:-\w+ )*yore\b|\bnpx (?:-\w+ )*yore\b/g) ?? [];
    expect(isPublished ? [] : installing).toEqual([]);
  });

  it("in the README are the two that a newcomer types", () => {
    expect(page("README.md")).toContain('\nnpm ci && npm start -- search "rate limiter"\n');
    expect(page("README.md")).toContain("\nnpm ci && npm test\n");
    expect(manifest.scripts).toMatchObject({
      start: "node scripts/start.mjs",
      test: expect.stringContaining("vitest"),
    });
  });
});

describe("what the README says of itself", () => {
  const code = files.filter((path) => /^src\/.*\.ts$/.test(path) && !path.endsWith(".test.ts"));
  const using = (pattern: RegExp) => code.filter((path) => pattern.test(page(path)));

  it("is short", () => {
    expect(page("README.md").split("\n").length).toBeLessThanOrEqual(130);
  });

  it("holds: nothing opens a connection but `yore enrich` and `yore vectors`, for which a person names the endpoint", () => {
    const connecting = /["'](?:node:)?(?:https?|http2|net|tls|dgram|dns)["']|\b(?:fetch|WebSocket|EventSource)\b\s*\(/;
    expect(using(connecting)).toEqual(["src/service/engines/post-json.ts"]);
  });

  it("holds: nothing starts a program but the editor that a person asks for, the one `yore enrich` is given, ripgrep for `yore eval`, and for doctor what agents start of ours", () => {
    expect(using(/["'](?:node:)?(?:child_process|cluster)["']/)).toEqual([
      "src/eval/finders/ripgrep.ts",
      "src/install/check.ts",
      // A text: OpenCode's plugin, which OpenCode runs.
      "src/install/opencode-plugin.ts",
      "src/service/engines/command.ts",
      "src/surfaces/cli/editor.ts",
    ]);
  });

  it("holds: nothing but `yore enrich`, and what makes vectors, can ask a model", () => {
    const importing = (pattern: string) =>
      using(new RegExp(`(?:from|import\\() ?["'][^"']*${pattern}["']`)).filter(
        (path) => !path.startsWith("src/service/engines/"),
      );
    // What engines have in common asks nothing.
    expect(importing("engines/(?!(?:engine|ask-again)\\.ts)[^\"']+")).toEqual([
      "src/service/enrich.ts",
      "src/service/make-vectors.ts",
      "src/service/query-embedder.ts",
    ]);
    expect(importing("/enrich\\.ts")).toEqual(["src/service/local.ts", "src/surfaces/cli/commands.ts"]);
    const calling = using(/\.(?:enrich|planEnrichment)\(/).filter((path) => !path.startsWith("src/store/"));
    expect(calling).toEqual(["src/service/enrich.ts", "src/surfaces/cli/commands/enrich.ts"]);
  });

  it("holds: nothing writes to files but what opens the store, archives, mirrors, backs up and records calls, copies a database to read it, sets what is excluded, gives an editor a file, connects agents, keeps the sentence model, and writes where a person says", () => {
    const writes =
      /\b(?:write|append|copy|rename|rm|unlink|truncate|symlink|link|chmod|chown|utimes|mkdir)\w*(?:Sync)?\b/;
    const writing = new RegExp(`import \\{[^}]*${writes.source}[^}]*\\} from "node:fs(?:/promises)?"`);
    // The dictionary quotes code.
    expect(using(writing).filter((path) => path !== "src/store/sqlite/text-dictionary.ts")).toEqual(WRITING);
  });
});

describe("texts of the project", () => {
  const texts = files.filter((path) => !/\.(?:zst|png|db)$/.test(path));

  it("name no paths of the machine they were written on", () => {
    const own = texts.filter((path) => !/^test\/fixtures\/|\.test\.ts$|^bench\//.test(path));
    expect(own.filter((path) => MACHINE_PATHS.test(page(path)))).toEqual([]);
    expect(texts.filter((path) => page(path).includes(ROOT))).toEqual([]);
  });

  it("name no hosts of package registries", () => {
    expect(texts.filter((path) => REGISTRIES.test(page(path)))).toEqual([]);
  });
});

const WRITING = [
  "src/bin/code-cache.ts",
  "src/config/config-file.ts",
  "src/config/redaction-rules.ts",
  "src/config/redaction.ts",
  "src/ingest/archive/redact-archive.ts",
  "src/ingest/archive/writer.ts",
  "src/install/create-installer.ts",
  "src/install/manifest.ts",
  "src/install/text-file.ts",
  "src/service/audit-file.ts",
  "src/service/backup.ts",
  "src/service/engines/command.ts",
  "src/service/mirror-file.ts",
  "src/service/purge-files.ts",
  "src/service/redact-files.ts",
  "src/service/restore-backup.ts",
  "src/sources/database-copy.ts",
  "src/store/sqlite/backup.ts",
  "src/store/sqlite/open.ts",
  "src/surfaces/cli/editor.ts",
  "src/surfaces/cli/output-file.ts",
  "src/surfaces/hooks/run.ts",
  "src/vectors/minilm/onnx-runtime.ts",
];

// In parts, so that this file names none of them itself.
const MACHINE_PATHS = new RegExp(["(?<![\\w.~])/", "(?:work|root|tmp)", "/"].join(""));
const REGISTRIES = new RegExp(["regi", "stry\\.\\w+\\.\\w", '|"resol', 'ved": "http'].join(""));

/** Names of all fields of a JSON value. Of a table by agent only the columns count. */
function fieldsOf(value: unknown, into = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) fieldsOf(item, into);
  else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      if (!sources.some(({ agent }) => agent === name)) into.add(name);
      fieldsOf(inner, into);
    }
  }
  return into;
}
