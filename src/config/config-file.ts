import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What a person set, by name, as it stands in `config.json` of Yore's folder. */
export type Fields = Readonly<Record<string, unknown>>;

export function configPath(yoreHome: string): string {
  return join(yoreHome, "config.json");
}

/** What the file holds; `problem` where that is nothing that can be read. A file that is not there holds nothing. */
export function readConfig(
  path: string,
): { readonly fields: Fields } | { readonly problem: string; readonly cause?: unknown } {
  let text: string;
  try {
    text = readFileSync(path, "utf8").replace(/^\ufeff/, "");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return { fields: {} };
    return { problem: "cannot be read", cause };
  }
  try {
    const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return isFields(value) ? { fields: value } : { problem: "is no object" };
  } catch (cause) {
    return { problem: "is no JSON", cause };
  }
}

/** Writes the whole file, which only its owner can read. */
export function writeConfig(path: string, fields: Fields): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Whoever reads it meanwhile must not find half of it.
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, `${JSON.stringify(fields, undefined, 2)}\n`, { mode: 0o600 });
    chmodSync(draft, 0o600);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
