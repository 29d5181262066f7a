import { type RedactionOptions, redact } from "./redact.ts";

/**
 * A string of a record without the secrets in it; the same one where there are none. It is also looked at together with
 * the name of its field, since `{"password": "…"}` is an assignment, and so is `{"name": "DB_PASSWORD", "value": "…"}`.
 * `fields` is the object that it stands in.
 */
export function redactField(text: string, key: string, fields?: object, options?: RedactionOptions): string {
  if (text.length < SHORTEST && options?.own === undefined) return text;
  const { text: result } = redact(text, options);
  const kind = kindOfKey(key);
  if (kind === "plain") return result;
  const name = kind === "value" && fields !== undefined ? (nameBeside(fields) ?? key) : key;
  return TELLING.test(name) ? redactAssigned(name, result, options) : result;
}

/** No rule of ours finds anything in a shorter text. */
const SHORTEST = 7;
const TELLING = /key|token|secret|pass|pwd|credential|auth|cookie|session|mnemonic|phrase/i;

type KeyKind = "plain" | "telling" | "value";

/** The same few keys stand in all records. */
const KNOWN_KEYS = new Map<string, KeyKind>();
const MOST_KNOWN = 2_000;

function kindOfKey(key: string): KeyKind {
  const known = KNOWN_KEYS.get(key);
  if (known !== undefined) return known;
  if (KNOWN_KEYS.size >= MOST_KNOWN) KNOWN_KEYS.clear();
  const kind = VALUE.test(key) ? "value" : TELLING.test(key) ? "telling" : "plain";
  KNOWN_KEYS.set(key, kind);
  return kind;
}

/** Fields that hold what another field beside them names. */
const VALUE = /^(?:[a-z]*value|default)$/i;
const NAMES = ["name", "key", "Name", "Key", "ParameterKey", "variable", "header"];

function nameBeside(fields: object): string | undefined {
  const known: Readonly<Record<string, unknown>> = { ...fields };
  // As Terraform marks an output.
  if (known.sensitive === true) return "password";
  const name = NAMES.map((key) => known[key]).find((value) => typeof value === "string");
  if (typeof name !== "string" || !/^[\w.-]{1,80}$/.test(name)) return undefined;
  return "domain" in known || "httpOnly" in known || "path" in known ? `cookie ${name}` : name;
}

function redactAssigned(key: string, text: string, options?: RedactionOptions): string {
  const opening = key.startsWith("cookie ") ? `"cookie": "${key.slice("cookie ".length)}=` : `"${key}": "`;
  // What a person named is gone from the text already, and might be found in what stands before it here.
  const { own: _, ...rules } = options ?? {};
  const { text: result } = redact(`${opening}${text}"`, rules);
  return result.startsWith(opening) && result.endsWith('"') ? result.slice(opening.length, -1) : text;
}
