import { OBSERVATION_TYPES, ROLES } from "../core/session.ts";
import { tokenize } from "../core/words.ts";

/** Something that was typed, to be looked for. */
export interface Term {
  /** As typed, without quotes. */
  readonly text: string;
  readonly isPhrase: boolean;
}

export const FILTER_FIELDS = [
  "project",
  "agent",
  "type",
  "role",
  "file",
  "branch",
  "worktree",
  "tag",
  "collection",
  "since",
  "until",
  "on",
  "asof",
] as const;
export type FilterField = (typeof FILTER_FIELDS)[number];

/** Filters that a minus turns round. */
const NEGATED_FIELDS = ["project", "agent"] as const;
type NegatedField = (typeof NEGATED_FIELDS)[number];

/** A query taken apart. Nothing that can be typed is an error. */
export interface Query {
  readonly terms: readonly Term[];
  readonly excluded: readonly Term[];
  /** The last value of a field counts. */
  readonly filters: Readonly<Partial<Record<FilterField, string>>>;
  /** `-project:`, `-agent:`; each of them counts. */
  readonly without: readonly { readonly field: NegatedField; readonly value: string }[];
  /** Whether the tag was given as `tag:`; `#word` may just be a word. */
  readonly tagIsExplicit: boolean;
  readonly warnings: readonly string[];
}

/**
 * Takes a query apart: words, `"phrases"`, `-word`, `field:value`, `field:"a value"`, `-project:value`, `#tag`.
 *
 * What looks like syntax but names nothing (`status:500`, `--flag`, `-flag=value`, `#123`) is a word.
 */
export function parseQuery(text: string): Query {
  const terms: Term[] = [];
  const excluded: Term[] = [];
  const warnings: string[] = [];
  const filters: Partial<Record<FilterField, string>> = {};
  const without: Query["without"][number][] = [];
  let tagIsExplicit = false;
  for (const match of text.matchAll(PART)) {
    const { minus, field, quoted, open, word } = match.groups ?? {};
    const value = quoted ?? open ?? word ?? "";
    const isPhrase = quoted !== undefined || open !== undefined;
    const negated = NEGATED_FIELDS.find((one) => one === field);
    if (minus !== undefined && negated !== undefined && value !== "") {
      without.push({ field: negated, value });
      continue;
    }
    const filter = filterOf(field, value, minus, warnings);
    if (filter !== undefined) {
      filters[filter] = value;
      tagIsExplicit ||= filter === "tag";
    } else if (field === undefined && word !== undefined && TAG.test(word)) filters.tag = word.slice(1).toLowerCase();
    else
      addTerm({ terms, excluded }, `${field === undefined ? "" : `${field}:`}${value}`, isPhrase, minus !== undefined);
  }
  // A query of exclusions alone would exclude from nothing: it was meant as typed.
  if (terms.length === 0 && Object.keys(filters).length === 0 && without.length === 0) {
    return {
      terms: excluded.map((term) => ({ ...term, text: `-${term.text}` })),
      excluded: [],
      filters,
      without,
      tagIsExplicit,
      warnings,
    };
  }
  return { terms, excluded, filters, without, tagIsExplicit, warnings };
}

const PART =
  /(?<minus>(?<=^|\s)-(?=["“]|[\p{L}\p{N}]{3})(?![\p{L}\p{N}_-]+=))?(?:(?<field>[a-z]+):(?=[^\s]))?(?:["“](?<quoted>[^"”]*)["”]|["“](?<open>[^"”]+)$|(?<word>\S+))/gu;
const TAG = /^#\p{L}[\p{L}\p{M}\p{N}_./-]*$/u;

function filterOf(
  field: string | undefined,
  value: string,
  minus: string | undefined,
  warnings: string[],
): FilterField | undefined {
  const known = FILTER_FIELDS.find((candidate) => candidate === field);
  if (known === undefined || minus !== undefined || value === "") return undefined;
  const allowed: readonly string[] | undefined =
    known === "type" ? OBSERVATION_TYPES : known === "role" ? ROLES : undefined;
  if (allowed === undefined || allowed.includes(value)) return known;
  warnings.push(`${known}: takes one of ${allowed.join(", ")}; the word was searched for as it stands.`);
  return undefined;
}

function addTerm(to: { terms: Term[]; excluded: Term[] }, text: string, isPhrase: boolean, isExcluded: boolean): void {
  if (tokenize(text).length === 0) return;
  (isExcluded ? to.excluded : to.terms).push({ text, isPhrase });
}
