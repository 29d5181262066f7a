import { type Fields, fieldsOf, textOf, timeOf } from "../fields.ts";
import type { Item, Sidecars } from "../source.ts";
import { inOrder, isDocument } from "./paths.ts";

export type Emit = (item: Item) => void;

/** A document that the agent wrote: its task list, its plan, its account of what it did. */
export interface WrittenDocument {
  readonly name: string;
  readonly text: string;
  /** What Antigravity noted of it. */
  readonly meta: Fields;
}

/** The documents in a conversation's folder. */
export function documentsIn(folder: string, sidecars: Sidecars): readonly WrittenDocument[] {
  return inOrder(sidecars.names(folder).filter(isDocument)).flatMap((name) => {
    const path = `${folder}${separatorOf(folder)}${name}`;
    const text = sidecars.text(path, { head: MAX_BYTES, tail: 0 });
    return text === undefined ? [] : [{ name, text, meta: sidecars.json(path + META) ?? {} }];
  });
}

/** Tells a document as what the agent said last. */
export function tellDocument({ name, text, meta }: WrittenDocument, session: string, emit: Emit): void {
  if (text.trim() === "") return;
  const at = timeOf(meta.updatedAt);
  emit({
    kind: "message",
    nativeId: `${session}#${name}`,
    role: "assistant",
    part: "text",
    text: `${name}\n\n${text.trim()}`,
    ...(at !== undefined && { at }),
  });
}

/** A document as a record, and back. */
export function recordOf({ name, text, meta }: WrittenDocument): Fields {
  const { artifactType, summary, updatedAt } = meta;
  return { type: "document", name, text, meta: { artifactType, summary, updatedAt } };
}

export function documentOf({ name, text, meta }: Fields): WrittenDocument | undefined {
  const [known, written] = [textOf(name), textOf(text)];
  return known === undefined || written === undefined
    ? undefined
    : { name: known, text: written, meta: fieldsOf(meta) };
}

/** The heading of a document, without what only says of what kind it is. */
export function headingOf({ text }: WrittenDocument): string | undefined {
  const heading = /^#\s+(.+)$/m.exec(text.slice(0, 4_000))?.[1]?.trim() ?? "";
  const title = heading.replace(KIND, "").trim();
  return title === "" ? undefined : title;
}

const META = ".metadata.json";
const MAX_BYTES = 200_000;
const KIND = /^(?:tasks?|implementation plan|walkthrough)\s*(?:[:–—-]\s*|$)/i;

function separatorOf(path: string): string {
  return path.includes("/") ? "/" : "\\";
}
