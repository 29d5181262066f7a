/** Says on the page itself where it comes from. */
export const GENERATED = "<!-- Written by `npm run docs` from the code. Changes made here are lost. -->";

/** Blocks with a blank line between, and a newline at the end. */
export function page(...blocks: readonly string[]): string {
  return `${blocks.join("\n\n")}\n`;
}

/** Columns are aligned, as the formatter has them. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [header, ...rows].map((row) => row.map(cell));
  const widths = header.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => (row[column] ?? "").padEnd(width)).join(" | ")} |`;
  const [first = [], ...rest] = cells;
  return [line(first), line(widths.map((width) => "-".repeat(width))), ...rest.map(line)].join("\n");
}

export function code(text: string, language = ""): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

// A bar would end the cell.
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
