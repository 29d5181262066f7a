import type { TextForm, TextLayer } from "../store.ts";
import { integer, type Statements, text } from "./statements.ts";

/** A table with columns that hold texts. */
export interface TextTable {
  readonly name: string;
  readonly layer: TextLayer;
  readonly columns: readonly { readonly name: string; readonly form: TextForm }[];
  /** What a row is found by, in the order in which rows are gone through. */
  readonly key: readonly string[];
  /** Columns of which no two rows may hold the same. */
  readonly unique: readonly string[];
}

/** Tables with texts, in the order in which they are gone through: what is made from another one's texts before that one. */
export function textTables(sql: Statements): readonly TextTable[] {
  const rows = sql.all("SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name");
  return rows
    .map((row) => ({ name: text(row.name), isWithoutRowid: integer(row.wr) === 1 }))
    .filter(({ name }) => !name.startsWith("sqlite_") && !WITHOUT_TEXTS.has(name))
    .map(({ name, isWithoutRowid }) => tableOf(sql, name, isWithoutRowid))
    .filter(({ columns }) => columns.length > 0)
    .sort((a, b) => orderOf(a) - orderOf(b));
}

function tableOf(sql: Statements, name: string, isWithoutRowid: boolean): TextTable {
  const columns = sql.all("SELECT name, type, pk FROM pragma_table_info(?) ORDER BY pk, cid", name).map((row) => ({
    name: text(row.name),
    isText: row.type === "TEXT",
    key: integer(row.pk),
  }));
  const key = columns.filter((column) => column.key > 0).map((column) => column.name);
  const { layer, forms, unique = [] } = KNOWN[name] ?? { layer: "others", forms: undefined };
  return {
    name,
    layer,
    key: isWithoutRowid ? key : ["rowid"],
    unique: [...unique, ...key],
    columns: columns.flatMap((column) => {
      const form = forms === undefined ? guessedForm(column) : forms[column.name];
      return form === undefined ? [] : [{ name: column.name, form }];
    }),
  };
}

/** Of a table that nothing is known of here, all texts are looked at but those that name something. */
function guessedForm(column: { readonly name: string; readonly isText: boolean }): TextForm | undefined {
  if (!column.isText || NAMING.has(column.name)) return undefined;
  return "json";
}

const NAMING = new Set(["agent", "session", "native_id", "kind", "type", "public_id", "uid", "hash", "token", "via"]);

/** Derived from the texts of others, or of texts that nobody wrote. */
const WITHOUT_TEXTS = new Set([
  ...["observations", "touches", "paths", "copies", "early_files", "hook_events", "hook_runs"],
  ...["facts", "lease", "watch_lease", "mirror_files", "validity", "receipt_parts"],
  ...["vectors", "vector_engines"],
]);

interface Known {
  readonly layer: TextLayer;
  readonly forms: Readonly<Record<string, TextForm>>;
  readonly unique?: readonly string[];
}

const KNOWN: Readonly<Record<string, Known>> = {
  projects: {
    layer: "projects",
    forms: { key: "text", name: "text", identified_name: "text" },
    unique: ["key"],
  },
  project_folders: { layer: "projects", forms: { folder: "text", place: "text", root: "text", worktree: "text" } },
  project_roots: { layer: "projects", forms: { root: "text" } },
  project_decisions: {
    layer: "projects",
    forms: { project: "text", target: "text", folder: "text", name: "text", by: "text" },
  },
  project_history: { layer: "projects", forms: { by: "text", was: "json", became: "json" } },
  sessions: {
    layer: "sessions",
    forms: {
      native_id: "kept",
      cwd: "text",
      branch: "text",
      agent_version: "text",
      title_custom: "text",
      title_generated: "text",
      title_last_prompt: "text",
      title_summary: "text",
      title_first_prompt: "text",
    },
  },
  enrichments: {
    layer: "sessions",
    forms: { session: "kept", title: "text", summary: "text", model: "text" },
  },
  tags: { layer: "sessions", forms: { tag: "name" } },
  title_hints: { layer: "sessions", forms: { text: "text" } },
  usage: { layer: "sessions", forms: { model: "text" } },
  files: { layer: "readers", forms: { path: "kept", reader_state: "json", skipped: "json" } },
  annotations: { layer: "annotations", forms: { session: "kept", key: "name", value: "text", by: "text" } },
  annotation_history: {
    layer: "annotations",
    forms: { session: "kept", key: "name", was: "text", became: "text", by: "text" },
  },
  // What was asked and handed out is packed, as the texts of messages are.
  receipts: { layer: "receipts", forms: { client: "text" } },
  messages: {
    layer: "messages",
    forms: {
      text: "text",
      tool: "text",
      call_id: "text",
      touched: "text",
      commands: "text",
      branch: "text",
      cwd: "text",
    },
  },
};

function orderOf({ name }: TextTable): number {
  return name === "messages" ? 1 : 0;
}
