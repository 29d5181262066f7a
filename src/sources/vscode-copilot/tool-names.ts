/**
 * Name by which the model calls a tool, of the name by which VS Code knows it (`toolNames.ts` of the extension). Those of
 * other extensions and of MCP servers have one name.
 */
export function modelToolName(toolId: string): string {
  const own = OWN_TOOL.exec(toolId)?.[1];
  if (own === undefined) return toolId;
  return (
    (Object.hasOwn(NAMES, own) ? NAMES[own] : undefined) ??
    own.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  );
}

const OWN_TOOL = /^copilot_(\w+)$/;

const NAMES: Readonly<Record<string, string>> = {
  fetchWebPage: "fetch_webpage",
  editNotebook: "edit_notebook_file",
  findFiles: "file_search",
  findTestFiles: "test_search",
  findTextInFiles: "grep_search",
  getNotebookSummary: "copilot_getNotebookSummary",
  getVSCodeAPI: "get_vscode_api",
  insertEdit: "insert_edit_into_file",
  listDirectory: "list_dir",
  multiReplaceString: "multi_replace_string_in_file",
  replaceString: "replace_string_in_file",
  searchCodebase: "semantic_search",
};
