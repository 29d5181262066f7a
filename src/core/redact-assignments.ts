import { BLOCK_RULES, KEY_WORDS } from "./redact-blocks.ts";
import { COMMAND_RULES } from "./redact-commands.ts";
import { HEADER_RULES } from "./redact-headers.ts";
import { assignedKind, type Value } from "./redact-names.ts";
import { WITHIN_RULES, type WordRule } from "./redact-rules.ts";
import { isTokenCharacter } from "./redact-tokens.ts";
import { URL_RULES } from "./redact-urls.ts";
import { wordFinder } from "./redact-words.ts";

/** Secrets that follow a word. Where several may, the first that finds one counts. */
export const WORD_RULES: readonly WordRule[] = [
  ...BLOCK_RULES,
  ...URL_RULES,
  ...HEADER_RULES,
  ...COMMAND_RULES,
  ...WITHIN_RULES,
];

type Found = (start: number, end: number, name: string) => void;

/**
 * Finds the values of assignments to names such as `DB_PASSWORD`, `apiKey` and `--token`, and what follows the words
 * of `WORD_RULES`, in order.
 *
 * Name and value must both convince, since most lines with such names are code. `found` gets where the value stands,
 * without its quotes. `keySeen` is told of lines that begin or end a private key.
 */
export function findAssignments(text: string, found: Found, keySeen?: () => void): void {
  let done = 0;
  let areas: Areas | undefined;
  eachWord(text, (at, word) => {
    const rules = RULES_OF.get(word);
    if (rules !== undefined && keySeen !== undefined && KEY_WORDS.includes(word)) keySeen();
    if (at < done) return;
    // Between a word such as `curl` and its secret others may stand, but not within the value of an assignment.
    if (rules === undefined) {
      done = tryName(text, at, found) || done;
    } else {
      areas ??= new Map();
      tryRules(text, at, rules, areas, found);
    }
  });
}

/** How far a rule that finds several secrets has looked, so that it reads nothing twice. */
type Areas = Map<WordRule, number>;

interface FoundValue extends Value {
  readonly start: number;
}

const TYPE = "(?:&?(?:'static )?str(?:ing)?|Optional\\[str\\]|SecretStr|bytes)(?: ?\\| ?(?:null|undefined|None))?";

/** Between two fields of a record, in any notation. */
const NEXT = "(?:[\\s,]|\\\\{1,4}[nrt]){1,40}(?:- )?\\\\{0,4}[\"']?";
const VALUE = "(?:[\\w-]{0,12}value|default)\\\\{0,4}[\"']?[ \\t]{0,3}[:=][ \\t]{0,3}";

/**
 * What may lie between a name and its value other than a sign: the next argument; a field such as `value` beside the
 * one that holds the name, or in the block that it opens; an operator that gives what else to take.
 */
const FAR = [
  `["']?${NEXT}${VALUE}`,
  `["']?(?:[ \\t]?[:=])?[ \\t]?\\{(?:[^{}]|\\\\n){0,160}?[\\s"']${VALUE}`,
  `["'][ \\t]{0,2},[ \\t]{0,12}(?=["'\`])`,
  `(?:["']\\])?[ \\t]{0,2}(?:\\|\\||\\?\\?)=?[ \\t]{0,2}(?=["'\`])`,
].join("|");

/** What names of secrets hold. */
const KEYWORDS = ["key", "token", "secret", "pass", "pwd", "credential", "_auth"];

/** Group 1: the name of an assignment from its keyword on. Group 2 or 3: what stands between it and the value. */
const ASSIGNMENT = new RegExp(
  `((?:${KEYWORDS.join("|")})[\\w-]{0,20})(?:\\\\{0,4}(${FAR})|` +
    `(?:\\\\{0,4}(?:["'\`]\\]?)?(?:(?::[ \\t]?|[ \\t])${TYPE})?[ \\t]{0,4}(?=[=:])|(?=[> ]))` +
    "(=>|:=|=(?![=>~])|:(?!:)|>| (?:is (?=[^\\s]{8}))?)[ \\t]{0,4}(?:base64:)?)",
  "iy",
);

const RULES_OF: ReadonlyMap<string, readonly WordRule[]> = new Map(
  WORD_RULES.flatMap(({ words }) => words).map((word) => [
    word,
    WORD_RULES.filter(({ words }) => words.includes(word)),
  ]),
);

const eachWord = wordFinder([...KEYWORDS, ...RULES_OF.keys()]);

