import { asFields, type Fields, isFields, textOf } from "../fields.ts";

/** One part of a message, as the Gemini API has them (`PartListUnion` of `@google/genai`). */
export type Part =
  | { readonly kind: "text" | "thought"; readonly text: string }
  | { readonly kind: "call" | "response"; readonly fields: Fields }
  | { readonly kind: "media"; readonly text: string };

/** The parts of a content: a string, a part, or a list of either. What is neither is left out. */
export function partsOf(content: unknown): readonly Part[] {
  const parts: Part[] = [];
  for (const value of Array.isArray(content) ? content : [content]) {
    const part = partOf(value);
    if (part !== undefined) parts.push(part);
  }
  return parts;
}

/** The texts of a content, thoughts and media left out. */
export function textsOf(content: unknown): readonly string[] {
  return partsOf(content).flatMap((part) => (part.kind === "text" ? [part.text] : []));
}

function partOf(value: unknown): Part | undefined {
  if (typeof value === "string") return value === "" ? undefined : { kind: "text", text: value };
  if (!isFields(value)) return undefined;
  const text = textOf(value.text);
  if (text !== undefined) return { kind: value.thought === true ? "thought" : "text", text };
  const call = asFields(value.functionCall);
  if (call !== undefined) return { kind: "call", fields: call };
  const response = asFields(value.functionResponse);
  if (response !== undefined) return { kind: "response", fields: response };
  const media = asFields(value.inlineData) ?? asFields(value.fileData);
  if (media === undefined) return undefined;
  return { kind: "media", text: textOf(media.mimeType)?.startsWith("image/") === true ? "[image]" : "[file]" };
}
