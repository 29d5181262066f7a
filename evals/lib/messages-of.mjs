/**
 * The messages that hits tell of, best first, each once: of a hit all that bear on the query, in the order of their
 * scores, which compare across hits.
 *
 * @param {readonly import("../../src/service/yore.ts").Hit[]} hits
 * @returns {readonly string[]} Ids of messages.
 */
export function messagesOf(hits) {
  const told = hits.flatMap(({ message, messages, score }) =>
    messages.length > 0 ? messages : [{ id: message.id, score }],
  );
  const ids = told.toSorted((a, b) => b.score - a.score).map(({ id }) => id);
  return [...new Set(ids.filter((id) => id !== ""))];
}