/** Group 1: the opening quote, with the backslashes of JSON in JSON. Group 2: the content. Ends of texts close it too. */
const QUOTED = /[bru]?(\\{0,4}["'`])((?:[^\s"'`\\]|\\\/){4,})(?:\1|$)/y;

/** An ampersand belongs to a value unless a shell or the next pair of a query begins with it. */
const AMPERSAND = "&(?!&|\\s|$|(?:amp;)?[\\w.-]{1,40}=)";
const BARE = new RegExp(`(?:[^\\s"'\`\\\\<>,;(){}[\\]|&=:]|${AMPERSAND}){4,200}={0,2}`, "y");
const REST_OF_WORD = new RegExp(`(?:[^\\s"'\`\\\\<>,;(){}[\\]|&]|${AMPERSAND})*`, "y");

function tryRules(text: string, at: number, rules: readonly WordRule[], areas: Areas, found: Found): void {
  for (const rule of rules) {
    if (at < (areas.get(rule) ?? 0)) continue;
    const { pattern, check, name } = rule;
    pattern.lastIndex = at;
    const hit = pattern.exec(text);
    if (hit === null) continue;
    const [, before = "", area = ""] = hit;
    const start = rule.isWithin === true ? at - before.length : at + before.length;
    if (rule.each !== undefined) areas.set(rule, start + area.length);
    const parts = rule.reach === undefined ? partsOf(rule, before, area) : partsBefore(text, at, rule.reach, area);
    const secrets = parts.filter((part) => check(part.secret, part.before));
    for (const { secret, at } of secrets) found(start + at, start + at + secret.length, name);
    if (secrets.length > 0) return;
  }
}

interface Part {
  readonly before: string;
  readonly secret: string;
  readonly at: number;
}

function partsOf({ each, isWithin }: WordRule, before: string, area: string): readonly Part[] {
  if (isWithin === true) return [{ before: "", secret: before + area, at: 0 }];
  if (each === undefined) return [{ before, secret: area, at: 0 }];
  return Array.from(area.matchAll(each), (hit) => {
    const [, before = "", secret = ""] = hit;
    return { before, secret, at: hit.index + before.length };
  });
}

function partsBefore(text: string, at: number, reach: (text: string, at: number) => number, area: string): Part[] {
  const length = reach(text, at);
  return length === 0 ? [] : [{ before: "", secret: text.slice(at - length, at) + area, at: -length }];
}

/** Returns where the secret ends, or 0. */
function tryName(text: string, keyword: number, found: Found): number {
  ASSIGNMENT.lastIndex = keyword;
  const hit = ASSIGNMENT.exec(text);
  if (hit === null) return 0;
  const [, { length } = "", far, near] = hit;
  const operator = far ?? near ?? "";
  const nameEnd = keyword + length;
  const at = ASSIGNMENT.lastIndex;
  const nameStart = startOfName(text, keyword);
  if (operator === " " && !isOption(text, nameStart)) return 0;
  // As in the name of a resource, which colons divide.
  if (operator === ":" && text[nameStart - 1] === ":" && text[nameStart] !== "_") return 0;
  const value = readValue(text, at, operator);
  const kind = value && assignedKind(text.slice(nameStart, nameEnd), value);
  if (value === undefined || kind === undefined) return 0;
  const end = value.start + value.text.length;
  const wordEnd = value.quoted ? end : endOfWord(text, end);
  found(value.start, wordEnd, kind);
  return wordEnd;
}

/** Whether a name is that of an option, whose value follows a space: `--token`, or `-Password` with the keyword first. */
function isOption(text: string, start: number): boolean {
  if (text[start] !== "-") return false;
  return text[start + 1] === "-" || /\s/.test(text[start - 1] ?? "");
}

function readValue(text: string, at: number, operator: string): FoundValue | undefined {
  QUOTED.lastIndex = at;
  const quoted = QUOTED.exec(text);
  const isCall = CALL.test(operator);
  if (quoted !== null) {
    const [whole, quote = "", content = ""] = quoted;
    return { text: content, start: at + whole.indexOf(quote) + quote.length, quoted: !isCall, expression: false };
  }
  BARE.lastIndex = at;
  const bare = BARE.exec(text);
  if (bare === null || operator === "=>" || isCall) return undefined;
  const next = text[at + bare[0].length] ?? "\n";
  if ("([{:=".includes(next) || (operator === ">" && next !== "<")) return undefined;
  return { text: bare[0], start: at, quoted: false, ...standingOf(text, at, operator, next) };
}

/** The next argument, or what else to take, must be quoted. */
const CALL = /^["'\]]*[ \t]*(?:,[ \t]*$|\||\?)/;

function standingOf(text: string, at: number, operator: string, next: string): Pick<Value, "expression" | "inText"> {
  const sign = operator.trim().at(-1) ?? " ";
  // A line ends, or a string that the name began within.
  const ends = "\n\r\\\"'`".includes(next);
  const glued = sign === " " || text[at - 1] === "=";
  const expression = ",)].".includes(next) || (sign !== ">" && !glued && !(sign === ":" && ends));
  return { expression, inText: ends || (next === " " && sign !== "=") };
}

/** A word may be longer than what is read of it for judging. Read to its end only once judged, or not in linear time. */
function endOfWord(text: string, at: number): number {
  REST_OF_WORD.lastIndex = at;
  return at + (REST_OF_WORD.exec(text)?.[0].length ?? 0);
}

const LONGEST_NAME = 40;

function startOfName(text: string, keyword: number): number {
  let start = keyword;
  while (start > 0 && keyword - start < LONGEST_NAME && isTokenCharacter(text.charCodeAt(start - 1))) start--;
  return start;
}
