import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A stored text that tries to be more than that. */
export interface Injection {
  readonly name: string;
  readonly text: string;
  /** Regular expressions for what no surface may show of it. */
  readonly never: readonly RegExp[];
}

const FOLDER = join(import.meta.dirname, "../corpora/injection");

interface Entry {
  readonly name: string;
  readonly text: string;
  readonly never: readonly string[];
  /** How often the text is repeated. */
  readonly times?: number;
}

/** The corpus, by kind. */
export const INJECTIONS: ReadonlyMap<string, readonly Injection[]> = new Map(
  readdirSync(FOLDER)
    .sort()
    .map((file) => {
      const entries: readonly Entry[] = JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
      return [
        file.replace(/\.json$/, ""),
        entries.map(({ name, text, never, times = 1 }) => ({
          name,
          text: text.repeat(times),
          never: never.map((pattern) => new RegExp(pattern, "u")),
        })),
      ];
    }),
);

/** The word that fences of this process have; those of the corpus name another one. */
export const OWN_NONCE = "feedc0dec0de";

/** What is wrong with what an agent is shown: each fence ends, and nothing of the text stands outside of one. */
export function wrongInReply(reply: string, injection: Injection): readonly string[] {
  const [before = "", ...rest] = reply.split(`<<yore ${OWN_NONCE}\n`);
  const pieces = rest.flatMap((part) => part.split(`\nyore ${OWN_NONCE}>>`));
  const quoted = pieces.filter((_, at) => at % 2 === 0).join("\n");
  const outside = [before, ...pieces.filter((_, at) => at % 2 === 1)].join("\n");
  return [
    ...(pieces.length === rest.length * 2 ? [] : ["a fence that does not hold"]),
    ...(/ignore previous|rm -rf|evil\.example/i.test(outside) ? ["words of it outside the fence"] : []),
    ...wrongInText(`${outside}\n${quoted}`, injection),
  ];
}

/** What is wrong with what a person, or an agent that runs commands, is shown. */
export function wrongInText(text: string, { never }: Injection): readonly string[] {
  const broken = never.flatMap((pattern) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [`${pattern.source}: ${JSON.stringify(found.slice(0, 60))}`];
  });
  const unseen = UNSEEN.exec(text)?.[0];
  return [...broken, ...(unseen === undefined ? [] : [`a sign that is not seen: ${codeOf(unseen)}`])];
}

/** JSON may hold everything, but as escapes. */
export function wrongInJson(text: string): readonly string[] {
  const unseen = UNSEEN.exec(text)?.[0];
  return unseen === undefined ? [] : [`a sign that is not seen: ${codeOf(unseen)}`];
}

/** A page may hold no other tags than those of one that is harmless. */
export function wrongInPage(html: string, harmless: string): readonly string[] {
  const allowed = tagsIn(harmless);
  const tags = [...tagsIn(html)].filter((tag) => !allowed.has(tag)).map((tag) => `a tag: ${tag}`);
  const attributes = html.match(/<[^>]*\s(?:on\w+|href|src|style|action|formaction)\s*=/gi) ?? [];
  return [...tags, ...attributes.map((found) => `an attribute: ${found.slice(-40)}`), ...wrongInJson(html)];
}

function tagsIn(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/<[!/]?([a-z][\w-]*)/gi)].map(([, tag = ""]) => tag.toLowerCase()));
}

/** A terminal's own colours, which are ours to set. */
export function withoutPaint(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences are what this removes
  return text.replace(/\u001b\[(?:1|2|22|32|33|36|39)m/g, "");
}

const UNSEEN = /[^\P{Cc}\n\t]|\p{Default_Ignorable_Code_Point}|[\u2028\u2029\ufff9-\ufffb]/u;

function codeOf(sign: string): string {
  return `U+${(sign.codePointAt(0) ?? 0).toString(16)}`;
}
