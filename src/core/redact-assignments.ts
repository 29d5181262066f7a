import { WORD_RULES } from "./redact-rules.ts";
import { isTokenCharacter } from "./redact-tokens.ts";
import {
  countClasses,
  isPlaceholder,
  isPlainData,
  isStockPassword,
  isTemplate,
  looksLikePassword,
  looksRandom,
} from "./redact-values.ts";

/** What assignments are found to hold, as placeholders name it. */
export const ASSIGNED_KINDS = ["password", "secret", "token", "key"] as const;
type AssignedKind = (typeof ASSIGNED_KINDS)[number];

/**
 * Finds the values of assignments to names such as `DB_PASSWORD`, `apiKey` and `--token`, and what follows the words
 * of `WORD_RULES`, in order.
 *
 * Name and value must both convince, since most lines with such names are code. `found` gets where the value stands,
 * without its quotes.
 */
export function findAssignments(text: string, found: (start: number, end: number, name: string) => void): void {
  SCAN.lastIndex = 0;
  for (let hit = SCAN.exec(text); hit !== null; hit = SCAN.exec(text)) {
    const after = SCAN.lastIndex;
    const [, identifier, operator = ""] = hit;
    const end =
      identifier === undefined
        ? tryWords(text, hit.index, found)
        : tryAssignment(text, hit.index, hit.index + identifier.length, operator, after, found);
    // A name that held nothing may hold another one, as "passwordcurl" does. Between a word such as `curl` and its
    // secret, others may stand.
    const next = identifier === undefined ? after : end;
    SCAN.lastIndex = end > 0 ? next : hit.index + 1;
  }
}

interface Value {
  readonly text: string;
  readonly start: number;
  readonly quoted: boolean;
  /** Whether it stands where a program has an expression, so that a bare word may be a name. */
  readonly expression: boolean;
}

const TYPE = "(?:&?(?:'static )?str(?:ing)?|Optional\\[str\\]|SecretStr|bytes)(?: ?\\| ?(?:null|undefined|None))?";

/**
 * Group 1: the name of an assignment from its keyword on. Group 2: what stands between it and the value. Neither is
 * there when a word was found.
 */
const SCAN = new RegExp(
  "((?:key|token|secret|pass|pwd|credential|_auth)[\\w-]{0,20})" +
    `(?:\\\\{0,4}(?:["'\`]\\]?)?(?:(?::[ \\t]?|[ \\t])${TYPE})?[ \\t]{0,4}(?=[=:])|(?=[> ]))` +
    "(=>|:=|=(?![=>~])|:(?!:)|>| )[ \\t]{0,4}" +
    `|(?:${WORD_RULES.map((rule) => rule.word).join("|")})(?=[\\s%:="'\\\\])`,
  "gi",
);

