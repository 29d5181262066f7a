import type { Sidecars, TitleItem } from "../source.ts";

/** What Copilot keeps of a session in `workspace.yaml`. */
export interface Workspace {
  readonly title?: TitleItem;
  /** As Copilot names it: `owner/name`. */
  readonly repository?: string;
}

/** Reads a session's `workspace.yaml`; an empty one where it isn't there or can't be read. */
export function readWorkspace(path: string | undefined, sidecars: Sidecars): Workspace {
  // Written by newer versions only, and after the first events.
  const text = path === undefined ? undefined : sidecars.text(path, { head: MAX_BYTES, tail: 0 });
  const values = parseYaml(text ?? "");
  const title = titleOf(values);
  const repository = values.get("repository");
  return {
    ...(title !== undefined && { title }),
    ...(repository !== undefined && { repository }),
  };
}

/**
 * The keys at the top of a YAML document and their texts: plain, quoted, folded over several lines, or in a block.
 * Nested values are passed over.
 */
export function parseYaml(document: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const lines = document.split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const [, key, first = ""] = KEY.exec(lines[at] ?? "") ?? [];
    if (key === undefined) continue;
    const more: string[] = [];
    while (at + 1 < lines.length && CONTINUED.test(lines[at + 1] ?? "")) {
      at += 1;
      more.push((lines[at] ?? "").trim());
    }
    const value = scalar(first.trim(), more).trim();
    if (value !== "") values.set(key, value);
  }
  return values;
}

const MAX_BYTES = 65_536;
const KEY = /^([A-Za-z_]\w*):(?: +(.*))?$/;
const CONTINUED = /^(?:\s+\S.*|)$/;
const BLOCK = /^([|>])[-+\d]*$/;

function titleOf(values: ReadonlyMap<string, string>): TitleItem | undefined {
  const name = values.get("name");
  if (name !== undefined) {
    return { kind: "title", title: values.get("user_named") === "true" ? "custom" : "generated", text: name };
  }
  const summary = values.get("summary");
  return summary === undefined ? undefined : { kind: "title", title: "summary", text: summary };
}

function scalar(first: string, more: readonly string[]): string {
  const block = BLOCK.exec(first)?.[1];
  if (block !== undefined) return more.join(block === "|" ? "\n" : " ");
  if (first.startsWith('"')) return doubleQuoted(folded([first, ...more].map((line) => line.replace(/\\$/, ""))));
  const text = folded([first, ...more]);
  if (first.startsWith("'")) return text.replace(/^'|'$/g, "").replaceAll("''", "'");
  return /^[[{&*!]/.test(first) || first === "null" || first === "~" ? "" : text;
}

/** A line end within a text stands for a space, an empty line for a line end. */
function folded(lines: readonly string[]): string {
  return lines.reduce((text, line) => {
    if (line === "") return `${text}\n`;
    return text === "" || text.endsWith("\n") ? text + line : `${text} ${line}`;
  }, "");
}

function doubleQuoted(text: string): string {
  try {
    const value: unknown = JSON.parse(text.replaceAll("\n", "\\n"));
    return typeof value === "string" ? value : "";
  } catch {
    // An escape that JSON does not know.
    return text.replace(/^"|"$/g, "");
  }
}
