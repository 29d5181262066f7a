/** What a task's first message says of where it runs. */
export interface Surroundings {
  readonly cwd?: string;
  readonly repositoryUrl?: string;
  /** Roo and Kilo name the model with every message, Cline does not. */
  readonly model?: string;
}

/** A text without the `<environment_details>` that the extension adds to each message it sends. */
export function withoutEnvironment(text: string): string {
  const details = detailsIn(text);
  return details === undefined ? text : text.slice(0, details.start) + text.slice(details.end);
}

/** Reads the environment details in a text; nothing where it has none. */
export function surroundingsIn(text: string): Surroundings {
  const place = detailsIn(text);
  if (place === undefined) return {};
  const details = text.slice(place.start, place.end);
  const cwd = FOLDER.exec(details)?.[1];
  const repositoryUrl = REMOTE.exec(details)?.[1];
  const model = MODEL.exec(details)?.[1];
  return {
    ...(cwd !== undefined && { cwd }),
    ...(repositoryUrl !== undefined && { repositoryUrl }),
    ...(model !== undefined && { model }),
  };
}

const OPEN = "<environment_details>";
const CLOSE = "</environment_details>";
/** Cline's words, then Roo's. */
const FOLDER = /^# Current (?:Working|Workspace) Directory \((.+)\) Files$/m;
const REMOTE = /"associatedRemoteUrls":\s*\[\s*"(?:[^\s":]+: )?([^"\s]+)"/;
const MODEL = /<model>([^<\n]{1,100})<\/model>/;

/** They are a text of their own or the end of one: elsewhere the tag is part of what was read or written. */
function detailsIn(text: string): { readonly start: number; readonly end: number } | undefined {
  const first = text.indexOf(OPEN);
  if (first < 0) return undefined;
  const close = text.lastIndexOf(CLOSE);
  const end = close < first ? text.length : close + CLOSE.length;
  if (text.slice(0, first).trim() === "") return { start: first, end };
  const start = text.lastIndexOf(OPEN);
  return close > start && text.slice(end).trim() === "" ? { start, end } : undefined;
}
