import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { YoreError } from "../core/errors.ts";
import type { ExclusionSetting } from "../core/exclusion.ts";

const FILE = "config.json";
const NAME = "excludeProjects";

/** Which projects are excluded: what the environment says, and what stands in `config.json` of Yore's folder. */
export function exclusionSetting(yoreHome: string, fixed: readonly string[]): ExclusionSetting {
  const path = join(yoreHome, FILE);
  return {
    fixed,
    path,
    read: () => patternsOf(fieldsIn(path), path),
    write: (patterns) => {
      const { [NAME]: _, ...others } = fieldsIn(path);
      const fields = { ...others, ...(patterns.length > 0 && { [NAME]: patterns }) };
      mkdirSync(yoreHome, { recursive: true, mode: 0o700 });
      // Whoever reads it meanwhile must not find half of it.
      const draft = `${path}.${process.pid}.tmp`;
      try {
        writeFileSync(draft, `${JSON.stringify(fields, undefined, 2)}\n`, { mode: 0o600 });
        chmodSync(draft, 0o600);
        renameSync(draft, path);
      } finally {
        rmSync(draft, { force: true });
      }
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsIn(path: string): Fields {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw unusable(path, "cannot be read", error);
  }
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, "").trim() === "" ? "{}" : text.replace(/^\ufeff/, ""));
    if (isFields(value)) return value;
  } catch (error) {
    throw unusable(path, "is no JSON", error);
  }
  throw unusable(path, "is no object");
}

function patternsOf(fields: Fields, path: string): readonly string[] {
  const value = fields[NAME] ?? [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const patterns = list.filter((one) => typeof one === "string");
  if (patterns.length < list.length) throw unusable(path, `has something else than texts in ${NAME}`);
  return patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== "");
}

function unusable(path: string, problem: string, cause?: unknown): YoreError {
  return new YoreError("bad-input", `${path} ${problem}, so it is not known which projects are excluded.`, {
    hint: `Correct it, such as {"${NAME}": ["/home/me/private"]}, or remove it.`,
    cause,
  });
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
