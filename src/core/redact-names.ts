import {
  countClasses,
  hasDigit,
  isPlaceholder,
  isPlainData,
  isStockPassword,
  isTemplate,
  looksLikePassword,
  looksRandom,
  looksScrambled,
} from "./redact-values.ts";

/** What assignments are found to hold, as placeholders name it. */
export const ASSIGNED_KINDS = ["password", "secret", "token", "key"] as const;
type AssignedKind = (typeof ASSIGNED_KINDS)[number];

const QUALIFIER =
  /_(?:value|val|data|b64|base64|hex|raw|prod(?:uction)?|dev|staging|live|old|new|current|default|base|b|plain|text|str(?:ing)?|rw?o?|backup|primary|secondary)$/;

const PASSWORD_NAME =
  /(?:password|passwd|passphrase|passcode|(?:^|_)pwd|(?:^|_|db|user|smtp|root|admin|my|store|key|ssh)pass)$/;

const PUBLIC_KEY_NAME =
  /(?:public|pub|publishable|site|primary|foreign|cache|sort|partition|dedup\w*|idempotency|object|index|lookup|unique|group|row|verif(?:y|ication))_?key$/;

const SECRET_KEY_NAME =
  /(?:api|access|secret|private|encrypt(?:ion)?|sign(?:ing)?|auth|master|service|account|storage|subscription|consumer|app(?:lication)?|client|admin|session|hmac|jwt|webhook|licen[sc]e|server|deploy|anon|role|symmetric|aes|connection|ingest(?:ion)?|write|functions|host|maps|root|shared|user|cookie|shared|pre_?shared|sas|x_?functions|django)_?key$/;

const PAGE_TOKEN_NAME =
  /(?:^|_)(?:next|prev(?:ious)?|page|continuation|cancel\w*|sync|pad|eos|bos|unk|mask|sep|cls|stop|start|end|special)_?token$/;

/** Shorter values cannot be told from words. Longer ones are data, such as an image that a map holds under `key`. */
const SHORTEST_SECRET = 7;
const LONGEST_SECRET = 4096;

/** A value of an assignment, and what is known of how it stands there. */
export interface Value {
  readonly text: string;
  readonly quoted: boolean;
  /** Whether it stands where a program has an expression, so that a bare word may be a name. */
  readonly expression: boolean;
  /** Whether it stands at the end of a line or string, or in a text, and so is less likely part of an expression. */
  readonly inText?: boolean;
}

/** The kind of secret that a name and a value make together, or none. */
export function assignedKind(name: string, value: Value): AssignedKind | undefined {
  const kind = kindOfName(name);
  if (kind === undefined || !isSecret(kind, name, value)) return undefined;
  return kind === "weak-key" ? "key" : kind;
}

/** Whether a name promises a secret at all. */
export function isSecretName(name: string): boolean {
  return kindOfName(name) !== undefined;
}

type NameKind = AssignedKind | "weak-key" | undefined;

/** The same few names stand in a text again and again. */
const KNOWN_NAMES = new Map<string, NameKind>();
const MOST_KNOWN = 2_000;

function kindOfName(name: string): NameKind {
  if (KNOWN_NAMES.has(name)) return KNOWN_NAMES.get(name);
  if (KNOWN_NAMES.size >= MOST_KNOWN) KNOWN_NAMES.clear();
  const kind = promisedBy(name);
  KNOWN_NAMES.set(name, kind);
  return kind;
}

/** The kind of secret a name promises, from its last words: `tokenCount` and `key_id` promise none. */
function promisedBy(name: string): NameKind {
  const words =
    name
      .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[a-z]+\d*/g) ?? [];
  const plain = words
    .join("_")
    .replace(/\d+(?=_|$)/g, "")
    .replace(QUALIFIER, "");
  if (PASSWORD_NAME.test(plain)) return "password";
  if (/secret$/.test(plain)) return "secret";
  if (/token$/.test(plain)) return PAGE_TOKEN_NAME.test(plain) ? undefined : "token";
  if (/(?:credentials?|(?:^|_)auth)$/.test(plain)) return "token";
  if (!/key$/.test(plain) || PUBLIC_KEY_NAME.test(plain)) return undefined;
  if (SECRET_KEY_NAME.test(plain)) return "key";
  return /(?:^|_)key$/.test(plain) ? "weak-key" : undefined;
}

function isSecret(
  kind: AssignedKind | "weak-key",
  name: string,
  { text: value, quoted, expression, inText }: Value,
): boolean {
  if (value.length < SHORTEST_SECRET || value.length > LONGEST_SECRET) return false;
  if (isTemplate(value) || isPlaceholder(value) || isStockPassword(value)) return false;
  if (/_authToken$/.test(name) && UUID.test(value)) return true;
  if (/^django-insecure-\S{20}/.test(value)) return true;
  if (/(?:otp|mfa|2fa)[-_]?(?:secret|seed|key)/i.test(name) && /^[A-Z2-7]{16,}$/.test(value)) return true;
  if (isPlainData(value) && !isBareKey(value) && !(quoted && isScrambledName(value))) return false;
  const text = value.replace(/%(?:3D|2B|2F)/gi, "");
  if (expression && /^[A-Za-z_$][\w$.]*$/.test(text)) {
    const told =
      kind === "password" &&
      inText === true &&
      /\d[^\d].*\d/.test(text) &&
      !/^[A-Z]/.test(text) &&
      looksRandom(text, 12, 0.19);
    return told || looksRandom(text, 20, 0.3);
  }
  const classes = countClasses(text);
  if (kind === "weak-key") return classes >= 3 && /^[A-Za-z0-9+/=]+$/.test(text) && looksRandom(text, 24, 0.3);
  if (looksRandom(text, classes >= 3 ? 12 : 16, text.length < 24 ? 0.18 : 0.15)) return true;
  if (quoted && text.length >= 32 && classes >= 3 && looksScrambled(text)) return true;
  if (kind === "password")
    return looksLikePassword(text, expression ? 8 : SHORTEST_SECRET) && (!expression || classes >= 3);
  return kind === "secret" && !expression && classes >= 3 && looksLikePassword(text, 10);
}

/** Whether what looks like a member of an object cannot be one, as no word of it is. */
function isScrambledName(value: string): boolean {
  return /^\w+\.\w+$/.test(value) && value.split(".").some((part) => hasDigit(part) && looksRandom(part, 10, 0.25));
}

/** Keys that look like a path or a member of an object: of AWS, which hold slashes, and the older ones of Vault. */
function isBareKey(value: string): boolean {
  return /^(?:[A-Za-z0-9+/]{40}|s\.[A-Za-z0-9]{24})$/.test(value) && looksRandom(value, 20, 0.25);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
