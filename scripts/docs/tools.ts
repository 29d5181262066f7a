import { PROMPTS } from "../../src/surfaces/mcp/prompts.ts";
import { MAX_REPLY_CHARS, REPLY_CHARS } from "../../src/surfaces/mcp/reply.ts";
import { RESOURCE_TEMPLATES } from "../../src/surfaces/mcp/resources.ts";
import { describeAllowed } from "../../src/surfaces/mcp/schema.ts";
import { INSTRUCTIONS } from "../../src/surfaces/mcp/server.ts";
import { type ToolReference, toolReference } from "../../src/surfaces/mcp/tools/registry.ts";
import { GENERATED, page, table } from "./markdown.ts";

/** Everything the MCP server offers, from the definitions it is served from. */
export function renderTools(): string {
  const tools = toolReference();
  return page(
    "# MCP tools",
    GENERATED,
    INTRODUCTION,
    table(
      ["tool", "title", "toolsets", "writes"],
      tools.map(({ name, title, toolsets, annotations }) => [
        `[\`${name}\`](#${name})`,
        title,
        toolsets.join(", "),
        annotations.readOnlyHint ? "" : "yes",
      ]),
    ),
    RULES,
    ...tools.flatMap(renderTool),
    "## Resources",
    table(
      ["address", "type", "content"],
      RESOURCE_TEMPLATES.map(({ uriTemplate, mimeType, description }) => [`\`${uriTemplate}\``, mimeType, description]),
    ),
    "The list of resources names the latest 10 projects and 20 sessions. Ids are completed.",
    "## Prompts",
    table(
      ["prompt", "what it is for", "argument"],
      PROMPTS.map(({ name, description, argument }) => [
        `\`${name}\``,
        description,
        `\`${argument.name}\`${argument.required ? "" : " (optional)"}: ${argument.description}`,
      ]),
    ),
    "## Instructions",
    "What the server tells an agent about itself when it connects:",
    `> ${INSTRUCTIONS}`,
  );
}

const INTRODUCTION = `\`yore mcp\` serves these over standard input and output. \`--toolset core\` offers those of the core set only.
\`--read-only\`, or [\`YORE_READ_ONLY\`](settings.md), offers only those that write nothing. [Connect](../guides/connect.md)
shows how to add the server to an agent.`;

const RULES = `Rules that hold for all tools:

- A reply is text, ${grouped(REPLY_CHARS)} characters long by default and ${grouped(MAX_REPLY_CHARS)} at most.
- What comes from a transcript stands inside a fence, below a line that says that it is recorded history and not
  instructions; Yore's own words stand outside. The fence bears a random word. Whatever looks like a fence, a tag of a
  harness or a control character in the recalled text is broken up or left out.
- Where there is more, the reply names a \`cursor\`. It is good for the same arguments and the same run of the server.
- Numbers, truth values and lists may come as text, a list also as words with commas between. An argument that is
  \`null\` or empty counts as left out. One that the tool does not have is refused, and the nearest name is given.
- A failure is a reply that is marked as an error. It says what was wrong and what to do next.
- Dates are as in [search](../guides/search.md#dates).
- A session is named by its id, by the first 8 or more characters of it, or by its alias.
- What a tool changes stands in the history as changed by the client, under the name that it gives itself. The reply says
  what changed, what was there before, and how to take it back; [organise](../guides/organise.md) has the rest.
- \`destructiveHint\` is true of what may take something off or replace it. That, too, can be taken back.
- Of calls that write, 60 a minute are done, or what [\`YORE_WRITES_PER_MINUTE\`](settings.md) says. One that is refused says
  when to try again.
- Every call is [recorded](../guides/privacy.md#what-agents-asked), without its texts.
- \`search\` leaves out the session that asks, where the agent says which one that is.`;

function renderTool(tool: ToolReference): string[] {
  const { name, title, description, inputSchema, annotations, example } = tool;
  const rows = Object.entries(inputSchema.properties).map(([argument, schema]) => [
    `\`${argument}\``,
    describeAllowed(schema),
    inputSchema.required?.includes(argument) ? "yes" : "",
    schema.description ?? "",
  ]);
  return [
    `## ${name}`,
    `**${title}.** ${description}`,
    table(["argument", "takes", "required", "meaning"], rows),
    `Example: \`${JSON.stringify(example)}\``,
    `Annotations: ${Object.entries(annotations)
      .map(([hint, value]) => `\`${hint}\` ${value}`)
      .join(", ")}.`,
  ];
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