/** Group 1: the opening quote, with the backslashes of JSON in JSON. Group 2: the content. Ends of texts close it too. */
const QUOTED = /[bru]?(\\{0,4}["'`])((?:[^\s"'`\\]|\\\/){4,})(?:\1|$)/y;

/** An ampersand belongs to a value unless a shell or the next pair of a query begins with it. */
const AMPERSAND = "&(?!&|\\s|$|(?:amp;)?[\\w.-]{1,40}=)";
const BARE = new RegExp(`(?:[^\\s"'\`\\\\<>,;(){}[\\]|&=:]|${AMPERSAND}){4,200}={0,2}`, "y");
const REST_OF_WORD = new RegExp(`(?:[^\\s"'\`\\\\<>,;(){}[\\]|&]|${AMPERSAND})*`, "y");

/** Returns where the secret ends, or 0. */
function tryWords(text: string, at: number, found: (start: number, end: number, name: string) => void): number {
  for (const { pattern, check, name } of WORD_RULES) {
    pattern.lastIndex = at;
    const [, before = "", secret = ""] = pattern.exec(text) ?? [];
    if (secret === "" || !check(secret, before)) continue;
    found(at + before.length, at + before.length + secret.length, name);
    return at + before.length + secret.length;
  }
  return 0;
}

/** Returns where the secret ends, or 0. */
function tryAssignment(
  text: string,
  keyword: number,
  nameEnd: number,
  operator: string,
  at: number,
  found: (start: number, end: number, name: string) => void,
): number {
  const nameStart = startOfName(text, keyword);
  if (operator === " " && !text.startsWith("--", nameStart)) return 0;
  const glued = operator === " " || text[at - 1] === "=";
  const value = readValue(text, at, glued, operator);
  const kind = value && kindOfName(text.slice(nameStart, nameEnd));
  if (value === undefined || kind === undefined || !isSecret(kind, value)) return 0;
  const end = value.start + value.text.length;
  const wordEnd = value.quoted ? end : endOfWord(text, end);
  found(value.start, wordEnd, kind === "weak-key" ? "key" : kind);
  return wordEnd;
}

function readValue(text: string, at: number, glued: boolean, operator: string): Value | undefined {
  QUOTED.lastIndex = at;
  const quoted = QUOTED.exec(text);
  if (quoted !== null) {
    const [whole, quote = "", content = ""] = quoted;
    const start = at + whole.indexOf(quote) + quote.length;
    return { text: content, start, quoted: true, expression: false };
  }
  BARE.lastIndex = at;
  const bare = BARE.exec(text);
  if (bare === null || operator === "=>") return undefined;
  const end = at + bare[0].length;
  const next = text[end] ?? "\n";
  if ("([{:=".includes(next) || (operator === ">" && next !== "<")) return undefined;
  const ends = "\n\r\\".includes(next);
  const expression = ",)].".includes(next) || (operator !== ">" && !glued && !(operator === ":" && ends));
  return { text: bare[0], start: at, quoted: false, expression };
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

const QUALIFIER =
  /_(?:value|val|raw|prod(?:uction)?|dev|staging|live|old|new|current|default|base|b|plain|text|str(?:ing)?|rw?o?|backup|primary|secondary)$/;

const PASSWORD_NAME = /(?:password|passwd|passphrase|passcode|(?:^|_)pwd|(?:^|_|db|user|smtp|root|admin|my)pass)$/;

const PUBLIC_KEY_NAME =
  /(?:public|pub|primary|foreign|cache|sort|partition|dedup\w*|idempotency|object|index|lookup|unique|group|row|verif(?:y|ication))_?key$/;

const SECRET_KEY_NAME =
  /(?:api|access|secret|private|encrypt(?:ion)?|sign(?:ing)?|auth|master|service|account|storage|subscription|consumer|app(?:lication)?|client|admin|session|hmac|jwt|webhook|licen[sc]e|server|deploy|anon|role|symmetric|aes|connection|ingest(?:ion)?|write|functions|host|maps|root|shared|user|cookie|shared)_?key$/;

const PAGE_TOKEN_NAME =
  /(?:^|_)(?:next|prev(?:ious)?|page|continuation|cancel\w*|sync|pad|eos|bos|unk|mask|sep|cls|stop|start|end|special)_?token$/;

/** Shorter values cannot be told from words. Longer ones are data, such as an image that a map holds under `key`. */
const SHORTEST_SECRET = 7;
const LONGEST_SECRET = 4096;

/** The kind of secret a name promises, from its last words: `tokenCount` and `key_id` promise none. */
function kindOfName(name: string): AssignedKind | "weak-key" | undefined {
  const words =
    name
      .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[a-z]+/g) ?? [];
  const plain = words.join("_").replace(QUALIFIER, "");
  if (PASSWORD_NAME.test(plain)) return "password";
  if (/secret$/.test(plain)) return "secret";
  if (/token$/.test(plain)) return PAGE_TOKEN_NAME.test(plain) ? undefined : "token";
  if (/(?:credentials?|(?:^|_)auth)$/.test(plain)) return "token";
  if (!/key$/.test(plain) || PUBLIC_KEY_NAME.test(plain)) return undefined;
  if (SECRET_KEY_NAME.test(plain)) return "key";
  return /(?:^|_)key$/.test(plain) ? "weak-key" : undefined;
}

function isSecret(kind: AssignedKind | "weak-key", { text, expression }: Value): boolean {
  if (text.length < SHORTEST_SECRET || text.length > LONGEST_SECRET) return false;
  if (isTemplate(text) || isPlaceholder(text) || isPlainData(text) || isStockPassword(text)) return false;
  if (expression && /^[A-Za-z_$][\w$.]*$/.test(text)) return looksRandom(text, 20, 0.3);
  const classes = countClasses(text);
  if (kind === "weak-key") return classes >= 3 && /^[A-Za-z0-9+/=]+$/.test(text) && looksRandom(text, 24, 0.3);
  if (looksRandom(text, classes >= 3 ? 12 : 16, text.length < 24 ? 0.18 : 0.15)) return true;
  if (kind === "password")
    return looksLikePassword(text, expression ? 8 : SHORTEST_SECRET) && (!expression || classes >= 3);
  return kind === "secret" && !expression && classes === 4 && looksLikePassword(text, 10);
}
