import type { EndpointChoice, VectorSetting } from "../core/vector-choice.ts";
import type { SourceEnvironment } from "../sources/source.ts";
import type { Store } from "../store/store.ts";
import type { VectorEngine } from "../vectors/engine.ts";
import { modelsFolderIn } from "../vectors/minilm/packages.ts";
import { MINILM_ID } from "../vectors/minilm/sentence-model.ts";
import type { Embedding } from "../vectors/static-embedder.ts";
import type { ModelThread } from "./model-thread.ts";
import { idOf } from "./vector-states.ts";
import type { Vectors } from "./vectors.ts";

/** What a query means, in the numbers of the engine whose vectors it is compared with. */
export interface EmbeddedQuery {
  readonly engine: string;
  readonly vector: Embedding;
}

export interface QueryEmbedder {
  /**
   * By the engine that was chosen, else by the table that comes with the program; undefined where there are no vectors to
   * compare with, or nothing in the text says anything to the engine. Never throws: search does without.
   */
  readonly embedQuery: (text: string) => Promise<EmbeddedQuery | undefined>;
  readonly close: () => Promise<void>;
}

interface World {
  readonly store: Store;
  readonly setting: VectorSetting;
  /** Of the table that comes with the program; absent where no vectors are to be asked. */
  readonly vectors?: Pick<Vectors, "asking">;
  readonly yoreHome: string;
  readonly environment: Pick<SourceEnvironment, "home" | "variables">;
  /** A person waits for a model to be loaded; an agent gets its first answers without. */
  readonly isPatient: boolean;
}

/** An endpoint that takes longer is not waited for: the words of a query find the most. */
const ENDPOINT_MS = 1_000;

export function queryEmbedder(world: World): QueryEmbedder {
  const { store, setting, vectors, isPatient } = world;
  let thread: ModelThread | undefined;

  const byTable = async (text: string): Promise<EmbeddedQuery | undefined> => embedded(await vectors?.asking(), text);

  const byModel = async (text: string): Promise<EmbeddedQuery | undefined> => {
    if (thread === undefined) {
      const { startModelThread } = await import("./model-thread.ts");
      thread ??= startModelThread(modelsFolderIn(world.yoreHome));
    }
    if (!isPatient && !thread.isReady()) return byTable(text);
    const vector = await thread.embed(text);
    return vector === undefined ? byTable(text) : { engine: MINILM_ID, vector };
  };

  const byEndpoint = async (choice: EndpointChoice, id: string, text: string): Promise<EmbeddedQuery | undefined> => {
    const { vectorEngine } = await import("./engines/open-vectors.ts");
    const models = modelsFolderIn(world.yoreHome);
    const closed = vectorEngine(choice, { ...world.environment, models, timeoutMs: ENDPOINT_MS });
    const vector = await closed.embedOne?.(text, AbortSignal.timeout(ENDPOINT_MS));
    return vector === undefined ? undefined : { engine: id, vector };
  };

  const embedQuery = async (text: string): Promise<EmbeddedQuery | undefined> => {
    const choice = setting.read();
    if (choice.engine === "off") return undefined;
    if (choice.engine === "static") return byTable(text);
    const known = await store.vectors.engines();
    const id = idOf(choice);
    const stored = known.find((one) => one.id === id);
    if (id === undefined || stored === undefined || stored.covered === 0) return byTable(text);
    const query = choice.engine === "minilm" ? await byModel(text) : await byEndpoint(choice, id, text);
    // Another model of the same name.
    if (query?.engine === id && query.vector.values.length !== stored.dims) return undefined;
    return query;
  };

  return {
    embedQuery: (text) => embedQuery(text).catch(() => undefined),
    close: async () => thread?.close(),
  };
}

async function embedded(engine: VectorEngine | undefined, text: string): Promise<EmbeddedQuery | undefined> {
  const [vector] = (await engine?.embed([text])) ?? [];
  return engine === undefined || vector === undefined ? undefined : { engine: engine.id, vector };
}
