import { createHash } from "node:crypto";
import { clipLine, clipMiddle } from "../core/text.ts";
import { escapeHtml, renderCode, renderText } from "./share-text.ts";

/** A message for a page: redacted, neutralised, and not escaped. */
export interface SharedMessage {
  readonly kind: "person" | "agent" | "aside" | "tool";
  readonly speaker: string;
  readonly time?: string;
  readonly text: string;
  /** What came of a tool call. */
  readonly result?: { readonly speaker: string; readonly text: string };
}

export interface SharedPage {
  readonly title: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly messages: readonly SharedMessage[];
}

/** A tool can print megabytes that nobody reads in a page. */
const TOOL_CHARS = 20_000;
const SUMMARY_CHARS = 120;

/**
 * The page. Nothing in it runs, and it may fetch nothing: its policy forbids all but the one style sheet inside it, which
 * is known by its hash.
 */
export function renderPage({ title, facts, messages }: SharedPage): string {
  const shown = escapeHtml(title === "" ? "A session" : title);
  const list = facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd dir="auto">${escapeHtml(value)}</dd>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${shown}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1 dir="auto">${shown}</h1>
<dl>${list.join("")}</dl>
</header>
<main>
${messages.map(renderMessage).join("\n")}
</main>
</body>
</html>
`;
}

function renderMessage(message: SharedMessage): string {
  if (message.kind === "tool") return renderTool(message);
  const time = message.time === undefined ? "" : ` <time>${escapeHtml(message.time)}</time>`;
  const head = `<h2>${escapeHtml(message.speaker)}${time}</h2>`;
  return `<section class="${message.kind}">${head}\n${renderText(message.text)}\n</section>`;
}

function renderTool({ speaker, text, result }: SharedMessage): string {
  const first = clipLine(text.split("\n").find((line) => line.trim() !== "") ?? "", SUMMARY_CHARS);
  const summary = `<summary><b>${escapeHtml(speaker)}</b> <span dir="auto">${escapeHtml(first)}</span></summary>`;
  const outcome =
    result === undefined
      ? ""
      : `\n<h3>${escapeHtml(result.speaker)}</h3>\n${renderCode(clipMiddle(result.text, TOOL_CHARS))}`;
  return `<details>${summary}\n${renderCode(clipMiddle(text, TOOL_CHARS))}${outcome}\n</details>`;
}

const STYLE = `
:root { color-scheme: light dark; --line: #d5d8dd; --soft: #f3f4f6; --person: #eaf2ff; --dim: #5b6470; }
@media (prefers-color-scheme: dark) { :root { --line: #3a3f47; --soft: #23262b; --person: #1d2a3d; --dim: #9aa4b2; } }
body { margin: 0 auto; max-width: 52rem; padding: 1.5rem 1rem 4rem; font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; line-height: 1.3; }
h2, h3 { margin: 0 0 .4rem; font-size: .85rem; font-weight: 600; color: var(--dim); }
h3 { margin-top: .8rem; }
time { font-weight: 400; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem .8rem; font-size: .85rem; color: var(--dim); }
dd { margin: 0; }
section { margin: 1rem 0; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
section.person { background: var(--person); }
section.aside { background: var(--soft); color: var(--dim); }
p { margin: .5rem 0; white-space: pre-wrap; unicode-bidi: isolate; }
p.heading { font-weight: 700; }
pre { margin: .5rem 0; padding: .6rem .8rem; background: var(--soft); border-radius: .35rem; white-space: pre-wrap; unicode-bidi: isolate; }
code { font: .85em/1.45 ui-monospace, monospace; }
details { margin: .5rem 0; padding: .3rem 1rem; border-left: 3px solid var(--line); font-size: .9rem; }
summary { cursor: pointer; color: var(--dim); }
`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");
