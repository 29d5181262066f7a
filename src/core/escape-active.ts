/** JSON with what a terminal would act on as escapes, which leaves its value the same. */
export function escapeActive(json: string): string {
  return json.replace(ACTIVE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

// Delete, C1 controls, zero-width and bidi characters, line and paragraph separators; JSON itself escapes C0 only.
const ACTIVE = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
