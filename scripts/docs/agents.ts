import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EDITORS } from "../../src/sources/editors.ts";
import { sources } from "../../src/sources/registry.ts";
import type { Evidence, Item, Source } from "../../src/sources/source.ts";
import { GENERATED, page, table } from "./markdown.ts";

/** What is read of each agent, where, and how far that was checked. `root` is the project's folder. */
export function renderAgents(root: string): string {
  return page(
    "# Agents",
    GENERATED,
    INTRODUCTION,
    table(
      ["agent", "id", "history in", "checked on"],
      sources.map((source) => [
        `[${source.name}](#${anchorOf(source)})`,
        `\`${source.agent}\``,
        inShort(foldersOn(source, "linux")),
        CHECKED_ON[source.evidence],
      ]),
    ),
    EVIDENCE,
    "## What comes out",
    `Prompts come out of every agent's history. Of the rest a column has a mark where a fixture of the agent holds it:`,
    table(
      ["agent", ...FEATURES.map(([name]) => name)],
      sources.map((source) => {
        const items = fixtureItems(root, source);
        return [source.name, ...FEATURES.map(([, isShown]) => (items.some(isShown) ? "✓" : ""))];
      }),
    ),
    ...sources.flatMap(renderAgent),
  );
}

/** Names of the variables a source asks for to find its folders, where none is set. */
export function variablesOf(source: Source): string[] {
  const names = new Set<string>();
  const variables = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get: (_, name) => {
        names.add(String(name));
        return undefined;
      },
    },
  );
  for (const platform of PLATFORMS) source.roots({ home: HOME, platform, variables, workFolders: [PROJECT] });
  return [...names];
}

const HOME = "~";
const PROJECT = "<project>";
const NOWHERE = "nowhere: `yore import` reads the files that you name";
/** Of agents that have no folder of their own here, the one their source is in. */
const FOLDERS: Readonly<Record<string, string>> = { kilo: "opencode", "mimo-code": "opencode" };
const PLATFORMS = ["linux", "darwin", "win32"] as const;
const SYSTEMS = { linux: "Linux", darwin: "macOS", win32: "Windows" } as const;

const CHECKED_ON: Readonly<Record<Evidence, string>> = {
  program: "the program itself",
  sample: "published files",
  fixture: "fixtures only",
};

const INTRODUCTION = `The formats are not documented by their makers and change often. What is not known is passed over, counted, and shown by
\`yore doctor\`; it is never an error. Of every agent, files are only read, never written, locked or moved. Symbolic links are
followed, and a file that several lead to is read once. A file that vanished leaves its sessions in the store, as archived.

\`~\` is the home folder, \`<project>\` each folder that a session was worked in. \`<editor>\` stands for the editors that
descend from VS Code: ${EDITORS.map((name) => name).join(", ")}; \`<server>\` for what they install on a machine that they
are connected to, and \`<app>\` for their Flatpaks.`;

const EVIDENCE = `What was checked, and on what:

- **The program itself**: \`npm run test:agents\` runs a recent version and indexes what it wrote, tool calls, errors and
  resumed sessions among it.
- **Published files**: real files that others published were counted item by item. What they do not hold was checked on
  fixtures.
- **Fixtures only**: no real file was at hand. The fixtures were written by hand after the program's source or the notes of
  other readers. A real history may differ; then records are passed over and counted.`;

const FEATURES: readonly (readonly [name: string, isShown: (item: Item) => boolean])[] = [
  ["answers", (item) => item.kind === "message" && item.role === "assistant" && item.part === "text"],
  ["tool calls", (item) => item.kind === "message" && item.part === "call"],
  ["failures", (item) => item.kind === "message" && item.part === "result" && item.tool?.isError === true],
  ["durations", (item) => item.kind === "message" && item.tool?.durationMs !== undefined],
  ["thinking", (item) => item.kind === "message" && item.part === "thinking"],
  ["files touched", (item) => item.kind === "message" && item.tool?.files !== undefined],
  ["commands", (item) => item.kind === "message" && item.tool?.commands !== undefined],
  ["exit codes", (item) => item.kind === "message" && item.tool?.exitCode !== undefined],
  ["summaries", (item) => item.kind === "message" && item.role === "summary"],
  ["titles", (item) => item.kind === "title"],
  ["tokens", (item) => item.kind === "usage"],
  ["branches", (item) => (item.kind === "message" || item.kind === "session") && item.branch !== undefined],
  ["subagents", (item) => item.kind === "session" && item.parent?.relation === "subagent"],
  ["forks", (item) => item.kind === "session" && item.parent?.relation === "fork"],
];

function renderAgent(source: Source): string[] {
  const { name, agent, formats, notRead, evidence } = source;
  const variables = variablesOf(source);
  const folder = FOLDERS[agent] ?? agent;
  return [
    `## ${name}`,
    table(
      ["", ""],
      [
        ...(rootsOf(source).length === 0 ? [["looked in", NOWHERE]] : []),
        ...rootsOf(source).map(([system, folders]) => [system === "" ? "looked in" : `on ${system}`, codes(folders)]),
        ["variables", variables.length === 0 ? "none" : codes(variables)],
        ["formats", formats],
        ["not read", notRead],
        ["checked on", CHECKED_ON[evidence]],
        ["details", `[src/sources/${folder}](../src/sources/${folder}/README.md)`],
      ],
    ),
  ];
}

/** Folders as they are with nothing set: those of every system, then those of one. */
function rootsOf(source: Source): readonly (readonly [system: string, folders: readonly string[]])[] {
  const perSystem = PLATFORMS.map((platform) => foldersOn(source, platform));
  const [first = []] = perSystem;
  const shared = first.filter((folder) => perSystem.every((folders) => folders.includes(folder)));
  const own = PLATFORMS.map((platform, at): readonly [string, readonly string[]] => [
    SYSTEMS[platform],
    (perSystem[at] ?? []).filter((folder) => !shared.includes(folder)),
  ]);
  return [["", shared] as const, ...own].filter(([, folders]) => folders.length > 0);
}

function foldersOn(source: Source, platform: NodeJS.Platform): string[] {
  const roots = source.roots({ home: HOME, platform, variables: {}, workFolders: [PROJECT] });
  return [...new Set(roots.map(withoutEditors))];
}

/** Editors are many, and each has the same folders below its own. */
function withoutEditors(path: string): string {
  const parts = path.replaceAll("\\", "/").split("/");
  const named = parts.map((part) => {
    if ((EDITORS as readonly string[]).includes(part)) return "<editor>";
    if (/^\.[\w-]+-(?:server|remote)(?:-insiders)?$/.test(part)) return "<server>";
    return /^com\.\w/.test(part) ? "<app>" : part;
  });
  return named.join("/");
}

/** Everything that the agent's fixtures are read as. */
function fixtureItems(root: string, { agent }: Source): Item[] {
  const folder = join(root, "test/fixtures", agent);
  return readdirSync(folder).flatMap((name) => {
    const expected: Readonly<Record<string, { readonly items: readonly Item[] }>> = JSON.parse(
      readFileSync(join(folder, name, "expected.json"), "utf8"),
    );
    return Object.values(expected).flatMap(({ items }) => items);
  });
}

function codes(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(", ");
}

function inShort(folders: readonly string[]): string {
  if (folders.length === 0) return "an export";
  return codes(folders.slice(0, 2)) + (folders.length > 2 ? ", …" : "");
}

/** As GitHub makes anchors of headings. */
function anchorOf({ name }: Source): string {
  return name
    .toLowerCase()
    .replace(/[^\w -]/g, "")
    .replaceAll(" ", "-");
}
