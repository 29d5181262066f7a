/** Says on the page itself where it comes from. */
export const GENERATED = "<!-- Written by `npm run docs` from the code. Changes made here are lost. -->";

/** Blocks with a blank line between, and a newline at the end. */
export function page(...blocks: readonly string[]): string {
  return `${blocks.join("\n\n")}\n`;
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

export function code(text: string, language = ""): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

// A bar would end the cell.
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
