import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import Database from "better-sqlite3";
import type { Item, Source } from "../../src/sources/source.ts";
import { createHome, type TestHome } from "./home.ts";
import { ROOT } from "./pages.ts";

/** What each file or part of a fixture is read as, by its name. Every source's own test holds it true. */
export type ReadFixture = Readonly<Record<string, { readonly session: string; readonly items: readonly Item[] }>>;

export function fixtureNames({ agent }: Source): string[] {
  return readdirSync(join(ROOT, "test/fixtures", agent)).sort();
}

export function readFixture({ source, name }: Fixture): ReadFixture {
  return JSON.parse(readFileSync(join(ROOT, "test/fixtures", source.agent, name, "expected.json"), "utf8"));
}

/** A home into which the files of fixtures can be written. */
export interface FixtureHome {
  readonly home: TestHome;
  /** A home over the same histories, with a store of its own. */
  over(): TestHome;
  /** Paths below the home, in order; a database by its own name. */
  readonly files: readonly string[];
  /** Writes a file, or its first half: of a database, what its first statements make. */
  write(file: string, half?: "half"): void;
}

export interface Fixture {
  readonly source: Source;
  readonly name: string;
}

/** The fixtures of sources, so many at once as can stand in one home: no two with a file of one path. */
export function fixtureGroups(sources: readonly Source[]): readonly (readonly Fixture[])[] {
  const groups: { fixtures: Fixture[]; paths: Set<string> }[] = [];
  for (const source of sources)
    for (const name of fixtureNames(source)) {
      const paths = [...originalsOf({ source, name }).keys()];
      const free = groups.find((group) => paths.every((path) => !group.paths.has(path)));
      if (free === undefined) groups.push({ fixtures: [{ source, name }], paths: new Set(paths) });
      else {
        free.fixtures.push({ source, name });
        for (const path of paths) free.paths.add(path);
      }
    }
  return groups.map(({ fixtures }) => fixtures);
}

/** Projects of the fixtures stand below `work` in the home. */
export function fixtureHome(fixtures: readonly Fixture[]): FixtureHome {
  const originals = new Map(fixtures.flatMap((fixture) => [...originalsOf(fixture)]));
  const files = [...originals.keys()];
  const projects = files.flatMap((file) => /^work\/[^/]+/.exec(file)?.[0] ?? []);
  const machine = { workFolders: [...new Set(projects)], now: NOW };
  const home = createHome(machine);
  return {
    home,
    over: () => createHome({ ...machine, over: home }),
    files,
    write: (file, half) => writeFixture(originals.get(file) ?? "", join(home.home, file), half),
  };
}

/** The files of a fixture by their path below a home. */
function originalsOf({ source, name }: Fixture): ReadonlyMap<string, string> {
  const folder = join(ROOT, "test/fixtures", source.agent, name);
  const below = (from: string, to: string) =>
    filesBelow(join(folder, from)).map(
      (path) => [join(to, relative(join(folder, from), path)).replace(/\.sql$/, ""), path] as const,
    );
  return new Map([...below("home", ""), ...below("work", "work")]);
}

function writeFixture(from: string, to: string, half: "half" | undefined): void {
  const isDatabase = from.endsWith(".sql");
  mkdirSync(dirname(to), { recursive: true });
  if (isDatabase) build(from, to, half !== undefined);
  else {
    cpSync(from, to);
    if (half !== undefined) truncateSync(to, Math.floor(statSync(to).size / 2));
  }
  // What has no time of its own has the file's. A database may be as long as it was, and is known by its time alone.
  const at = (isDatabase && half !== undefined ? WRITTEN - 60_000 : WRITTEN) / 1_000;
  utimesSync(to, at, at);
}

/** After everything that the fixtures tell of. */
const NOW = Date.parse("2026-12-01T12:00:00Z");
const WRITTEN = NOW - 3_600_000;

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function build(script: string, path: string, isHalf: boolean): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  const text = readFileSync(script, "utf8");
  const statements = text.split(/(?<=;)\n/);
  const tables = statements.findLastIndex((statement) => /^\s*CREATE /.test(statement)) + 1;
  const until = isHalf ? tables + Math.floor((statements.length - tables) / 2) : statements.length;
  const database = new Database(path);
  database.exec(statements.slice(0, until).join("\n"));
  database.close();
}
