import { cut, displayWidth, pad } from "./text.ts";

export interface Column<Row> {
  readonly header: string;
  /** One line of safe text without colours. */
  readonly value: (row: Row) => string;
  readonly align?: "left" | "right";
  /** Gives way down to this width where the table is too wide; a column without it is never cut. */
  readonly min?: number;
  /** Leaves the table when giving way was not enough, the lowest first; a column without it stays. */
  readonly leaves?: number;
  readonly paint?: (text: string) => string;
}

const GAP = "  ";

/** Header and rows, at most `width` columns wide. A column with nothing in it is left out. */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
  paintHeader: (text: string) => string,
): string[] {
  const cells = columns.map((column) => ({ column, texts: rows.map(column.value) }));
  const filled = cells.filter(({ texts }) => texts.some((text) => text !== ""));
  const fitted = fitColumns(
    filled.map(({ column, texts }) => ({
      column,
      texts,
      width: Math.max(displayWidth(column.header), ...texts.map(displayWidth)),
    })),
    width,
  );
  const line = (text: (cell: Cell<Row>) => string, paint: (cell: Cell<Row>, text: string) => string) =>
    fitted
      .map((cell, at) => {
        const short = cut(text(cell), cell.width);
        const last = at === fitted.length - 1 && cell.column.align !== "right";
        return paint(cell, last ? short : pad(short, cell.width, cell.column.align));
      })
      .join(GAP)
      .trimEnd();
  return [
    line(
      (cell) => cell.column.header,
      (_, text) => paintHeader(text),
    ),
    ...rows.map((_, row) =>
      line(
        (cell) => cell.texts[row] ?? "",
        (cell, text) => cell.column.paint?.(text) ?? text,
      ),
    ),
  ];
}

interface Cell<Row> {
  readonly column: Column<Row>;
  readonly texts: readonly string[];
  readonly width: number;
}

function fitColumns<Row>(cells: readonly Cell<Row>[], width: number): readonly Cell<Row>[] {
  const excess = totalWidth(cells) - width;
  if (excess <= 0 || cells.length === 0) return cells;
  const narrowed = narrow(cells, excess);
  if (totalWidth(narrowed) <= width) return narrowed;
  const leaving = cells
    .filter((cell) => cell.column.leaves !== undefined)
    .sort((a, b) => (a.column.leaves ?? 0) - (b.column.leaves ?? 0))[0];
  if (leaving !== undefined)
    return fitColumns(
      cells.filter((cell) => cell !== leaving),
      width,
    );
  const elastic = narrowed.findLast((cell) => cell.column.min !== undefined);
  const over = totalWidth(narrowed) - width;
  return narrowed.map((cell) => (cell === elastic ? { ...cell, width: Math.max(1, cell.width - over) } : cell));
}

// The widest gives way first, so that columns of like width stay alike.
function narrow<Row>(cells: readonly Cell<Row>[], excess: number): readonly Cell<Row>[] {
  const widths = cells.map((cell) => cell.width);
  for (let left = excess; left > 0; left -= 1) {
    let widest = -1;
    for (const [at, cell] of cells.entries()) {
      const own = widths[at] ?? 0;
      if (own > (cell.column.min ?? Number.POSITIVE_INFINITY) && own > (widths[widest] ?? 0)) widest = at;
    }
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return cells.map((cell, at) => ({ ...cell, width: widths[at] ?? cell.width }));
}

function totalWidth<Row>(cells: readonly Cell<Row>[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, GAP.length * Math.max(0, cells.length - 1));
}
