import { lengthOfKeyBefore } from "./redact-key-tail.ts";
import type { WordRule } from "./redact-rules.ts";
import { isEncodedText, isMixed, isStockPassword, isTemplate } from "./redact-values.ts";

/** What stands between the words of a key block: line ends, also escaped; quotes, joints and numbers of quoted lines. */
const GAP =
  "(?:\\s|\\\\{1,8}[nrt\"']|[\"'`,>|│#*]|\\+(?=[\\s\"'-])|-(?!----)|\\d{1,6}(?:[→\\t:]|-(?!----)|(?= ?[|│])))";
/** Some programs escape the slash in JSON. */
const DATA = "(?:[A-Za-z0-9+/]|\\\\{1,4}/)";
const KEY_HEADER = "(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): [^\\n\\\\]{0,200}";

/** What follows the first line of a key, whose end may have been cut off. */
const KEY_BODY =
  `(?:${GAP}{0,60}(?:${KEY_HEADER}|${DATA}{20,}={0,2})){1,4000}` +
  `(?:${GAP}{1,60}${DATA}{1,19}={1,2})?` +
  `(?:${GAP}{0,60}(?:[A-Za-z0-9/=][A-Za-z0-9+/=]{0,18}${GAP}{1,60}){0,2}-{5,6}END [A-Z0-9 ]{0,40}(?:-----|$)` +
  `|${GAP}{1,60}${DATA}{1,19}(?=\\\\{0,8}["'\`]|\\s{0,9}(?:$|…|\\.{3}|[[<(](?:…|\\.|\\d|\\w{0,9} ?trunc))))?`;

const hasKeyData = (block: string): boolean => /[A-Za-z0-9+/\\]{40}/.test(block);

const DATA_LINE = /(^[ \t]+[\w.-]{1,100}: )([A-Za-z0-9+/]{8,}={0,2})(?=[ \t]*$)/gm;

/** How the lines end between which a private key stands. */
export const KEY_WORDS: readonly string[] = ["private key-----", "private key block-----"];

/** Secrets in blocks of several lines, and in lines of files of passwords. */
export const BLOCK_RULES: readonly WordRule[] = [
  {
    name: "private-key",
    words: ["-----begin "],
    pattern: new RegExp(`()(-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----${KEY_BODY})`, "y"),
    check: hasKeyData,
    source: "RFC 7468; OpenSSH: PROTOCOL.key; RFC 4880",
  },
  {
    // Something else stands between its lines, such as the fields of JSON.
    name: "private-key",
    words: KEY_WORDS,
    pattern:
      /((?<!END (?:[A-Z0-9]{1,20} ){0,3})PRIVATE KEY(?: BLOCK)?-----)((?:(?!-----)[\s\S]){40,32000}(?=-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY))/y,
    each: /()((?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{40,}={0,2}|[A-Za-z0-9+/]{8,}={1,2}))/g,
    check: (line) => line.endsWith("=") || isMixed(line),
    source: "RFC 7468",
  },
  {
    // The first line was cut in two.
    name: "private-key",
    words: KEY_WORDS,
    pattern: new RegExp(`()((?<!END (?:[A-Z0-9]{1,20} ){0,3})PRIVATE KEY(?: BLOCK)?-----${KEY_BODY})`, "y"),
    check: hasKeyData,
    source: "RFC 7468",
  },
  {
    // What stands before was cut off.
    name: "private-key",
    words: ["-----end "],
    pattern: /()(-----END (?:(?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----|(?!CERT|PUB)[A-Z ]{0,30}-{0,4}$))/y,
    reach: lengthOfKeyBefore,
    check: () => true,
    source: "RFC 7468",
  },
  {
    name: "private-key",
    words: ["private-lines:"],
    pattern:
      /(private-lines: \d{1,3}(?:\r?\n|\\r?\\n|\\n))([A-Za-z0-9+/]{4,64}={0,2}(?:(?:\r?\n|(?:\\r)?\\n)[A-Za-z0-9+/]{4,64}={0,2}(?![\w-])){0,100})/iy,
    check: () => true,
    source: "PuTTY: the PPK file format",
  },
  {
    name: "secret",
    words: ["kind: secret"],
    pattern: /(kind: secret\n(?:(?!---)[^\n]*\n){0,30}?data:[ \t]*\n)((?:[ \t]+\S[^\n]*(?:\n|$)){1,100})/iy,
    each: DATA_LINE,
    check: isEncodedText,
    source: "Kubernetes: secrets",
  },
  {
    name: "secret",
    words: ["data:\n"],
    pattern: /(data:\n)((?:[ \t]+\S[^\n]*\n){1,100})(?=kind: Secret\n)/y,
    each: DATA_LINE,
    check: isEncodedText,
    source: "Kubernetes: secrets",
  },
  {
    name: "password",
    words: [":5432:", ":*:*:"],
    pattern: /((?<=(?<![^\s"'`])[\w.*-]{1,100}):(?:5432|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:)([^\s"'`<>:]{4,200})/y,
    check: (secret, before) => !isTemplate(secret) && !isStockPassword(secret, before.split(":").at(-2)),
    source: "PostgreSQL: the password file",
  },
];
