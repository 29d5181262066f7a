import { YoreError } from "../../core/errors.ts";
import type { EngineRequest } from "../enrichment-api.ts";
import { anthropic } from "./anthropic.ts";
import { commandEngine } from "./command.ts";
import type { Engine } from "./engine.ts";
import { openaiCompatible } from "./openai-compatible.ts";

interface World {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Where a program works that is started. */
  readonly folder: string;
  readonly timeoutMs: number;
}

/** Opens nothing yet. Throws `bad-input` for what cannot be used. */
export function openEngine(request: EngineRequest, { variables, folder, timeoutMs }: World): Engine {
  if (request.kind === "command") {
    const { command, model } = request;
    if ((command[0] ?? "") === "")
      throw new YoreError("bad-input", "No program was given.", {
        hint: "Give it behind two dashes: `yore enrich --engine command -- claude -p`.",
      });
    return commandEngine({ command, model, folder, variables, timeoutMs });
  }
  const { model, keyVariable } = request;
  if (model.trim() === "") throw new YoreError("bad-input", "No model was named.", { hint: "Name one with --model." });
  if (request.kind === "anthropic") {
    const url = addressOf(request.url ?? nonEmpty(variables.ANTHROPIC_BASE_URL) ?? ANTHROPIC);
    const name = keyVariable ?? "ANTHROPIC_API_KEY";
    const key = keyOf(keyVariable === undefined ? variables.ANTHROPIC_API_KEY : variables[keyVariable], name);
    return anthropic({ model, url: url.replace(/\/v1$/, ""), key, keyVariable: name, timeoutMs });
  }
  return openaiCompatible({ model, ...endpointOf(request, variables), timeoutMs });
}

/** Where an API like OpenAI's is, and with what key. Throws `bad-input` for what cannot be used. */
export function endpointOf(
  { url: given, keyVariable }: { readonly url: string; readonly keyVariable?: string },
  variables: World["variables"],
): { readonly url: string; readonly key: string | undefined; readonly keyVariable: string | undefined } {
  const address = addressOf(given);
  const url = new URL(address).pathname === "/" ? `${address}/v1` : address;
  // A key goes to whom it is of; to any other only where a person says so.
  const isOpenai = /^https:\/\/(?:[\w-]+\.)*openai\.com(?=[:/]|$)/.test(url);
  const name = keyVariable ?? (isOpenai ? "OPENAI_API_KEY" : undefined);
  const value = keyVariable === undefined ? variables.OPENAI_API_KEY : variables[keyVariable];
  return { url, key: name === undefined ? undefined : keyOf(value, name), keyVariable: name };
}

const ANTHROPIC = "https://api.anthropic.com";

function addressOf(text: string): string {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    // Told below.
  }
  if (url === undefined || !["http:", "https:"].includes(url.protocol) || url.username !== "" || url.search !== "")
    throw new YoreError("bad-input", "The address of the endpoint cannot be used.", {
      hint: "Give it with http:// or https://, without a name, a password or a question mark: http://127.0.0.1:11434/v1",
    });
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

function keyOf(value: string | undefined, name: string): string {
  const key = nonEmpty(value?.trim());
  if (key !== undefined && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new YoreError("bad-input", key === undefined ? `${name} is not set.` : `${name} holds no key.`, {
    hint: "Set it to the key of the endpoint, or name another variable with --key-env.",
  });
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : value;
}
