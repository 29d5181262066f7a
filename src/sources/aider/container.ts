import { closeSync, openSync, readSync } from "node:fs";
import { basename, dirname } from "node:path";
import { hashOf } from "../fields.ts";
import type { Container, FoundFile, FoundPart } from "../source.ts";
import { findSections, type Section } from "./sections.ts";
import { splitRun } from "./split.ts";

/** A chat history: one part for each run of Aider, named by when it was started. */
export function openHistory({ path }: FoundFile): Container {
  const file = openSync(path, "r");
  let known: ReadonlyMap<string, Section> | undefined;
  const sections = (): ReadonlyMap<string, Section> => {
    known = nameSections(findSections(file));
    return known;
  };
  return {
    *parts() {
      for (const [name, section] of sections()) {
        // Without a heading it may be any text: it is a history if it holds a prompt.
        if (section.start === undefined && !readSection(file, section).includes("####")) continue;
        yield partOf(name, section);
      }
    },
    *records({ name }) {
      const runs = known ?? sections();
      const section = runs.get(name);
      if (section === undefined) return;
      const entries = [...splitRun(readSection(file, section))];
      if (section.start === undefined && !entries.some(({ type }) => type === "prompt")) return;
      yield headOf(name, section, path, runs);
      yield* entries;
    },
    close: () => closeSync(file),
  };
}

/** The time a run began, as this machine's clock shows it, in milliseconds. */
export function localTime(start: string): number | undefined {
  const at = new Date(start.replace(" ", "T")).getTime();
  return Number.isNaN(at) ? undefined : at;
}

const UNTIMED = "untimed";
const MAX_BYTES = 32_000_000;

/** Runs that were started in the same second are numbered. */
function nameSections(sections: readonly Section[]): ReadonlyMap<string, Section> {
  const named = new Map<string, Section>();
  for (const section of sections) {
    const name = section.start?.replace(" ", "T").replaceAll(":", "-") ?? UNTIMED;
    let nth = 1;
    while (named.has(nth === 1 ? name : `${name}~${nth}`)) nth += 1;
    named.set(nth === 1 ? name : `${name}~${nth}`, section);
  }
  return named;
}

function partOf(name: string, { start, from, to }: Section): FoundPart {
  const createdAt = start === undefined ? undefined : localTime(start);
  return { name, revision: `${from}:${to - from}`, bytes: to - from, ...(createdAt !== undefined && { createdAt }) };
}

/** The folder's name tells runs of the same second in different projects apart, and is the same on other machines. */
function headOf(name: string, { start }: Section, path: string, runs: ReadonlyMap<string, Section>): object {
  const cwd = dirname(path);
  // What stands before the first run was said no later than that.
  const time = start ?? [...runs.values()].find((run) => run.start !== undefined)?.start;
  const at = time === undefined ? undefined : localTime(time);
  return {
    type: "run",
    session: `${name}-${hashOf(basename(cwd))}`,
    cwd,
    ...(start !== undefined && { start }),
    ...(at !== undefined && { at }),
  };
}

function readSection(file: number, { from, to }: Section): string {
  const buffer = Buffer.allocUnsafe(Math.min(to - from, MAX_BYTES));
  const read = readSync(file, buffer, 0, buffer.length, from);
  const text = buffer.toString("utf8", 0, read);
  const body = text.slice(text.startsWith("# aider chat") ? text.indexOf("\n") + 1 : 0);
  return to - from > MAX_BYTES ? `${body}\n[… ${to - from - MAX_BYTES} bytes left out …]\n` : body;
}
