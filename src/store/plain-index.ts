/**
 * A word index as anyone would make one: whole texts, words as they stand, ranked by BM25 over any of the words. Kept apart
 * from the store, for the time of a comparison, and gone when it is closed or the process ends.
 */
export interface PlainIndex {
  add(texts: readonly { readonly id: number; readonly text: string }[]): Promise<void>;
  /** Ids of texts with any of the words, the best first, at most `limit`; ties by id. */
  search(words: readonly string[], limit: number): Promise<readonly number[]>;
  close(): Promise<void>;
}
