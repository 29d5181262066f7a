import type { Draw } from "./draw.ts";

export interface SecretField {
  readonly record: unknown;
  readonly secret: string;
}

const field = (secret: string, record: (secret: string) => unknown): SecretField => ({
  record: record(secret),
  secret,
});

/** Records whose keys make a secret of a value. */
export const SECRET_FIELDS: readonly ((draw: Draw) => SecretField)[] = [
  (d) => field(d.password(), (password) => ({ user: "ana", password })),
  (d) => field(d.alphanumeric(32), (apiKey) => ({ apiKey })),
  (d) => field(d.urlSafe(40), (secret) => ({ headers: { authorization: `Bearer ${secret}` } })),
  (d) => field(d.alphanumeric(40), (secret) => ({ headers: { Authorization: secret } })),
  (d) => field(d.urlSafe(40), (secret) => ({ cookie: `theme=dark; session=${secret}` })),
  (d) => field(d.urlSafe(40), (secret) => ({ "set-cookie": [`sid=${secret}; Path=/`] })),
  (d) => field(d.password(), (value) => ({ env: [{ name: "DB_PASSWORD", value }] })),
  (d) => field(d.alphanumeric(32), (Value) => ({ Key: "ApiToken", Value })),
  (d) => field(d.urlSafe(43), (value) => ({ name: "Authorization", value: `Bearer ${value}` })),
  (d) => field(d.urlSafe(43), (value) => ({ cookies: [{ name: "session_token", value, path: "/" }] })),
  (d) => field(d.password(), (value) => ({ outputs: { db: { sensitive: true, type: "string", value } } })),
  (d) => field(d.password(), (secret) => ({ args: ["mysql", "--password", secret] })),
  (d) => field(d.alphanumeric(40), (secret) => ({ argv: ["tide", "--token", secret, "up"] })),
  (d) => field(d.hex(40), (secret) => ({ input: { api_token: secret } })),
  (d) => field(Buffer.from(`ana:${d.password()}`).toString("base64"), (auth) => ({ auths: { "ghcr.io": { auth } } })),
  (d) => field(d.password(), (secret) => ({ SecretString: secret })),
  (d) => field(d.password(), (secret) => ({ credentials: { user: "ana", pass: secret } })),
  (d) => field(d.base32(32), (secret) => ({ totpSecret: secret })),
];

/** Records whose keys only look like those of secrets. */
export const PLAIN_FIELDS: readonly ((draw: Draw) => unknown)[] = [
  (d) => ({ name: "session_id", value: d.uuid() }),
  (d) => ({ sessionId: d.uuid(), promptCacheKey: d.uuid() }),
  (d) => ({ token_count: d.number(9999), tokens: `${d.digits(6)} of ${d.digits(7)}` }),
  (d) => ({ cache_key: d.hex(64), commit: d.hex(40) }),
  () => ({ name: "password", value: "Enter your password" }),
  () => ({ author: "Ana Tide <ana@tide.dev>", authority: "tide.dev:8443" }),
  () => ({ key: "ArrowDown", code: "KeyK" }),
  () => ({ keywords: "barnacle, cormorant", passed: "12 of 12" }),
  (d) => ({ signature: d.base64(200), encrypted_content: d.urlSafe(200) }),
  () => ({ file_path: "/home/ana/code/tide/src/auth/token2.ts" }),
  () => ({ name: "token", type: "string", value: "string", description: "The token2 to use" }),
  (d) => ({ call_id: `call_${d.alphanumeric(24)}`, id: `fc_${d.hex(50)}` }),
  () => ({ args: ["ls", "--token", "--key", "README2.md"] }),
  () => ({ oauth: "enabled2", auth: "device-code2" }),
  () => ({ cookie: "theme=dark; lang=de", cookies: [{ name: "theme", value: "dark" }] }),
  (d) => ({ pattern: "password\\s*=\\s*['\"]", uuid: d.uuid() }),
];
