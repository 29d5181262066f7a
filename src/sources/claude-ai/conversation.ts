import type { ExportFormat } from "../export-files/container.ts";
import { orderTree, type TreeNode } from "../export-files/tree.ts";
import { type Fields, fieldsOf, isFields, listOf, nameOf, textOf, timeOf } from "../fields.ts";

export function isConversation(conversation: Fields): boolean {
  return Array.isArray(conversation.chat_messages) && typeof conversation.uuid === "string";
}

/** Takes a conversation apart into its own fields, without account and messages, and its messages in order. */
export const claudeAiFormat: ExportFormat = {
  describe(conversation) {
    const id = nameOf(conversation.uuid);
    if (id === undefined || !isConversation(conversation)) return undefined;
    const createdAt = timeOf(conversation.created_at);
    const updatedAt = timeOf(conversation.updated_at);
    return { id, ...(createdAt !== undefined && { createdAt }), ...(updatedAt !== undefined && { updatedAt }) };
  },
  *records({ chat_messages: messages, account: _, ...own }) {
    yield { type: "conversation", ...own };
    for (const step of orderTree(nodesOf(listOf(messages)), textOf(own.current_leaf_message_uuid))) {
      yield "branch" in step ? { type: "branch", ...step } : messageOf(step.value);
    }
  },
};

/** Older exports name no parents: there a message follows the one before. */
function nodesOf(messages: readonly unknown[]): TreeNode<unknown>[] {
  let before: string | undefined;
  return messages.map((value, n) => {
    const fields = fieldsOf(value);
    const id = textOf(fields.uuid) ?? `#${n}`;
    const parent = textOf(fields.parent_message_uuid) ?? before;
    before = id;
    return { id, parent: parent === id ? undefined : parent, value };
  });
}

function messageOf(value: unknown): unknown {
  return isFields(value) ? { type: "message", message: value } : value;
}
