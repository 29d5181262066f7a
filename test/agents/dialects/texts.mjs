/** The text in a result of a tool, whatever holds it. */
export function asText(value) {
  if (Array.isArray(value)) return value.map((part) => part.text ?? asText(part)).join("\n");
  return typeof value === "string" ? value : JSON.stringify(value);
}
