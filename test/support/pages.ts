import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** Folders of files that are not ours, or not kept. */
const FOREIGN = new Set(["node_modules", "dist", ".git", ".yore", "coverage"]);

/** Every file of the project, by its path from the root, in order. */
export function projectFiles(folder = ""): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !FOREIGN.has(name))
    .flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? projectFiles(path) : [path];
    })
    .sort();
}

export function readProject(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Where the links and pictures of a page lead, outside of code. */
export function linksOf(markdown: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? "");
}

/** Names under which the headings of a page can be linked to, as GitHub makes them. */
export function anchorsOf(markdown: string): string[] {
  return [...markdown.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** The text below a heading of the second level, to the next. */
export function sectionOf(markdown: string, heading: string): string {
  return markdown.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? "";
}
