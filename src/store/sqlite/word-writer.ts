import type { Piece } from "../store.ts";
import type { Statements } from "./statements.ts";
import { wordRow, wordRowsOf } from "./words.ts";

/** The word index as one transaction writes it. */
export interface WordWriter {
  add(observation: number, piece: Piece): void;
  dropObservation(observation: number): void;
  /** Writes what was added; called before the transaction ends. */
  flush(): void;
  /** Leaves out what was added, where the transaction is taken back. */
  discard(): void;
}

/**
 * Pieces are held back and written together at the end: any statement in between that may have to be undone by itself
 * (an upsert) makes FTS5 write out all it holds as a segment of its own, which costs milliseconds each time.
 */
export function wordWriter(sql: Statements): WordWriter {
  let held: { readonly observation: number; readonly piece: Piece }[] = [];
  return {
    add: (observation, piece) => {
      held.push({ observation, piece });
    },
    dropObservation(observation) {
      held = held.filter((one) => one.observation !== observation);
      const { first, last } = wordRowsOf(observation);
      sql.run("DELETE FROM words WHERE rowid IN (SELECT id FROM words_docsize WHERE id BETWEEN ? AND ?)", first, last);
    },
    flush() {
      for (const { observation, piece } of held) {
        sql.run(
          `INSERT INTO words (rowid, ${piece.place}, parts) VALUES (?, ?, ?)`,
          wordRow(observation, piece.message, piece.piece),
          piece.text,
          piece.parts,
        );
      }
      held = [];
    },
    discard() {
      held = [];
    },
  };
}
