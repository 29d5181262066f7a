import Database from "better-sqlite3";

/**
 * What is easily had: SQLite's BM25 over messages as they stand, one document each, any of the words. Every project has
 * an index of its own.
 *
 * @param {readonly import("./claude-home.mjs").Conversation[]} conversations
 */
export function bm25(conversations) {
  const projects = new Map();
  const owner = new Map();
  for (const { id, project, entries } of conversations) {
    let index = projects.get(project);
    if (index === undefined) {
      index = new Database(":memory:");
      index.exec("CREATE VIRTUAL TABLE m USING fts5(id UNINDEXED, text, tokenize = 'unicode61')");
      projects.set(project, index);
    }
    const insert = index.prepare("INSERT INTO m VALUES (?, ?)");
    index.transaction(() => {
      for (const entry of entries) insert.run(entry.id, entry.text);
    })();
    for (const entry of entries) owner.set(entry.id, id);
  }
  return {
    /**
     * @param {string} project
     * @param {string} query
     * @param {number} limit
     */
    ask(project, query, limit) {
      const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
      if (words.length === 0) return { messages: [], sessions: [] };
      const messages = projects
        .get(project)
        .prepare("SELECT id FROM m WHERE m MATCH ? ORDER BY bm25(m), rowid LIMIT ?")
        .pluck()
        .all(words.map((word) => `"${word}"`).join(" OR "), limit);
      return { messages, sessions: [...new Set(messages.map((message) => owner.get(message)))] };
    },
    close() {
      for (const index of projects.values()) index.close();
    },
  };
}
