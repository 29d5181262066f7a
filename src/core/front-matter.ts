/** The head of a Markdown file between two `---` lines, value by value in order, and the text below it. */
export interface FrontMatter {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Undefined where the text has no head. Values in quotes are JSON strings, others stand as they are. */
export function parseFrontMatter(text: string): FrontMatter | undefined {
  const [, head, body = ""] = FRONT.exec(text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n")) ?? [];
  if (head === undefined) return undefined;
  const fields = head.split("\n").flatMap((line): [string, string][] => {
    const [, name, rest = ""] = /^([a-z-]+):\s*(.*)$/.exec(line) ?? [];
    const value = rest.startsWith('"') ? unquoted(rest) : rest.trim();
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  return { fields, body };
}

export function formatFrontMatter({ fields, body }: FrontMatter): string {
  const lines = fields.map(([name, value]) => `${name}: ${PLAIN.test(value) ? value : JSON.stringify(value)}`);
  return `---\n${lines.join("\n")}\n---\n\n${body}\n`;
}

function unquoted(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N}.:@+_/#,-]*(?: [\p{L}\p{N}=.@+_/#,-]+)*$/u;
const FRONT = /^---\n([\s\S]*?)\n---[ \t]*(?:\n([\s\S]*))?$/;
