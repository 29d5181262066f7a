import { describe, expect, it } from "vitest";
import { modelToolName } from "./tool-names.ts";

describe("modelToolName", () => {
  it.each([
    ["copilot_readFile", "read_file"],
    ["copilot_applyPatch", "apply_patch"],
    ["copilot_findTextInFiles", "grep_search"],
    ["copilot_insertEdit", "insert_edit_into_file"],
    ["copilot_multiReplaceString", "multi_replace_string_in_file"],
    ["copilot_getVSCodeAPI", "get_vscode_api"],
    ["copilot_getNotebookSummary", "copilot_getNotebookSummary"],
    ["copilot_memory", "memory"],
    ["run_in_terminal", "run_in_terminal"],
    ["runSubagent", "runSubagent"],
    ["mcp_github_getIssue", "mcp_github_getIssue"],
    ["copilot_", "copilot_"],
    ["", ""],
  ])("of %s is %s", (toolId, name) => {
    expect(modelToolName(toolId)).toBe(name);
  });
});
