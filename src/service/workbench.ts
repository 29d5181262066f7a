import type { RedactionOptions } from "../core/redact.ts";
import type { Clock } from "../core/time.ts";
import type { VectorSetting } from "../core/vector-choice.ts";
import type { Source, SourceEnvironment } from "../sources/source.ts";
import type { Slice, Store } from "../store/store.ts";
import type { AnnotationMirror } from "./annotation-mirror.ts";
import type { Keeper } from "./keeper.ts";
import type { ProjectExclusions } from "./project-exclusions.ts";
import type { ProjectMirror } from "./project-mirror.ts";
import type { QueryEmbedder } from "./query-embedder.ts";
import type { Vectors } from "./vectors.ts";
import type { WatchOptions } from "./watch.ts";
import type { Finding, PageRequest } from "./yore.ts";

/** What the parts of the local service work with. */
export interface Workbench {
  readonly store: Store;
  readonly sources: readonly Source[];
  readonly environment: SourceEnvironment;
  readonly keeper: Keeper;
  readonly mirror: ProjectMirror;
  readonly annotationMirror: AnnotationMirror;
  readonly exclusions: ProjectExclusions;
  /** Absent where no vectors are to be made or asked. */
  readonly vectors?: Vectors;
  /** The folder that is worked in. */
  readonly folder?: string;
  /** Who changes something where a request does not say. */
  readonly author?: string;
  /** What is redacted; where it is absent, nobody can add to it. */
  readonly redaction?: RedactionRules;
  /** Which engine answers searches. */
  readonly vectorSetting: VectorSetting;
  /** What a query means, to be compared with vectors that are stored; see {@link QueryEmbedder}. */
  readonly embedQuery: QueryEmbedder["embedQuery"];
  readonly closeQueries: QueryEmbedder["close"];
  readonly clock: Clock;
  readonly timeZone: string | undefined;
  readonly yoreHome: string;
  readonly storePath: string;
  readonly archivePath: string;
  /** What was found wrong when this was put together. */
  readonly found?: readonly Finding[];
  /** How files are followed; for tests. */
  readonly watching?: Pick<WatchOptions, "pace" | "follower">;
}

/** By what rules texts are redacted, and what a person adds to them. */
export interface RedactionRules {
  readonly current: () => RedactionOptions;
  /** The same with further rules, which are not kept. Throws `bad-input` for what cannot be a rule. */
  readonly withGiven: (given: GivenRules) => RedactionOptions;
  /** Keeps further rules for all that is stored from now on. */
  readonly keep: (given: GivenRules) => void;
}

interface GivenRules {
  readonly patterns: readonly string[];
  readonly texts: readonly string[];
}

const DEFAULT_PAGE = 50;
const MAX_PAGE = 10_000;

export function sliceOf({ offset = 0, limit = DEFAULT_PAGE }: PageRequest): Slice {
  return { offset: Math.max(0, offset), limit: Math.min(Math.max(1, limit), MAX_PAGE) };
}
