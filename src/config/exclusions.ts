import { YoreError } from "../core/errors.ts";
import type { ExclusionSetting } from "../core/exclusion.ts";
import { configPath, type Fields, readConfig, writeConfig } from "./config-file.ts";

const NAME = "excludeProjects";

/** Which projects are excluded: what the environment says, and what stands in `config.json` of Yore's folder. */
export function exclusionSetting(yoreHome: string, fixed: readonly string[]): ExclusionSetting {
  const path = configPath(yoreHome);
  return {
    fixed,
    path,
    read: () => patternsOf(fieldsIn(path), path),
    write: (patterns) => {
      const { [NAME]: _, ...others } = fieldsIn(path);
      writeConfig(path, { ...others, ...(patterns.length > 0 && { [NAME]: patterns }) });
    },
  };
}

function fieldsIn(path: string): Fields {
  const found = readConfig(path);
  if ("fields" in found) return found.fields;
  throw unusable(path, found.problem, found.cause);
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
