/**
 * One thing measured.
 *
 * @typedef {object} Row
 * @property {string} what
 * @property {number} value
 * @property {Unit} unit
 * @property {{ what: string, value: number, unit: Unit }} [against] What it is compared with.
 * @property {Budget} [budget]
 *
 * @typedef {"ms" | "bytes" | "MB/s" | "%" | "×" | "tokens"} Unit
 * @typedef {{ kind: "ratio", most: number } | { kind: "excess", most: number } | { kind: "value", most: number }} Budget
 *   `ratio` of the two, `excess` over what it is compared with, or the `value` itself.
 */

/** @param {Row} row */
export function ratioOf(row) {
  return row.against === undefined ? undefined : row.value / row.against.value;
}

/** @param {Row} row */
export function isMissed(row) {
  if (row.budget === undefined) return false;
  const { kind, most } = row.budget;
  if (kind === "ratio") return (ratioOf(row) ?? 0) > most;
  return (kind === "excess" ? row.value - (row.against?.value ?? 0) : row.value) > most;
}

/** @param {readonly (Row & { bench: string })[]} rows */
export function table(rows) {
  const cells = [
    ["bench", "what", "figure", "compared with", "difference", "ratio", "budget", ""],
    ...rows.map((row) => {
      const ratio = ratioOf(row);
      const isExcess = row.against !== undefined && row.against.unit === row.unit && row.unit === "ms";
      return [
        row.bench,
        row.what,
        show(row.value, row.unit),
        row.against === undefined ? "" : `${row.against.what} ${show(row.against.value, row.against.unit)}`,
        isExcess ? show(row.value - row.against.value, "ms") : "",
        ratio === undefined ? "" : `${digits(ratio)} ×`,
        row.budget === undefined ? "" : budgetText(row),
        row.budget === undefined ? "" : isMissed(row) ? "MISSED" : "ok",
      ];
    }),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((line) => line[column].length)));
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** @param {Row} row */
export function budgetText({ unit, against, budget }) {
  if (budget === undefined) return "";
  if (budget.kind === "ratio") return `≤ ${budget.most} ×`;
  return budget.kind === "value"
    ? `≤ ${show(budget.most, unit)}`
    : `≤ ${against?.what ?? ""} + ${show(budget.most, unit)}`;
}

/**
 * @param {number} value
 * @param {Unit} unit
 */
export function show(value, unit) {
  return unit === "bytes" ? `${digits(value / 1_048_576)} MB` : `${digits(value)} ${unit}`;
}

function digits(value) {
  if (!Number.isFinite(value)) return "?";
  const most = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en", { maximumFractionDigits: most, minimumFractionDigits: 0 });
}
