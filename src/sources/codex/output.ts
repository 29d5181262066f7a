import { asFields, type Fields, fieldsOf, jsonOf, numberOf, parseJson, textOf } from "../fields.ts";
import { isImage, partText } from "./prompt.ts";
import { durationOf } from "./values.ts";

/** What a tool gave back. `text` is without the lines that the harness put above it. */
export interface Output {
  readonly text: string;
  readonly exitCode?: number;
  readonly durationMs?: number;
  readonly isError?: boolean;
}

/** Decodes the output of a call: a string, a list of content parts, an object, or a string that holds either as JSON. */
export function decodeOutput(output: unknown): Output {
  if (typeof output === "string") return decodeString(output);
  if (Array.isArray(output)) return decodeParts(output);
  const fields = asFields(output);
  return fields === undefined ? { text: "" } : (decodeFields(fields) ?? { text: jsonOf(fields) });
}

/** Parts of an output that came with its exit code and duration beside it. */
export function outputFields(output: Output): Omit<Output, "text"> {
  const isError = output.isError ?? (output.exitCode !== undefined && output.exitCode !== 0);
  return {
    ...(output.exitCode !== undefined && { exitCode: output.exitCode }),
    ...(output.durationMs !== undefined && { durationMs: output.durationMs }),
    ...(isError && { isError }),
  };
}

export function contentText(parts: readonly unknown[]): string {
  return parts
    .map((part) => partText(part) ?? (isImage(part) ? "[image]" : ""))
    .filter((text) => text !== "")
    .join("\n");
}

const HEAD_CHARS = 20_000;
const BODY_MARK = "\nOutput:\n";
const EXIT_CODE = /^(?:Exit code: |Process exited with code )(-?\d+)$/m;
const WALL_TIME = /^(?:Wall time:?|Duration:) ([\d.]+) seconds?$/m;
const RUNNING = "Process running with session ID ";
const FAILED_SCRIPT = "Script failed";
const HEAD_LINE = /^(?:Exit code: |Process exited with code |Process running with session ID |Wall time:? [\d.])/m;
const FAILURE =
  /^(?:apply_patch verification failed|exec_command failed|execution error|tool call error|failed to parse function arguments|unsupported call)/i;

/**
 * Code mode gives its own head first, then what the script printed: often the outputs of the tools it called, each
 * with a head or an envelope of its own.
 */
function decodeParts(parts: readonly unknown[]): Output {
  const [first, ...rest] = parts.map((part) => decodeString(partText(part) ?? (isImage(part) ? "[image]" : "")));
  if (first === undefined) return { text: "" };
  const all = [first, ...rest];
  const exitCodes = all.map(({ exitCode }) => exitCode).filter((code) => code !== undefined);
  const exitCode = exitCodes.find((code) => code !== 0) ?? exitCodes[0];
  const durationMs = all.find((output) => output.durationMs !== undefined)?.durationMs;
  return {
    text: all
      .map(({ text }) => text)
      .filter((text) => text !== "")
      .join("\n"),
    ...(exitCode !== undefined && { exitCode }),
    ...(durationMs !== undefined && { durationMs }),
    ...(all.some(({ isError }) => isError === true) && { isError: true }),
  };
}

/** What wraps an output. An object with any other key is the output itself. */
const ENVELOPE_KEYS = new Set([
  ...["output", "metadata", "content", "success", "isError", "is_error", "structuredContent", "_meta"],
  ...["stdout", "stderr", "exit_code", "exitCode", "duration"],
  ...["chunk_id", "wall_time_seconds", "original_token_count", "session_id"],
]);

function decodeString(text: string): Output {
  const parsed = text.startsWith("{") ? asFields(parseJson(text)) : undefined;
  const isEnvelope = parsed !== undefined && Object.keys(parsed).every((key) => ENVELOPE_KEYS.has(key));
  return (isEnvelope ? decodeFields(parsed) : undefined) ?? decodeHeaded(text);
}

/** The shapes with a known place for the text; undefined for any other object. */
function decodeFields(fields: Fields): Output | undefined {
  const meta = fieldsOf(fields.metadata);
  const exitCode = numberOf(meta.exit_code) ?? numberOf(fields.exit_code) ?? numberOf(fields.exitCode);
  const seconds = numberOf(meta.duration_seconds) ?? numberOf(fields.wall_time_seconds);
  const durationMs = seconds === undefined ? durationOf(fields.duration) : Math.round(seconds * 1000);
  const failed = fields.success === false || fields.isError === true || fields.is_error === true;
  const text = textIn(fields);
  if (text === undefined) return undefined;
  return {
    ...decodeHeaded(text),
    ...(exitCode !== undefined && { exitCode }),
    ...(durationMs !== undefined && { durationMs }),
    ...(failed && { isError: true }),
  };
}

function textIn(fields: Fields): string | undefined {
  const { output, content, stdout, stderr } = fields;
  if (typeof output === "string") return output;
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return contentText(content);
  if (typeof stdout === "string" || typeof stderr === "string") {
    return [textOf(stdout), textOf(stderr)].filter((text) => text !== undefined).join("\n");
  }
  return partText(fields);
}

/** Text below lines such as `Process exited with code 0`, ended by `Output:`. */
function decodeHeaded(text: string): Output {
  const at = text.indexOf(BODY_MARK);
  const head = at < 0 || at > HEAD_CHARS ? "" : text.slice(0, at);
  if (!HEAD_LINE.test(head)) return { text, ...(FAILURE.test(text) && { isError: true }) };
  const exitCode = EXIT_CODE.exec(head)?.[1];
  const seconds = WALL_TIME.exec(head)?.[1];
  const body = bodyText(text.slice(at + BODY_MARK.length));
  const isRunning = head.includes(RUNNING);
  return {
    text: isRunning && body.trim() === "" ? text : body,
    ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
    ...(seconds !== undefined && { durationMs: Math.round(Number(seconds) * 1000) }),
    ...(head.startsWith(FAILED_SCRIPT) && { isError: true }),
  };
}

/** MCP results are a JSON list of content parts. */
function bodyText(body: string): string {
  if (!body.startsWith('[{"')) return body.replace(/^\n/, "");
  const parts = parseJson(body);
  const text = Array.isArray(parts) ? contentText(parts) : "";
  return text === "" ? body : text;
}
