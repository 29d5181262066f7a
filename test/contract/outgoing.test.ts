import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Yore } from "../../src/service/yore.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";

const SESSION = sessionId(1);
// Put together, so that scanners of repositories see no secret here.
const SECRET = `${"ghp_"}q7Rk2VtY9mXc4LpZ8wNd3HsB6jGf5TzQ1yKe`;

/** Every piece of text that leaves a store for others to read. */
const WAYS: readonly (readonly [string, (yore: Yore) => Promise<string>])[] = [
  ["a shared page", async (yore) => (await yore.share({ session: SESSION, everything: true })).html],
  ["JSON Lines", (yore) => exported(yore, "jsonl")],
  ["Markdown", (yore) => exported(yore, "markdown")],
];

describe.each(WAYS)("a secret that got into the store", (name, leaving) => {
  it.each([
    ["a message", `UPDATE messages SET text = 'the token is ${SECRET}' WHERE role = 'human'`],
    ["what a tool gave back", `UPDATE messages SET text = '{"token": "${SECRET}"}' WHERE part = 'result'`],
    ["the name of a tool", `UPDATE messages SET tool = '${SECRET}' WHERE part = 'call'`],
    ["a command", `UPDATE messages SET commands = '["curl -u ${SECRET}"]' WHERE part = 'call'`],
    ["a title", `UPDATE sessions SET title_custom = 'on ${SECRET}'`],
    ["a folder", `UPDATE sessions SET cwd = '/home/ana/${SECRET}'`],
    ["a branch", `UPDATE sessions SET branch = 'fix/${SECRET}'`],
    ["a project's name", `UPDATE projects SET name = '${SECRET}', identified_name = '${SECRET}'`],
    ["a project's key", `UPDATE projects SET key = 'folder:/home/${SECRET}'`],
    ["a model", `UPDATE usage SET model = '${SECRET}'`],
    ["a note", `UPDATE annotations SET value = 'see ${SECRET}' WHERE kind = 'note'`],
    ["a memory", `UPDATE annotations SET value = replace(value, 'flood', 'flood ${SECRET}') WHERE kind = 'memory'`],
    ["who wrote a note", `UPDATE annotations SET by = '${SECRET}' WHERE kind = 'note'`],
  ])(`does not leave it in ${name}: %s`, async (_, script) => {
    const home = await filled();
    home.sql(script);
    const text = await leaving(await home.open());
    expect(text).toContain("flood");
    expect(text).not.toContain(SECRET.slice(4));
  });
});

describe.each(WAYS.filter(([name]) => name !== "JSON Lines"))(
  "a secret with what nobody sees in it",
  (name, leaving) => {
    it(`does not leave in ${name}`, async () => {
      const home = await filled();
      home.sql(`UPDATE messages SET text = 'it is ghp_' || char(8203) || '${SECRET.slice(4)}'`);
      expect(await leaving(await home.open())).not.toContain(SECRET.slice(4));
    });
  },
);

