import { fieldsOf, isFields, textOf } from "../fields.ts";

/**
 * Path of a URI of VS Code: as text, or as its parts, `{scheme, authority, path}`. Of a folder on a remote machine the
 * path there. Undefined for what is no file, such as a repository that is looked at without being cloned.
 */
export function pathOfUri(value: unknown): string | undefined {
  if (typeof value === "string") return pathOfText(value);
  if (!isFields(value)) return undefined;
  const { scheme, authority, path, fsPath, external } = value;
  if (textOf(path) === undefined)
    return textOf(fsPath) ?? (typeof external === "string" ? pathOfText(external) : undefined);
  return pathOf(textOf(scheme) ?? "file", textOf(authority) ?? "", textOf(path) ?? "");
}

/** Path of a URI, of a place in a file (`{uri, range}`), or of a symbol (`{name, location}`). */
export function pathOfPlace(value: unknown): string | undefined {
  const fields = fieldsOf(value);
  return pathOfUri(fields.uri) ?? pathOfUri(fieldsOf(fields.location).uri) ?? pathOfUri(value);
}

/** Markdown as VS Code writes it, `{value}` or text, in which links to files are told by their labels or paths. */
export function markdownText(value: unknown): string {
  const text = textOf(value) ?? textOf(fieldsOf(value).value) ?? "";
  return text.replace(FILE_LINK, (link, label: string, address: string) => label || pathOfText(address) || link);
}

/** The first file that a link in Markdown names. */
export function linkedFile(value: unknown): string | undefined {
  const text = textOf(value) ?? textOf(fieldsOf(value).value) ?? "";
  const address = FIRST_LINK.exec(text)?.[1];
  return address === undefined ? undefined : pathOfText(address);
}

const FILE_LINK = /\[([^[\]\n]*)\]\(((?:file|vscode-remote):[^)\s]*)\)/g;
const FIRST_LINK = /\]\(((?:file|vscode-remote):[^)\s]*)\)/;
const FILES = new Set(["file", "vscode-remote", "vscode-notebook-cell"]);
const DRIVE = /^\/[a-zA-Z]:(?=\/|$)/;

function pathOfText(text: string): string | undefined {
  const [, scheme, authority = "", path = ""] = /^([a-z][\w+.-]*):(?:\/\/([^/?#]*))?([^?#]*)/i.exec(text) ?? [];
  return scheme === undefined ? undefined : pathOf(scheme, decoded(authority), decoded(path));
}

function pathOf(scheme: string, authority: string, path: string): string | undefined {
  if (!FILES.has(scheme) || path === "") return undefined;
  if (scheme === "file" && authority !== "") return `//${authority}${path}`.replaceAll("/", "\\");
  return DRIVE.test(path) ? path.slice(1).replaceAll("/", "\\") : path;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A sign that stands for itself.
    return text;
  }
}
