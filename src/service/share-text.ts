/** Text for HTML, between tags and in attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? "");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * What an agent or a person wrote, as HTML: blocks of code, headings, code and strong words in a line. Everything else
 * stays the text it is; nothing of it becomes a tag, an address or an attribute.
 */
export function renderText(text: string): string {
  const blocks: string[] = [];
  let lines: string[] = [];
  let code: { readonly fence: string; readonly lines: string[] } | undefined;
  const endProse = (): void => {
    blocks.push(...renderProse(lines));
    lines = [];
  };
  for (const line of text.split("\n")) {
    const fence = FENCE.exec(line)?.[1];
    if (code !== undefined) {
      if (fence?.startsWith(code.fence) && line.trim() === fence) {
        blocks.push(renderCode(code.lines.join("\n")));
        code = undefined;
      } else code.lines.push(line);
    } else if (fence !== undefined) {
      endProse();
      code = { fence, lines: [] };
    } else lines.push(line);
  }
  endProse();
  if (code !== undefined) blocks.push(renderCode(code.lines.join("\n")));
  return blocks.join("\n");
}

export function renderCode(text: string): string {
  return `<pre dir="auto"><code>${escapeHtml(text)}</code></pre>`;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^#{1,6} +(.+)$/;

function renderProse(lines: readonly string[]): string[] {
  return lines
    .join("\n")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => {
      const heading = HEADING.exec(paragraph)?.[1];
      return heading === undefined
        ? `<p dir="auto">${renderInline(paragraph)}</p>`
        : `<p class="heading" dir="auto">${renderInline(heading)}</p>`;
    });
}

/** Cut at code first, so that nothing in it is read as anything else. */
function renderInline(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, at) =>
      at % 2 === 1
        ? `<code>${escapeHtml(part.slice(1, -1))}</code>`
        : escapeHtml(part).replace(/\*\*([^*\n]+)\*\*/g, "<strong>$1</strong>"),
    )
    .join("");
}
