import { YoreError } from "../core/errors.ts";
import { DEFAULT_VECTORS, type VectorChoice, type VectorSetting } from "../core/vector-choice.ts";
import { configPath, isFields, readConfig, writeConfig } from "./config-file.ts";
import { OFF } from "./settings.ts";

const NAME = "vectors";

/**
 * Which engine answers searches: what stands in `config.json` of Yore's folder, unless `given` in the environment. That
 * names no endpoint, as it has no address for one.
 */
export function vectorSetting(yoreHome: string, given: string | undefined): VectorSetting {
  const path = configPath(yoreHome);
  const named = given === OFF || given === "static" || given === "minilm" ? given : undefined;
  return {
    ...(named !== undefined && { given: named }),
    read: () => (named === undefined ? choiceIn(path) : { engine: named }),
    write: (choice) => {
      const found = readConfig(path);
      if ("problem" in found)
        throw new YoreError("bad-input", `${path} ${found.problem}, so nothing can be set there.`, {
          hint: "Correct it or remove it.",
          cause: found.cause,
        });
      writeConfig(path, { ...found.fields, [NAME]: choice });
    },
  };
}

function choiceIn(path: string): VectorChoice {
  const found = readConfig(path);
  const value = "fields" in found ? found.fields[NAME] : undefined;
  const { engine, model, url, keyVariable } = isFields(value) ? value : { engine: value };
  if (engine === "off" || engine === "static" || engine === "minilm") return { engine };
  if (engine !== "openai-compatible" || typeof model !== "string" || typeof url !== "string") return DEFAULT_VECTORS;
  return { engine, model, url, ...(typeof keyVariable === "string" && { keyVariable }) };
}
