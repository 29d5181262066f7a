import { type Fields, fieldsOf, isFields, textOf } from "../fields.ts";

/** Blocks of a message's content, which may be a string. */
export function blocksOf(content: unknown): readonly Fields[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return isFields(content) ? [content] : [];
  return content.flatMap((block) => {
    if (typeof block === "string") return [{ type: "text", text: block }];
    return isFields(block) ? [block] : [];
  });
}

/** Text of a content: that of its blocks, pictures and documents by name. */
export function contentText(content: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) return "";
  const texts = blocksOf(content).map((block) => blockText(block, depth));
  return texts.filter((text) => text !== "").join("\n");
}

/** Text of one block that is neither thinking nor of a tool. */
export function blockText(block: Fields, depth = 0): string {
  if (block.type === "image") return "[image]";
  if (block.type === "document") return documentText(block);
  return textOf(block.text) ?? (block.content === undefined ? "" : contentText(block.content, depth + 1));
}

const MAX_DEPTH = 8;

/** Attached files. Of a PDF its text may stand beside the bytes. */
function documentText(block: Fields): string {
  const source = fieldsOf(block.source);
  const name = textOf(source.name) ?? textOf(block.title);
  const inline = textOf(source.parsed_data) ?? (source.type === "text" ? textOf(source.data) : undefined);
  const heading = name === undefined ? "[document]" : `[document: ${name}]`;
  return inline === undefined ? heading : `${heading}\n${inline}`;
}
