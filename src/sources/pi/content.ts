import { type Fields, isFields, listOf, textOf } from "../fields.ts";

/** Text of a message's content, a string or blocks, with a mark for each picture. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map(blockText)
    .filter((text) => text !== "")
    .join("\n");
}

/** The blocks of a message; a string is one of text. */
export function blocksOf(content: unknown): readonly Fields[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return listOf(content).filter(isFields);
}

function blockText(block: unknown): string {
  if (typeof block === "string") return block;
  if (!isFields(block)) return "";
  return block.type === "image" ? "[image]" : (textOf(block.text) ?? "");
}
