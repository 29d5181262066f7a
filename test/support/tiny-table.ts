import { bytesSource, openTokenTable, type TokenTable, writeTokenTable } from "../../src/vectors/token-table.ts";

/** A table of a few words, each of which points where none of the others does. `dims` is at least as many as there are. */
export function tinyTable(words: readonly string[], dims = words.length): TokenTable {
  const pieces = ["[UNK]", ...words];
  return openTokenTable(
    bytesSource(
      writeTokenTable({
        dims,
        pieces,
        weights: Float32Array.from(pieces, (_, piece) => Math.min(piece, 1)),
        scales: Float32Array.from(pieces, () => 1),
        rows: Int8Array.from({ length: pieces.length * dims }, (_, at) =>
          at % dims === Math.floor(at / dims) - 1 ? 9 : 0,
        ),
      }),
    ),
  );
}
