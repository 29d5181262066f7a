import { YoreError } from "../../core/errors.ts";
import type { Clock } from "../../core/time.ts";
import type { Yore } from "../../service/yore.ts";
import type { ResourceKind } from "./resources.ts";

export interface CompletionContext {
  readonly yore: Yore;
  readonly clock: Clock;
}

/** Ids that begin with what was typed, most recent first, at most 100. */
export async function completeId(kind: ResourceKind, typed: string, context: CompletionContext) {
  const values = typed.length > MAX_TYPED_CHARS ? [] : await COMPLETERS[kind](typed, context);
  const known = [...new Set(values)];
  return { values: known.slice(0, MOST), total: known.length, hasMore: known.length > MOST };
}

type Completer = (typed: string, context: CompletionContext) => Promise<readonly string[]>;

const COMPLETERS: Readonly<Record<ResourceKind, Completer>> = {
  async project(typed, { yore }) {
    const { items } = await yore.projects({ limit: RECENT });
    return items.filter(({ id, name }) => id.startsWith(typed) || name.startsWith(typed)).map(({ id }) => id);
  },
  async session(typed, { yore }) {
    const { items } = await yore.sessions({ limit: RECENT });
    const recent = items.filter(({ id, alias }) => id.startsWith(typed) || alias?.startsWith(typed) === true);
    if (recent.length > 0 || typed.length < LEAST_SESSION_PREFIX) return recent.map(({ id }) => id);
    return orNothing(async () => [(await yore.session({ session: typed, limit: 1 })).session.id]);
  },
  async observation(typed, { yore, clock }) {
    const { entries } = await yore.timeline({ at: clock(), before: 20, after: 0 });
    const recent = entries.map(({ id }) => id).reverse();
    if (typed.length < LEAST_OBSERVATION_PREFIX) return recent.filter((id) => id.startsWith(typed));
    return orNothing(async () => {
      const { observations, missing } = await yore.observations({ ids: [typed] });
      const near = missing.flatMap(({ nearest }) => nearest);
      return [...observations.map(({ id }) => id), ...near].filter((id) => id.startsWith(typed));
    });
  },
};

async function orNothing(find: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof YoreError) return [];
    throw error;
  }
}

const MOST = 100;
const RECENT = 200;
const MAX_TYPED_CHARS = 200;
const LEAST_SESSION_PREFIX = 8;
const LEAST_OBSERVATION_PREFIX = 6;
