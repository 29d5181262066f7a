import { isFields } from "../fields.ts";

/**
 * Goose's text editor has a verb more than others', names the text of a new file `file_text`, and in newer versions the
 * texts of an edit `before` and `after`.
 */
export function commonInput(input: unknown): unknown {
  if (!isFields(input) || typeof input.path !== "string") return input;
  const { command, file_text, before, after, ...rest } = input;
  return {
    ...rest,
    ...(command !== undefined && { command: command === "write" ? "create" : command }),
    ...(file_text !== undefined && { content: file_text }),
    ...(before !== undefined && { old_str: before }),
    ...(after !== undefined && { new_str: after }),
  };
}