describe("a shared page", () => {
  it.each([
    "<script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</title></code></pre></details></main><img src=x onerror=alert(1)>",
    `"><svg onload=alert(1)>`,
    "' onmouseover='alert(1)",
    "```\n</code></pre><iframe src=//evil></iframe>\n```",
    "```js\nunclosed <b>",
    "~~~\n</pre>\n~~~ \n<base href=//evil>",
    "`</code><script>x</script>`",
    "**<i>**`**</i>`**",
    "# <meta http-equiv=refresh content=0>\n\n## <link rel=stylesheet href=//evil>",
    "[click](javascript:alert(1)) ![x](https://evil/p.png) <https://evil>",
    "&lt;script&gt; &amp;lt; &#60;script&#62;",
    "\u202eevil\u202c \u2066x\u2069 zero\u200bwidth \u0000 \u001b[31mred",
    "<!-- comment --><![CDATA[ x ]]><?php ?>",
    "<ſcript>\ufeff<%00script>",
  ])("is not broken by %j", async (text) => {
    const home = await filled(text);
    const yore = await home.open();
    await yore.annotate({ kind: "tags", items: [{ session: SESSION, add: ["tides"] }] });
    const { html } = await yore.share({ session: SESSION, everything: true });
    expect(foreignMarkup(html)).toEqual([]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
    expect(html).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/);
    expect(html.match(/<script|<style/g)).toEqual(["<style"]);
  });

  it("shows what was said, as text", async () => {
    const html = await pageOf("a **strong** `<b>` word\n\n```js\nif (a < b) {}\n```");
    expect(html).toContain('<p dir="auto">a <strong>strong</strong> <code>&lt;b&gt;</code> word</p>');
    expect(html).toContain('<pre dir="auto"><code>if (a &lt; b) {}</code></pre>');
  });

  it("may fetch nothing and run nothing; its style is known by its hash", async () => {
    const html = await pageOf("x");
    const [, policy = ""] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");
    expect(policy).toBe(`default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`);
    expect(html.indexOf("Content-Security-Policy")).toBeLessThan(html.indexOf("<style>"));
    expect(html).not.toMatch(/\s(?:src|href|srcset|action|style|on\w+)=|url\(|@import/i);
  });

  it("folds a tool call, with what came of it", async () => {
    const html = await pageOf("x");
    expect(html.match(/<details>/g)).toHaveLength(1);
    expect(html).toMatch(
      /<details><summary><b>Tool call: Bash<\/b>[\s\S]*Tool result: Bash[\s\S]*all is well[\s\S]*<\/details>/,
    );
  });

  it("leaves out thinking and notices, unless asked", async () => {
    const yore = await (await filled()).open();
    const { html } = await yore.share({ session: SESSION });
    expect(html).not.toContain("the fuse, perhaps");
    expect((await yore.share({ session: SESSION, everything: true })).html).toContain("the fuse, perhaps");
  });

  it("does not tell where the home folder is", async () => {
    const home = createHome();
    const talk = claudeTranscript({ session: SESSION, cwd: "/home/ana/code/tide" });
    talk.prompt(`look at ${home.home}/notes.txt, /home/ana/code and /home/anabel/x`);
    talk.says(`it is in ${home.home}/.claude/projects/-home-ana-code-tide/a.jsonl`);
    home.write(home.claudePath(SESSION), talk.lines);
    const yore = await home.open();
    const { html } = await yore.share({ session: SESSION });
    expect(html).toContain("look at ~/notes.txt, ~/code and /home/anabel/x");
    expect(html).toContain("~/.claude/projects/~-code-tide/a.jsonl");
    expect(html).not.toContain(home.home);
    expect(html).toContain('<dd dir="auto">~/code/tide</dd>');
  });
});

describe("Markdown", () => {
  it("keeps a tool's output within its block", async () => {
    const yore = await (await filled("x", "```\n# not a heading\n````")).open();
    const text = await exported(yore, "markdown");
    expect(text).toContain("`````\n```\n# not a heading\n````\n`````");
  });
});

async function filled(said = "x", returned = "all is well"): Promise<TestHome> {
  const home = createHome();
  const talk = claudeTranscript({ session: SESSION });
  talk.prompt(`when is the flood? ${said}`);
  talk.thinks("the fuse, perhaps");
  talk.calls("Bash", { command: said });
  talk.returns(returned);
  talk.says(`${said}\nat nine, the flood`, { call: "c1", usage: { input: 1, output: 1 } });
  talk.prompt(said);
  talk.bare({ type: "custom-title", customTitle: `flood ${said}`, sessionId: SESSION });
  home.write(home.claudePath(SESSION), talk.lines);
  const yore = await home.open();
  await yore.annotate({ kind: "note", session: SESSION, text: "High water." });
  await yore.remember({ text: "The flood comes at nine.", session: SESSION });
  await yore.close();
  return home;
}

async function pageOf(said: string): Promise<string> {
  const home = createHome();
  const talk = claudeTranscript({ session: SESSION });
  talk.prompt(said);
  talk.calls("Bash", { command: "make" });
  talk.returns("all is well");
  home.write(home.claudePath(SESSION), talk.lines);
  return (await (await home.open()).share({ session: SESSION })).html;
}

async function exported(yore: Yore, format: "jsonl" | "markdown"): Promise<string> {
  let text = "";
  for await (const piece of yore.export({ format })) text += piece.text;
  return text;
}

/** Tags and attributes of a page that are not the page's own. */
function foreignMarkup(html: string): readonly string[] {
  const body = html
    .slice(html.indexOf("<body>"))
    .replace(/<(?:\/?)(\w+)((?: (?:dir="auto"|class="(?:person|agent|aside|heading)"))*)>/g, (tag, name: string) =>
      OWN.has(name) ? "" : tag,
    );
  return body.match(/<[^\s]?[^<]{0,40}/g) ?? [];
}

const OWN: ReadonlySet<string> = new Set(
  "body header h1 h2 h3 dl dt dd main section time p pre code strong details summary b span html".split(" "),
);
