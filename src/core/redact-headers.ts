import { isSecretName } from "./redact-names.ts";
import type { WordRule } from "./redact-rules.ts";
import {
  countClasses,
  hasDigit,
  isBasicCredentials,
  isOpaqueToken,
  isPlaceholder,
  isTemplate,
  looksRandom,
} from "./redact-values.ts";

/** What may stand around the colon of a header: quotes of JSON, also of JSON in JSON; the bracket of an index. */
const COLON = "\\\\{0,4}[\"']?\\]?[ \\t]{0,2}[:=,][ \\t]{0,2}\\[?\\\\{0,4}[\"'`]?f?";

/** A name of a cookie that lets someone in. */
const SESSION_COOKIE =
  /sess|sid|auth|token|jwt|csrf|xsrf|login|user|remember|access|refresh|identity|secret|key|connect/i;

/** Names of cookies that only tell visitors apart, whatever stands in them. */
const VISITOR_COOKIE = /^(?:_ga(?:t|_|$)|_gid|_gcl|_fb|_hj|_cl|ajs_|amp|optanon|_uet|mp_|intercom-id|consent|cookie)/i;

/** Secrets in headers, and others that a fixed word stands before. */
export const HEADER_RULES: readonly WordRule[] = [
  {
    name: "bearer-token",
    words: ["bearer"],
    pattern: /(bearer(?:[ \t]{1,3}|%20))([A-Za-z0-9_.~+/-]{16,}={0,2})/iy,
    check: isOpaqueToken,
    source: "RFC 6750",
  },
  {
    name: "token",
    words: ["authorization"],
    pattern: new RegExp(`(authorization${COLON}(?:AWS4-[A-Z0-9-]+|Digest|OAuth|Hawk) )([^\\n\\r]{20,2000})`, "iy"),
    each: /((?:signature|response|mac|oauth_token|nonce)="?)([A-Za-z0-9%+/_-]{20,200}={0,2})/gi,
    check: (secret) => !isPlaceholder(secret) && looksRandom(secret.replace(/%../g, ""), 20, 0.1),
    source: "AWS: Signature Version 4; RFC 7616; RFC 5849",
  },
  {
    name: "token",
    words: ["authorization"],
    pattern: new RegExp(
      `(authorization${COLON}(?:(?!bearer|basic)[A-Za-z][\\w-]{1,24}[ \\t]{1,2}(?:[\\w-]{1,40}:(?=[A-Za-z0-9+/]{30,}))?)?)([A-Za-z0-9_.~+/-]{16,}(?::[A-Za-z0-9_-]{16,})?={0,2})`,
      "iy",
    ),
    check: isCredential,
    source: "RFC 9110, section 11.6.2",
  },
  {
    name: "basic-auth",
    words: ["basic "],
    pattern: /(basic[ \t]{1,3})([A-Za-z0-9+/]{8,}={0,2})/iy,
    check: isCredentials,
    source: "RFC 7617",
  },
  {
    name: "basic-auth",
    words: ['auth"', "auth'", "auth\\"],
    pattern: /(auth\\{0,4}["'][ \t]{0,2}:[ \t]{0,2}\\{0,4}["'])([A-Za-z0-9+/]{8,}={0,2})/iy,
    check: isCredentials,
    source: "Docker: config.json",
  },
  {
    name: "cookie",
    words: ["cookie"],
    pattern: new RegExp(`(cookies?${COLON})([^\\n\\r"'\`\\\\]{16,8192})`, "iy"),
    each: /((?:^|[;\s])[\w.%-]{1,80}=)([^;,\s]{16,4096})/g,
    check: isCookie,
    source: "RFC 6265",
  },
  {
    name: "cookie",
    words: ["true\t"],
    pattern: /(true\t\d{5,12}\t[\w.%-]{1,80}\t)([^\s;,]{16,4096})/iy,
    check: isCookie,
    source: "curl: the cookie file",
  },
  {
    name: "password-hash",
    words: ["$apr1$", "$1$", "$5$", "$6$", "$2a$", "$2b$", "$2x$", "$2y$", "$y$", "$argon2"],
    pattern:
      /()(\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|(?:apr1|1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|[56]\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}|y\$[./A-Za-z0-9]+\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}|argon2(?:id|i|d)\$v=\d+\$[mtp=,\d]+\$[A-Za-z0-9+/]{11,}\$[A-Za-z0-9+/]{22,}))/y,
    check: (secret) => !isPlaceholder(secret),
    source: "crypt(5); PHC string format",
  },
  {
    name: "password-hash",
    words: ["pbkdf2_sha"],
    pattern: /()(pbkdf2_sha\d+\$\d+\$[A-Za-z0-9]{6,}\$[A-Za-z0-9+/]{26,}={0,2})/iy,
    check: (secret) => !isPlaceholder(secret),
    source: "Django: how passwords are stored",
  },
  {
    name: "password-hash",
    words: ["{sha", "{ssha"],
    pattern: /()(\{S?SHA\d{0,3}\}[A-Za-z0-9+/]{27,}={0,2})/iy,
    check: (secret) => !isPlaceholder(secret),
    source: "Apache: password formats; RFC 2307",
  },
  {
    name: "openshift-token",
    words: ["sha256~"],
    pattern: /()(sha256~[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-]))/y,
    check: (secret) => !isPlaceholder(secret),
    source: "OpenShift: OAuth access tokens",
  },
  {
    name: "key",
    words: ["aws secret access key "],
    pattern: /(aws secret access key \[[^\]\n]{0,40}\]: )([A-Za-z0-9+/]{40})(?![\w+/])/iy,
    check: (secret) => !isPlaceholder(secret),
    source: "AWS: aws configure",
  },
  {
    name: "recovery-words",
    words: ["mnemonic", "seed phrase", "seed_phrase", "seedphrase", "recovery phrase", "recovery_phrase"],
    pattern: new RegExp(`([a-z_ -]{4,16}${COLON})((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![ ,.]?[A-Za-z])`, "iy"),
    check: isRecoveryPhrase,
    source: "BIP 39",
  },
];

function isCredentials(secret: string): boolean {
  return secret.length % 4 === 0 && secret.length <= 1024 && isBasicCredentials(secret);
}

function isCredential(secret: string, before: string): boolean {
  if (isTemplate(secret) || isPlaceholder(secret)) return false;
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.test(secret)) return / $/.test(before);
  return isOpaqueToken(secret) && looksRandom(secret.replace(":", ""), 16, 0.15);
}

function isCookie(secret: string, before: string): boolean {
  const name = /([\w.%-]+)[=\t]$/.exec(before)?.[1] ?? "";
  const value = secret.replace(/%[0-9A-F]{2}/gi, "");
  if (VISITOR_COOKIE.test(name) || isTemplate(secret) || isPlaceholder(secret)) return false;
  if (!/^[A-Za-z0-9_.~+/=:|!-]+$/.test(value) || !hasDigit(value) || countClasses(value) < 2) return false;
  return SESSION_COOKIE.test(name) || isSecretName(name)
    ? looksRandom(value.replace(/[^A-Za-z0-9]/g, ""), 16, 0.1)
    : looksRandom(value.replace(/[^A-Za-z0-9]/g, ""), 32, 0.2);
}

function isRecoveryPhrase(phrase: string): boolean {
  const words = phrase.split(" ");
  return (
    words.length % 3 === 0 &&
    new Set(words).size >= words.length * 0.5 &&
    !/\b(?:the|and|for|with|are|was|from)\b/i.test(phrase)
  );
}
