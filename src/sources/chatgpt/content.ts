import { asFields, type Fields, fieldsOf, listOf, textOf } from "../fields.ts";

/** What a content of any type says. Pictures and sounds are named, since an export holds only pointers to them. */
export function contentText(content: Fields): string {
  const parts = listOf(content.parts).map((part) => (typeof part === "string" ? part : partText(asFields(part))));
  const said = parts.filter((part) => part !== "").join("\n");
  const text = said === "" ? (textOf(content.text) ?? textOf(content.result) ?? "") : said;
  return [textOf(content.title), textOf(content.url), text]
    .filter((line) => line !== undefined && line !== "")
    .join("\n");
}

export function thinkingText(content: Fields): string {
  const thoughts = listOf(content.thoughts).map((thought) => {
    const { summary, content: text } = fieldsOf(thought);
    return [textOf(summary), textOf(text)].filter((line) => line !== undefined).join("\n");
  });
  return thoughts.join("\n\n");
}

function partText(part: Fields | undefined): string {
  if (part === undefined) return "";
  const text = textOf(part.text);
  if (text !== undefined) return text;
  switch (part.content_type) {
    case "image_asset_pointer":
      return "[image]";
    case "audio_asset_pointer":
    case "real_time_user_audio_video_asset_pointer":
      // What was said stands beside it, as a transcription.
      return "";
    default:
      return "[attachment]";
  }
}
