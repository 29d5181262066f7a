import { YoreError } from "../core/errors.ts";
import type { VectorChoice } from "../core/vector-choice.ts";
import { engineName } from "../vectors/engine.ts";
import { modelsFolderIn } from "../vectors/minilm/packages.ts";
import { MINILM_ID } from "../vectors/minilm/sentence-model.ts";
import type { VectorState, VectorStates } from "./vectors-api.ts";
import type { Workbench } from "./workbench.ts";
import type { Finding, VectorHealth } from "./yore.ts";

/** What there is of each engine's vectors, and whose are asked. */
export async function vectorStates({ store, vectorSetting, vectors }: Workbench): Promise<VectorStates> {
  const choice = vectorSetting.read();
  const { asked, problem } = choice.engine === "static" ? await askedOfTable(vectors) : { asked: idOf(choice) };
  const { observations } = await store.vectors.coverage("");
  const engines: VectorState[] = [];
  for (const { id, dims } of await store.vectors.engines()) {
    const { covered, bytes } = await store.vectors.coverage(id);
    engines.push({ engine: id, dims, covered, bytes, isAsked: id === asked });
  }
  return { observations, chosen: choice.engine, engines, ...(problem !== undefined && { problem }) };
}

/** The table may be damaged, which is told, and keeps nothing else from being told. */
async function askedOfTable(vectors: Workbench["vectors"]): Promise<{ asked?: string; problem?: string }> {
  try {
    const engine = await vectors?.asking();
    return engine === undefined ? {} : { asked: engine.id };
  } catch (error) {
    if (error instanceof YoreError) return { problem: error.message };
    throw error;
  }
}

/** The engine that was chosen in the place of the table, where it has made vectors. */
export async function askedOf({ store, vectorSetting }: Workbench): Promise<string | undefined> {
  const wanted = idOf(vectorSetting.read());
  return (await store.vectors.engines()).find(({ id }) => id === wanted)?.id;
}

/** The id of the engine that was chosen; undefined where there are several, or none is wanted. */
export function idOf(choice: VectorChoice): string | undefined {
  if (choice.engine === "minilm") return MINILM_ID;
  return choice.engine === "openai-compatible" ? `openai-compatible/${choice.model}` : undefined;
}

/** Of the engine that was chosen in the place of the table; undefined where none was. */
export function chosenHealth({ chosen, engines, observations }: VectorStates): VectorHealth | undefined {
  if (chosen === "off" || chosen === "static") return undefined;
  const { engine, covered = 0, bytes = 0 } = engines.find(({ isAsked }) => isAsked) ?? {};
  return { ...(engine !== undefined && { engine }), covered, observations, bytes };
}

/** What keeps searches from being answered by the engine that was chosen. */
export async function vectorFindings(
  { yoreHome }: Workbench,
  { chosen, engines, observations, problem }: VectorStates,
): Promise<readonly Finding[]> {
  if (problem !== undefined) return [{ level: "warning", message: problem, remedy: "Install yore anew." }];
  if (chosen === "off" || chosen === "static") return [];
  const findings: Finding[] = [];
  const covered = engines.find(({ isAsked }) => isAsked)?.covered ?? 0;
  if (covered < observations)
    findings.push({
      level: "note",
      message: `Searches are answered by ${chosen}, which has embedded ${covered} of ${observations} observations. The others are found by their words alone.`,
      remedy: `Run \`yore vectors --engine ${chosen}\` again, as you did before, or go back with \`yore vectors --use static\`.`,
    });
  if (chosen !== "minilm") return findings;
  const { installCommand, installedRuntime } = await import("../vectors/minilm/open.ts");
  const models = modelsFolderIn(yoreHome);
  if (installedRuntime({ models }) === undefined)
    findings.push({
      level: "warning",
      message: "Searches are to be answered by the sentence model, which is not installed.",
      remedy: `Install it with \`${installCommand(models)}\`, or go back with \`yore vectors --use static\`.`,
    });
  return findings;
}

/** Whether an engine is meant by a name or an id. */
export function isMeant(id: string, name: string): boolean {
  return id === name || engineName(id) === name;
}
