/** Whether a value only stands for a secret: "xxxx", "your-token", "…EXAMPLE", or hardly any different characters. */
export function isPlaceholder(value: string): boolean {
  // A long random value holds a short word now and then; its beginning is where a stand-in says so.
  return STAND_IN.test(value.slice(0, 100)) || hasFewCharacters(value) || PUBLIC_EXAMPLE.test(value);
}

/** Whether a value is filled in later: `$TOKEN`, `${TOKEN}`, `{{ token }}`, `<token>`, `%s`, `%TOKEN%`, `[TOKEN]`. */
export function isTemplate(value: string): boolean {
  return /^(?:\$[A-Za-z_({]|[<{[(@]|%[A-Za-z_({])|\$[{(]|\{\{|%[sdvq]\b/.test(value) || /<[^>]{1,80}>/.test(value);
}

export function hasDigit(value: string): boolean {
  return /\d/.test(value);
}

/** Whether small letters, capitals and digits follow each other as only a machine would choose them. */
export function isMixed(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && hasDigit(value) && looksRandom(value, 20, 0.15);
}

/** Whether Base64 text is a private key in PEM. A certificate begins alike. */
export function isEncodedKey(value: string): boolean {
  return Buffer.from(value.slice(0, 80), "base64").toString("latin1").includes("PRIVATE KEY");
}

/** Whether Base64 text, of a length that Base64 has, is a text that a person may have written. */
export function isEncodedText(value: string): boolean {
  if (value.length % 4 !== 0 || isPlaceholder(value)) return false;
  const text = Buffer.from(value, "base64").toString("latin1");
  return /^[ -~\r\n]{6,}$/.test(text) && !isStockPassword(text);
}

/** Whether a value is a mixture of letters, digits and signs without words in it, and no code. */
export function looksScrambled(value: string): boolean {
  return (
    entropy(value) >= 4 &&
    (value.match(/[^A-Za-z0-9\s]/g)?.length ?? 0) >= 4 &&
    !/[A-Za-z]{9}|\w\(|[\])}];|\\/.test(value)
  );
}

/** Whether the first part is a JOSE header: Base64 of a JSON object with `alg`. */
export function isJwt(value: string): boolean {
  try {
    const header: unknown = JSON.parse(Buffer.from(value.slice(0, value.indexOf(".")), "base64url").toString("utf8"));
    return typeof header === "object" && header !== null && "alg" in header;
  } catch {
    return false;
  }
}

/** Whether Base64 text is what Basic authentication sends: a user, a colon and a password that is no stock one. */
export function isBasicCredentials(encoded: string): boolean {
  if (isPlaceholder(encoded)) return false;
  const text = Buffer.from(encoded, "base64").toString("latin1");
  const colon = text.indexOf(":");
  return colon >= 0 && /^[ -~]+$/.test(text) && !isStockPassword(text.slice(colon + 1), text.slice(0, colon));
}

/** Whether a password is of the kind that only documentation and local set-ups have: "password", the user's name. */
export function isStockPassword(password: string, user = ""): boolean {
  return password.length < 4 || password === user || STOCK_PASSWORD.test(password) || isPlaceholder(password);
}

/** Whether a value that stands where a token must stand is one, and not a word or a stand-in. */
export function isOpaqueToken(value: string): boolean {
  return hasDigit(value) && /[A-Za-z]/.test(value) && !isPlaceholder(value) && !isPlainData(value);
}

/** Whether a value is of a known kind that is no secret: a path, an address, an id, a named hash, a version, a name. */
export function isPlainData(value: string): boolean {
  return PLAIN_DATA.some((shape) => shape.test(value));
}

/** Whether characters follow each other as only a machine would choose them: `rate` of 0.2 means every fifth. */
export function looksRandom(value: string, shortest: number, rate: number): boolean {
  if (value.length < shortest || !TOKEN_ALPHABET.test(value)) return false;
  if (/^(?:[0-9a-f]+|[0-9A-F]+)$/.test(value)) return value.length >= 32;
  // Without digits only a mixture of small letters and capitals that no word has is random.
  return entropy(value) >= 3 && switchRate(value) >= (hasDigit(value) ? rate : Math.max(rate, 0.3));
}

/** Whether a person or a generator may have chosen this as a password. */
export function looksLikePassword(value: string, shortest: number): boolean {
  if (value.length < shortest || value.length > 128 || /[()[\]{}<>;]/.test(value) || NAME_AND_NUMBER.test(value))
    return false;
  if (ALGORITHM.test(value) || !/[A-Za-z]/.test(value)) return false;
  return hasDigit(value) || (/[!@#$%^&*](?=.*[A-Za-z0-9])/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value));
}

/** Kinds of characters a value has: small letters, capitals, digits, others. */
export function countClasses(value: string): number {
  return [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
}

const STAND_IN =
  /x{4}|\*{3}|\.{3}|…|•|example|placeholder|redacted|\bhidden\b|dummy|fake|sample|foobar|change.?me|replace.?me|your[-_ ]|your(?:api|token|key|secret|pass)|\[redacted:|<secret|0{8}/i;

const STOCK_PASSWORD =
  /^[a-z_-]*(?:pass|p[a@4]ss?w[o0]rd|pw|pwd|secret|token|key|admin|root|test|guest|user|demo|default|postgres|mysql|none|null|string|value|text|unknown)[a-z_-]*\d{0,4}[!@#$.]{0,2}$/i;

/** Sequences that people type, and examples that documentation has made known. */
const PUBLIC_EXAMPLE = new RegExp(
  [
    "1234567890abc|0123456789abc|abcdefghij|abc123def456",
    // Stripe's documentation; Azure's storage emulator; the first account of Hardhat and Anvil.
    "4eC39HqLyjWDarjtT1zdp7dc|Eby8vdM02xNOcqFlqUwJ|ac0974bec39a17e36ba4a6b4d238ff94",
    // The tokens of jwt.io, whose subject is 1234567890; RFC 7617, Aladdin; the key URI format.
    "eyJzdWIiOiIxMjM0NTY3ODkwI|QWxhZGRpbjpvcGVuIHNlc2FtZQ|JBSWY3DPEHPK3PXP",
  ].join("|"),
  "i",
);

const PLAIN_DATA: readonly RegExp[] = [
  /^(?:[a-z]{1,20}[-_:.])?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i,
  // Public keys in DER.
  /^M(?:FkwEwYHKoZIzj0|IIB[Ij]|IIC[Ij]jAN|CowBQYDK2V)/,
  /^(?:sha\d{1,3}|md5|blake\w{1,4}|crc32|etag|W\/|urn|arn)[:/-]/i,
  /^[a-z][a-z0-9+.-]{1,20}:\/\//i,
  /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/](?:[\w.@-]{1,60}[\\/]|[a-z.]{1,20}$)/,
  /^[a-z0-9_.-]+(?:\/[a-z0-9_.-]+){2,}$/,
  /\.(?:json|ya?ml|pem|key|txt|env|[cm]?[jt]sx?|py|go|rs|rb|sh|toml|md|html?|css|png|svg|crt|cer|p12|pub|lock|log|db|sql|xml|conf|cfg|ini)$/i,
  /^v?\d+(?:\.\d+)+(?:[-+.][\w.+-]*)?$/,
  /^[\d.,:+\-/TZ ]+$/,
  /^[^\s@]+@[\w-]+(?:\.[\w-]+)+$/,
  /^[A-Za-z_$][A-Za-z_$]*(?:(?:\??\.|::|->)[A-Za-z_$][\w$]*)+$/,
  /^(?:process\.env|os\.environ|import\.meta|env|secrets?|vars|config|settings|self|this)\b[.[]/,
];

const TOKEN_ALPHABET = /^[A-Za-z0-9+/=_.~-]+$/;

/** A name of several words, as of a machine or a file: of one case with digits anywhere, or with digits behind words. */
const NAME_AND_NUMBER =
  /^(?:[a-z]+(?:[-_.:/][a-z0-9]*[a-z])+[-_.:/]?\d{0,4}|[A-Z]+(?:[-_.:/][A-Z0-9]*[A-Z])+[-_.:/]?\d{0,4}|[A-Za-z]+\d{0,4}(?:[-_.:/](?:[A-Za-z]+\d{0,4}|\d{1,6}))+)$/;

const ALGORITHM =
  /^(?:sha|md\d|utf|base|oauth|x?ed?\d{4,5}|argon|pbkdf|bcrypt|scrypt|aes|rsa|hs\d|rs\d|es\d|ecdsa|hmac|x509|iso|latin|oauth|http|pkcs|p\d{3})[-_]?\d/i;

function hasFewCharacters(value: string): boolean {
  const seen = new Set<string>();
  const needed = value.length < 16 ? 3 : 6;
  for (const character of value) {
    seen.add(character);
    if (seen.size >= needed) return false;
  }
  return true;
}

/** Bits per character. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** How often a letter, a capital or a digit is followed by another kind. A capital that begins a word counts as small. */
function switchRate(value: string): number {
  const kinds = value
    .replace(/[A-Z](?=[a-z]{2})|[a-z]/g, "a")
    .replace(/[B-Z]/g, "A")
    .replace(/\d/g, "0");
  return (kinds.match(/a(?=[A0])|A(?=0)|0(?=[aA])/g)?.length ?? 0) / value.length;
}
