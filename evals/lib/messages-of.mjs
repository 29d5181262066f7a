/**
 * The messages that hits tell of, best first, each once: of a hit the one that earned it.
 *
 * @param {readonly import("../../src/service/yore.ts").Hit[]} hits
 * @returns {readonly string[]} Ids of messages.
 */
export function messagesOf(hits) {
  return [...new Set(hits.flatMap(({ message }) => (message.id === "" ? [] : [message.id])))];
}
