import { afterEach } from "vitest";
import type { Clock } from "../../../src/core/time.ts";
import type { HistoryWriter, Store } from "../../../src/store/store.ts";
import { START } from "../../support/seed.ts";

export interface OpenedStore {
  readonly store: Store;
  /** Another connection to the same data. Closed with the first. */
  again(): Promise<Store>;
  dispose(): Promise<void>;
}

/** Opens an empty store. */
export type OpenStore = (clock: Clock) => Promise<OpenedStore>;

/** A store for each test of a block, opened when it is asked for and disposed of afterwards. */
export function storeForEach(open: OpenStore): {
  readonly store: () => Promise<Store>;
  readonly again: () => Promise<Store>;
  readonly writer: () => Promise<HistoryWriter>;
  /** What the clock of the store says from now on. */
  readonly setNow: (at: number) => void;
} {
  let opened: Promise<OpenedStore> | undefined;
  let now = START;
  const current = (): Promise<OpenedStore> => {
    opened ??= open(() => now);
    return opened;
  };
  afterEach(async () => {
    await (await opened)?.dispose();
    opened = undefined;
    now = START;
  });
  return {
    store: async () => (await current()).store,
    again: async () => (await current()).again(),
    writer: async () => (await current()).store.writer(),
    setNow: (at) => {
      now = at;
    },
  };
}

export const PAGE = { offset: 0, limit: 100 };
export const ALL_PLACES = ["prompt", "answer", "action", "output", "aside"] as const;
