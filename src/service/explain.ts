import { existsSync } from "node:fs";
import { YoreError } from "../core/errors.ts";
import { MEMORY_AGENT } from "../core/memory.ts";
import { ruleOf } from "../core/traits.ts";
import { archiveFolder } from "../ingest/archive/place.ts";
import type { ExplainedPlace, Receipts } from "./receipts-api.ts";
import type { Workbench } from "./workbench.ts";
import type { MessageRecord, Yore } from "./yore.ts";

const RECEIPTS_TOLD = 10;

/** Where an observation comes from. */
export function explaining(
  bench: Workbench,
  { observations, receipts }: Pick<Yore, "observations" | "receipts">,
): Pick<Receipts, "explain"> {
  return {
    async explain({ observation: asked }) {
      const { observations: found, missing } = await observations({ ids: [asked] });
      const [observation] = found;
      if (observation === undefined) {
        const nearest = missing[0]?.nearest ?? [];
        throw new YoreError("not-found", "There is no observation with that id.", {
          hint: nearest.length === 0 ? "Find ids with `yore search`." : `Nearest: ${nearest.join(", ")}.`,
        });
      }
      const { id, agent, messages } = observation;
      const isMemory = agent === MEMORY_AGENT;
      const [stored] = await bench.store.observations.byPrefix(id, 1);
      const traits = stored === undefined || isMemory ? undefined : await bench.store.observations.traits(stored.id);
      return {
        observation,
        ...(traits !== undefined && { typeRule: ruleOf(traits) }),
        places: isMemory ? [] : await placesOf(bench, agent, messages),
        receipts: await receipts({ observation: id, limit: RECEIPTS_TOLD }),
      };
    },
  };
}

async function placesOf(
  bench: Workbench,
  agent: string,
  messages: readonly MessageRecord[],
): Promise<readonly ExplainedPlace[]> {
  const byFile = new Map<string, number[]>();
  for (const { file, byte } of messages) {
    if (file !== undefined) byFile.set(file, [...(byFile.get(file) ?? []), byte ?? 0]);
  }
  return Promise.all(
    [...byFile].map(async ([file, bytes]) => ({
      ...(await fileOf(bench, agent, file)),
      from: Math.min(...bytes),
      to: Math.max(...bytes),
      messages: bytes.length,
    })),
  );
}

async function fileOf(
  { store, archivePath }: Workbench,
  agent: string,
  file: string,
): Promise<Pick<ExplainedPlace, "path" | "part" | "state">> {
  const container = (await store.files.at(file)).find((known) => known.path === file)?.container;
  const path = container ?? file;
  const part = container === undefined ? {} : { part: file.slice(container.length + 1) };
  if (existsSync(path)) return { path, ...part, state: "there" };
  return {
    path,
    ...part,
    state: existsSync(archiveFolder(archivePath, { agent, path, ...part })) ? "archived" : "stored",
  };
}
