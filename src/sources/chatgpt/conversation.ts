import type { ExportFormat } from "../export-files/container.ts";
import { orderTree, type TreeNode } from "../export-files/tree.ts";
import { type Fields, fieldsOf, hashOf, isFields, nameOf, textOf, timeOf } from "../fields.ts";

export function isConversation(conversation: Fields): boolean {
  return isFields(conversation.mapping);
}

/** The id that a conversation has in its address; one that lacks it is named by what else tells it apart. */
export function idOf({ id, conversation_id: other, create_time: time, title }: Fields): string {
  return nameOf(id) ?? nameOf(other) ?? `untold-${hashOf(`${String(time)} ${String(title)}`)}`;
}

/** Takes a conversation apart into its own fields, without the tree, and its messages in order. */
export const chatgptFormat: ExportFormat = {
  describe(conversation) {
    if (!isConversation(conversation)) return undefined;
    const createdAt = timeOf(conversation.create_time);
    const updatedAt = timeOf(conversation.update_time);
    return {
      id: idOf(conversation),
      ...(createdAt !== undefined && { createdAt }),
      ...(updatedAt !== undefined && { updatedAt }),
    };
  },
  *records({ mapping, ...own }) {
    yield { type: "conversation", ...own };
    for (const step of orderTree(nodesOf(fieldsOf(mapping)), textOf(own.current_node))) {
      if ("branch" in step) yield { type: "branch", ...step };
      // The root holds no message.
      else if (step.value.message !== null) yield { type: "message", ...step.value };
    }
  },
};

/** Of each node its id and its message. */
function nodesOf(mapping: Fields): TreeNode<{ readonly node: string; readonly message: unknown }>[] {
  return Object.entries(mapping).map(([id, value]) => {
    const node = fieldsOf(value);
    const parent = textOf(node.parent);
    return { id, parent: parent === id ? undefined : parent, value: { node: id, message: node.message ?? null } };
  });
}
