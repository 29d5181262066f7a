import { fieldsOf, isFields, textOf } from "../fields.ts";

/** Text of a message's or a tool result's content: a string, a block, or an array of either. */
export function contentText(content: unknown, depth = 0): string {
  if (typeof content === "string") return content;
  if (depth > MAX_DEPTH) return "";
  if (!Array.isArray(content)) return isFields(content) ? blockText(content, depth) : "";
  const parts: string[] = [];
  for (const block of content) {
    const text = contentText(block, depth + 1);
    if (text !== "") parts.push(text);
  }
  return parts.join("\n");
}

/** The first `max` characters, with a mark where more followed. Ends between words: half a secret is not seen as one. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max);
  const end = head.search(/\s\S*$/);
  return `${end > max / 2 ? head.slice(0, end) : head} …`;
}

const MAX_DEPTH = 8;

function blockText(block: Readonly<Record<string, unknown>>, depth: number): string {
  if (block.type === "image") return "[image]";
  if (block.type === "document") return documentText(block);
  if (typeof block.text === "string") return block.text;
  if (block.content !== undefined) return contentText(block.content, depth + 1);
  // What ToolSearch answers with.
  return textOf(block.tool_name) ?? "";
}

function documentText(block: Readonly<Record<string, unknown>>): string {
  const source = fieldsOf(block.source);
  const inline = source.type === "text" ? textOf(source.data) : undefined;
  const title = textOf(block.title);
  return [title === undefined ? "[document]" : `[document: ${title}]`, ...(inline === undefined ? [] : [inline])].join(
    "\n",
  );
}
