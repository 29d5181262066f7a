import { normaliseForeignTag } from "../core/annotation.ts";
import { countMarks } from "../core/redact-marks.ts";
import { cleanStored, cleanStoredValue } from "../ingest/prepare.ts";
import { type RewriteText, TEXT_LAYERS, type TextForm, type TextLayer } from "../store/store.ts";

/** Where Yore keeps texts: those of the store, and those of its other files. */
export const REDACTION_LAYERS = [...TEXT_LAYERS, "mirror", "archive", "audit"] as const;
export type RedactionLayer = (typeof REDACTION_LAYERS)[number];

/** Counts what is replaced, by layer and rule; never what it was. */
export class RedactionTally {
  readonly #isTrial: boolean;
  readonly #counts = new Map<RedactionLayer, Map<string, number>>();
  /** Sessions of which a message changes. */
  readonly sessions = new Set<number>();
  /** Texts that ought to change and are kept, by layer. */
  readonly kept = new Map<RedactionLayer, number>();

  constructor(isTrial: boolean) {
    this.#isTrial = isTrial;
  }

  note(layer: RedactionLayer, before: string, after: string): void {
    if (before === after) return;
    const had = countMarks(before);
    for (const [name, count] of countMarks(after)) {
      const added = count - (had.get(name) ?? 0);
      if (added > 0) this.#add(layer, name, added);
    }
  }

  /** In a trial every text comes back as it was. */
  readonly rewrite: RewriteText = (text, { layer, form, session }) => {
    const cleaned = cleanAs(form, text);
    if (cleaned === text) return text;
    if (form === "kept") {
      this.kept.set(layer, (this.kept.get(layer) ?? 0) + 1);
      return text;
    }
    this.note(layer, text, cleaned);
    if (session !== undefined) this.sessions.add(session);
    if (this.#isTrial) return text;
    return form === "name" ? nameOf(cleaned, layer) : cleaned;
  };

  /** Layers and rules in stable order; those without anything are left out. */
  counts(): Readonly<Record<string, Readonly<Record<string, number>>>> {
    return Object.fromEntries(
      REDACTION_LAYERS.flatMap((layer) => {
        const counts = this.#counts.get(layer);
        return counts === undefined
          ? []
          : [[layer, Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))]];
      }),
    );
  }

  #add(layer: RedactionLayer, name: string, count: number): void {
    const counts = this.#counts.get(layer) ?? new Map<string, number>();
    this.#counts.set(layer, counts.set(name, (counts.get(name) ?? 0) + count));
  }
}

/** As a name may be. What an agent put on a session is spelt as when it is read; each part of a collection is a name. */
function nameOf(cleaned: string, layer: TextLayer): string {
  const parts = layer === "annotations" ? cleaned.split("/") : [cleaned];
  return parts.flatMap((part) => normaliseForeignTag(part) ?? []).join("/") || "redacted";
}

function cleanAs(form: TextForm, text: string): string {
  return form === "json" ? cleanJson(text) : cleanStored(text);
}

/** Spelt as it was where nothing changed, and where it is no JSON, as a text. */
export function cleanJson(text: string, spell: (value: unknown) => string = JSON.stringify): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return cleanStored(text);
  }
  const cleaned = cleanStoredValue(value);
  return cleaned === value ? text : spell(cleaned);
}
