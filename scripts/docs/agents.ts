import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
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
        codes(rootsOf(source).slice(0, 2)) + (rootsOf(source).length > 2 ? ", …" : ""),
        CHECKED_ON[source.evidence],
      ]),
    ),
    EVIDENCE,
    "## What comes out",
    `Prompts, answers, and tool calls with their results come out of every agent's history. Of the rest a column has a
mark where a fixture of the agent holds it:`,
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
  for (const platform of PLATFORMS) source.roots({ home: HOME, platform, variables, workFolders: [] });
  return [...names];
}

const HOME = "~";
const PLATFORMS = ["linux", "darwin", "win32"] as const;

const CHECKED_ON: Readonly<Record<Evidence, string>> = {
  program: "the program itself",
  sample: "published files",
  fixture: "fixtures only",
};

const INTRODUCTION = `The formats are not documented by their makers and change often. What is not known is passed over, counted, and shown by
\`yore doctor\`; it is never an error. Of every agent, files are only read, never written, locked or moved. Symbolic links are
followed, and a file that several lead to is read once. A file that vanished leaves its sessions in the store, as archived.`;

const EVIDENCE = `What was checked, and on what:

- **The program itself**: \`npm run test:clients\` runs a recent version, and what it wrote is searched and read. Real files that
  others published were counted item by item as well.
- **Published files**: real files that others published were counted item by item. What they do not hold was checked on
  fixtures.
- **Fixtures only**: no real file was at hand. The fixtures were written by hand after the program's source or the notes of
  other readers. A real history may differ; then records are passed over and counted.`;

const FEATURES: readonly (readonly [name: string, isShown: (item: Item) => boolean])[] = [
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
  return [
    `## ${name}`,
    table(
      ["", ""],
      [
        ["looked in", codes(rootsOf(source))],
        ["variables", variables.length === 0 ? "none" : codes(variables)],
        ["formats", formats],
        ["not read", notRead],
        ["checked on", CHECKED_ON[evidence]],
        ["details", `[src/sources/${agent}](../src/sources/${agent}/README.md)`],
      ],
    ),
  ];
}

/** Folders as they are with nothing set. They are the same on every system; this fails where that changes. */
function rootsOf(source: Source): readonly string[] {
  const [roots = [], ...others] = PLATFORMS.map((platform) =>
    source.roots({ home: HOME, platform, variables: {}, workFolders: [] }),
  );
  for (const other of others) {
    if (other.join() !== roots.join()) throw new Error(`${source.name} is elsewhere on another system: say so here.`);
  }
  return roots.map((path) => path.replaceAll("\\", "/"));
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

function anchorOf({ name }: Source): string {
  return name.toLowerCase().replaceAll(" ", "-");
}
