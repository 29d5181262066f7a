import type { DefineCommand } from "./command.ts";

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Commands are loaded when asked for: reading the code of all of them takes longer than most of them run. */
  readonly load: () => Promise<DefineCommand>;
  /** Words that begin with one dash are arguments: search uses them for exclusion, and a note may begin with a list. */
  readonly takesDashWords?: true;
}

/** Every command, in the order of `yore --help`. */
export const commands: readonly CommandEntry[] = [
  {
    name: "search",
    summary: "find what was said, done or decided",
    load: async () => (await import("./commands/search.ts")).defineSearch,
    takesDashWords: true,
  },
  {
    name: "show",
    summary: "print a session or one observation",
    load: async () => (await import("./commands/show.ts")).defineShow,
  },
  {
    name: "timeline",
    summary: "list what happened around an observation, a session or a date",
    load: async () => (await import("./commands/timeline.ts")).defineTimeline,
  },
  {
    name: "similar",
    summary: "find what means nearly the same as a session or an observation",
    load: async () => (await import("./commands/similar.ts")).defineSimilar,
  },
  {
    name: "sessions",
    summary: "list sessions, the latest first",
    load: async () => (await import("./commands/sessions.ts")).defineSessions,
  },
  {
    name: "projects",
    summary: "list projects, the latest first",
    load: async () => (await import("./commands/projects.ts")).defineProjects,
  },
  {
    name: "tags",
    summary: "list tags, the most used first",
    load: async () => (await import("./commands/tags.ts")).defineTags,
  },
  {
    name: "context",
    summary: "print a session as a start for a fresh agent",
    load: async () => (await import("./commands/context.ts")).defineContext,
  },
  {
    name: "alias",
    summary: "give a session a name of its own",
    load: async () => (await import("./commands/alias.ts")).defineAlias,
  },
  {
    name: "tag",
    summary: "put tags on sessions",
    load: async () => (await import("./commands/tag.ts")).defineTag,
  },
  {
    name: "untag",
    summary: "take tags off sessions",
    load: async () => (await import("./commands/tag.ts")).defineUntag,
  },
  {
    name: "note",
    summary: "write a note on a session",
    load: async () => (await import("./commands/note.ts")).defineNote,
    takesDashWords: true,
  },
  {
    name: "pin",
    summary: "pin sessions that matter",
    load: async () => (await import("./commands/pin.ts")).definePin,
  },
  {
    name: "unpin",
    summary: "take the pin off sessions",
    load: async () => (await import("./commands/pin.ts")).defineUnpin,
  },
  {
    name: "pins",
    summary: "list pinned sessions, the latest pin first",
    load: async () => (await import("./commands/pin.ts")).definePins,
  },
  {
    name: "collect",
    summary: "put sessions into a collection",
    load: async () => (await import("./commands/collect.ts")).defineCollect,
  },
  {
    name: "uncollect",
    summary: "take sessions out of a collection",
    load: async () => (await import("./commands/collect.ts")).defineUncollect,
  },
  {
    name: "collections",
    summary: "list collections",
    load: async () => (await import("./commands/collect.ts")).defineCollections,
  },
  {
    name: "remember",
    summary: "save a decision, a preference or what was learned",
    load: async () => (await import("./commands/remember.ts")).defineRemember,
    takesDashWords: true,
  },
  {
    name: "memories",
    summary: "list what was saved, and whether it still holds",
    load: async () => (await import("./commands/memories.ts")).defineMemories,
  },
  {
    name: "forget",
    summary: "hide sessions and memories, or list those that are hidden",
    load: async () => (await import("./commands/forget.ts")).defineForget,
  },
  {
    name: "unforget",
    summary: "show again what was forgotten",
    load: async () => (await import("./commands/forget.ts")).defineUnforget,
  },
  {
    name: "log",
    summary: "list what was put on sessions, saved and taken back",
    load: async () => (await import("./commands/log.ts")).defineLog,
  },
  {
    name: "undo",
    summary: "take back the last of these changes, or any one",
    load: async () => (await import("./commands/undo.ts")).defineUndo,
  },
  {
    name: "audit",
    summary: "list what agents asked over MCP",
    load: async () => (await import("./commands/audit.ts")).defineAudit,
  },
  {
    name: "why",
    summary: "say how something that was handed to an agent came about",
    load: async () => (await import("./commands/why.ts")).defineWhy,
  },
  {
    name: "replay",
    summary: "print again what was handed to an agent, byte for byte",
    load: async () => (await import("./commands/replay.ts")).defineReplay,
  },
  {
    name: "index",
    summary: "read new history now",
    load: async () => (await import("./commands/index.ts")).defineIndex,
  },
  {
    name: "watch",
    summary: "read history as it is written, until Ctrl-C",
    load: async () => (await import("./commands/watch.ts")).defineWatch,
  },
  {
    name: "import",
    summary: "read an export, such as that of ChatGPT, Claude.ai or `yore export`",
    load: async () => (await import("./commands/import.ts")).defineImport,
  },
  {
    name: "export",
    summary: "write sessions as JSON Lines or Markdown",
    load: async () => (await import("./commands/export.ts")).defineExport,
  },
  {
    name: "share",
    summary: "make one session into a page that opens anywhere",
    load: async () => (await import("./commands/share.ts")).defineShare,
  },
  {
    name: "backup",
    summary: "write everything into one file",
    load: async () => (await import("./commands/backup.ts")).defineBackup,
  },
  {
    name: "restore",
    summary: "make a lost or damaged store whole again, or put a backup in its place",
    load: async () => (await import("./commands/restore.ts")).defineRestore,
  },
  {
    name: "redact",
    summary: "take secrets out of what is stored",
    load: async () => (await import("./commands/redact.ts")).defineRedact,
  },
  {
    name: "purge",
    summary: "remove sessions for good",
    load: async () => (await import("./commands/purge.ts")).definePurge,
  },
  {
    name: "enrich",
    summary: "have a model that you name write titles and summaries",
    load: async () => (await import("./commands/enrich.ts")).defineEnrich,
  },
  {
    name: "vectors",
    summary: "have another engine find other words for the same",
    load: async () => (await import("./commands/vectors.ts")).defineVectors,
  },
  {
    name: "eval",
    summary: "measure how well search finds things in this history",
    load: async () => (await import("./commands/eval.ts")).defineEval,
  },
  {
    name: "stats",
    summary: "count sessions, tokens, projects and files",
    load: async () => (await import("./commands/stats.ts")).defineStats,
  },
  {
    name: "doctor",
    summary: "say what is wrong or at risk, and what to do",
    load: async () => (await import("./commands/doctor.ts")).defineDoctor,
  },
  {
    name: "install",
    summary: "connect the agents on this machine",
    load: async () => (await import("./commands/install.ts")).defineInstall,
  },
  {
    name: "uninstall",
    summary: "take out of agents' settings what install put in",
    load: async () => (await import("./commands/install.ts")).defineUninstall,
  },
  {
    name: "hook",
    summary: "answer an event of an agent's session",
    load: async () => (await import("./commands/hook.ts")).defineHook,
  },
  {
    name: "mcp",
    summary: "serve the memory to an agent over MCP",
    load: async () => (await import("./commands/mcp.ts")).defineMcp,
  },
];
