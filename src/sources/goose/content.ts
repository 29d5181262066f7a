import { type Fields, fieldsOf, isFields, listOf, textOf } from "../fields.ts";

/** The blocks of a message's or a result's content, of whichever version. */
export function blocksOf(content: unknown): readonly Fields[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : listOf(content).map(fieldsOf);
}

/** What a tool answered: a list of blocks, in newer versions within an object. */
export function resultText(value: unknown): string {
  const blocks = blocksOf(isFields(value) ? value.content : value);
  const forModel = blocks.filter(({ annotations }) => isForModel(annotations));
  return (forModel.length > 0 ? forModel : blocks)
    .map(blockText)
    .filter((text) => text !== "")
    .join("\n");
}

/** Many tools answer twice, in one way to the model and in another to the person. */
function isForModel(annotations: unknown): boolean {
  const { audience } = fieldsOf(annotations);
  return !Array.isArray(audience) || audience.length === 0 || audience.includes("assistant");
}

function blockText({ type, text, resource }: Fields): string {
  if (type === "image") return "[image]";
  return textOf(text) ?? textOf(fieldsOf(resource).text) ?? "";
}
