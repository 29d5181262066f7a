/** The objects of a list in JSON, wherever in the text of a tool's input it stands. None where it was cut, or is no such list. */
export function entriesIn(text: string): Record<string, unknown>[] {
  const from = text.indexOf("[{");
  if (from < 0) return [];
  try {
    const list: unknown = JSON.parse(text.slice(from, text.lastIndexOf("}]") + 2));
    return Array.isArray(list) ? list.filter((entry) => typeof entry === "object" && entry !== null) : [];
  } catch {
    return [];
  }
}
