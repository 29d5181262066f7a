const TOOLS = [
  "search",
  "timeline",
  "get_observations",
  "list_projects",
  "list_sessions",
  "list_tags",
  "get_session",
  "context_for_session",
  "set_alias",
  "add_tag",
  "remove_tag",
  "add_note",
  "pin_session",
  "add_to_collection",
  "apply_tags",
  "remember",
  "forget",
];

// Hosts join server and tool with `__`, `_` or `-`, and put `mcp` or the plugin's name before.
const OWN = new RegExp(`(?:^|[_-])yore(?:__|_|-|\\.)(?:${TOOLS.join("|")})$`);

/** Whether a tool is Yore's own: what it returned is recall, and must not be found as if it had been said anew. */
export function isOwnTool(name: string): boolean {
  return OWN.test(name);
}
