import { type EngineFailure, MOST_ANSWER_BYTES, TOO_LATE } from "./engine.ts";

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Default: {@link MOST_ANSWER_BYTES}. */
  readonly mostBytes?: number;
}

export type Posted =
  | { readonly kind: "json"; readonly value: unknown }
  /** Any other status than 2xx, with the beginning of what came with it. */
  | { readonly kind: "status"; readonly status: number; readonly text: string; readonly retryAfterMs?: number }
  | { readonly kind: "not-json" }
  | { readonly kind: "too-long" }
  | { readonly kind: "timeout" }
  | { readonly kind: "stopped" }
  | { readonly kind: "unreachable"; readonly code: string };

/**
 * Sends JSON and reads JSON: the only place of the program that opens a connection. Follows no redirection, so that neither
 * text nor key goes where nobody said. Never throws.
 */
export async function postJson(post: Post): Promise<Posted> {
  const { url, headers, body, timeoutMs, signal, mostBytes = MOST_ANSWER_BYTES } = post;
  const ending = new AbortController();
  const stop = (): void => ending.abort();
  if (signal.aborted) return { kind: "stopped" };
  signal.addEventListener("abort", stop);
  const timer = setTimeout(stop, timeoutMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...headers },
      body: JSON.stringify(body),
      redirect: "manual",
      signal: ending.signal,
    });
    const text = await readBounded(response, mostBytes);
    if (!response.ok) return { kind: "status", status: response.status, text: text ?? "", ...retryAfter(response) };
    if (text === undefined) return { kind: "too-long" };
    return parsed(text);
  } catch (error) {
    if (signal.aborted) return { kind: "stopped" };
    if (ending.signal.aborted) return { kind: "timeout" };
    return { kind: "unreachable", code: codeOf(error) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

/** Undefined where it is too long. */
async function readBounded(response: Response, mostBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks).toString("utf8");
    length += value.byteLength;
    if (length > mostBytes) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
}

function parsed(text: string): Posted {
  try {
    return { kind: "json", value: JSON.parse(text) };
  } catch {
    return { kind: "not-json" };
  }
}

/** In seconds, or a date. */
function retryAfter({ headers }: Response): { readonly retryAfterMs?: number } {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}(?:\.\d+)?$/.test(value)) return { retryAfterMs: Math.ceil(Number(value) * 1_000) };
  const at = Date.parse(value);
  return Number.isNaN(at) ? {} : { retryAfterMs: Math.max(0, at - Date.now()) };
}

/** Such as `ECONNREFUSED`, which Node keeps below its own words. */
function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string" && /^[A-Z][A-Z0-9_]+$/.test(at.code)) return at.code;
  }
  return "no connection";
}

/** What is wrong where there is no JSON; undefined where the signal came first. */
export function failureOf(
  posted: Exclude<Posted, { readonly kind: "json" }>,
  { keyVariable }: { readonly keyVariable: string | undefined },
): EngineFailure | undefined {
  if (posted.kind === "stopped") return undefined;
  if (posted.kind === "unreachable")
    return {
      // A connection that was there and broke off, in two ways of saying it.
      kind: ["ECONNRESET", "UND_ERR_SOCKET"].includes(posted.code) ? "later" : "fatal",
      message: `The endpoint cannot be reached (${posted.code}).`,
      hint: "Check the address, and that its server runs.",
    };
  if (posted.kind === "timeout") return TOO_LATE;
  if (posted.kind === "too-long" || posted.kind === "not-json")
    return {
      kind: "unusable",
      message: posted.kind === "too-long" ? "The endpoint's answer is too long." : "The endpoint's answer is no JSON.",
      hint: "Check that the address is that of the API.",
    };
  return failureOfStatus(posted.status, posted.retryAfterMs, keyVariable);
}

function failureOfStatus(
  status: number,
  retryAfterMs: number | undefined,
  keyVariable: string | undefined,
): EngineFailure {
  const key =
    keyVariable === undefined ? "Name the variable that holds its key with --key-env." : `Check ${keyVariable}.`;
  if (status === 401 || status === 403)
    return { kind: "fatal", message: `The endpoint refused the key (${status}).`, hint: key };
  if (status === 404)
    return {
      kind: "fatal",
      message: "The endpoint knows no such address or model (404).",
      hint: "Check --url and --model.",
    };
  if (status === 402 || (status >= 300 && status < 400))
    return {
      kind: "fatal",
      message: status === 402 ? "The endpoint wants to be paid (402)." : `The endpoint is elsewhere (${status}).`,
      hint: status === 402 ? "Look into your account there." : "Give the address that it has now.",
    };
  if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500)
    return {
      kind: "later",
      message: status === 429 ? "The endpoint is asked too often (429)." : `The endpoint failed (${status}).`,
      hint: "Run it again later: what is done stays done.",
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  return {
    kind: "unusable",
    message: `The endpoint refused the request (${status}).`,
    hint: "Check that the model is one for text, and that the address is that of the API.",
  };
}
