/**
 * What a part of a file says.
 *
 * @typedef {object} Passage
 * @property {string} title What it is about; empty where nothing tells.
 * @property {string[]} prose Paragraphs.
 * @property {string} code What belongs to it; empty where there is none.
 * @property {string} language Of the code.
 */

/** Each makes passages of the text of a file. */
export const READERS = { markdown, comments, python, html, strings, wordnet };

function markdown(text) {
  const front = /^---\n([\s\S]*?)\n---\n/.exec(text);
  const named = /^title:\s*["']?(.*?)["']?\s*$/m.exec(front?.[1] ?? "")?.[1] ?? "";
  const described = /^description:\s*["']?(.*?)["']?\s*$/m.exec(front?.[1] ?? "")?.[1] ?? "";
  const passages = [];
  let [title, above] = [named, named];
  let prose = described === "" ? [] : [described];
  let code = "";
  let language = "";
  const close = () => {
    if (prose.length > 0 || code !== "") passages.push({ title: plain(title), prose, code, language });
    [prose, code, language] = [[], "", ""];
  };
  for (const block of text
    .slice(front?.[0].length ?? 0)
    .replace(/<!--[\s\S]*?-->/g, "")
    .split(/\n(?=```|~~~)|\n{2,}|\n(?=#{1,5} )/)) {
    const fence = /^(?:```|~~~)\s*([\w-]*)[^\n]*\n([\s\S]*?)(?:\n(?:```|~~~)([\s\S]*))?$/.exec(block);
    if (fence !== null) {
      if (code === "") [language, code] = [fence[1], fence[2].trim()];
      continue;
    }
    const heading = /^(#{1,5})\s+([^\n]+)\n?([\s\S]*)$/.exec(block);
    if (heading !== null) {
      close();
      if (heading[1].length < 2) above = heading[2];
      title = heading[1].length < 2 || above === "" ? heading[2] : `${above}: ${heading[2]}`;
    }
    const said = plain(heading === null ? block : heading[3]);
    if (isProse(said)) prose.push(said);
  }
  close();
  return passages;
}

/** Comments for documentation, with what they stand before. */
function comments(text) {
  const passages = [];
  for (const { 1: comment, 2: tail } of text.matchAll(
    /\/\*\*(?!\*)([\s\S]{20,4000}?)\*\/[ \t]*\n((?:[^\n]*\n){0,24})/g,
  )) {
    const said = comment.replace(/^[ \t]*\*[ \t]?/gm, "");
    const examples = /@example[^\n]*\n([\s\S]*?)(?=\n@|$)/.exec(said)?.[1] ?? "";
    const body = said
      .replace(/@example[\s\S]*?(?=\n@|$)/g, "")
      .replace(/```[\s\S]*?```/g, "")
      .replace(/^@(?:param|property|arg)\s+(?:\{[^}]*\}\s*)?(\[?[\w.$]+(?:=[^\]]*)?\]?)\s*-?/gm, "\n\n$1:")
      .replace(/^@returns?\s+(?:\{[^}]*\}\s*)?/gm, "\n\nReturns ")
      .replace(/^@(?:deprecated|remarks|description|summary|throws)\b/gm, "\n\n")
      .replace(/^@\w+[^\n]*$/gm, "");
    const prose = body
      .split(/\n{2,}/)
      .map(plain)
      .filter(isProse);
    const code =
      declaration(tail) ||
      examples
        .replace(/```\w*/g, "")
        .trim()
        .slice(0, 600);
    if (prose.length > 0) passages.push({ title: nameIn(tail), prose, code, language: "javascript" });
  }
  return passages;
}

/** A declaration up to the line that closes it. */
function declaration(tail) {
  const lines = tail.split("\n");
  const first = lines[0] ?? "";
  if (!/[\w$]/.test(first) || /^\s*(?:\/\/|\*)/.test(first)) return "";
  const indent = /^\s*/.exec(first)[0];
  if (!/\{\s*$/.test(first)) return first.trim();
  const end = lines.findIndex(
    (line, index) => index > 0 && line.startsWith(indent) && /^[)}\]]/.test(line.slice(indent.length)),
  );
  return lines
    .slice(0, end === -1 ? 12 : end + 1)
    .join("\n")
    .trim();
}

function nameIn(tail) {
  const first = tail.split("\n")[0] ?? "";
  const name =
    /(?:function|class|interface|type|const|let|var|enum)\s+([\w$]+)/.exec(first)?.[1] ??
    /([\w$]+)\s*[(:?=]/.exec(first)?.[1];
  return name === undefined || name.length < 3 ? "" : name;
}

/** Functions and classes with a docstring, with their code. */
function python(text) {
  const passages = [];
  const pattern =
    /^([ \t]*)(?:async )?(def|class) (\w+)[^\n]*(?:\n[^\n]*){0,6}?:\n\s*[ru]{0,2}("""|''')([\s\S]{12,6000}?)\4[ \t]*\n((?:(?:\1[ \t]+[^\n]*|[ \t]*)\n){0,40})/gm;
  for (const { 0: whole, 1: indent, 2: kind, 3: name, 5: doc, 6: body } of text.matchAll(pattern)) {
    const prose = doc
      .split(/\n\s*\n/)
      .filter((part) => !/^\s*(?:>>>|\.\. |[-=~]{3})/.test(part) && !/\n\s*[-=~]{3,}\s*\n/.test(`${part}\n`))
      .map(plain)
      .filter(isProse);
    if (prose.length === 0) continue;
    const head = whole.slice(0, whole.indexOf(":\n") + 1);
    const code = kind === "class" ? head : `${head}\n${body.trimEnd()}`;
    const shifted = code
      .split("\n")
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
      .join("\n");
    passages.push({ title: name, prose, code: shifted.trim(), language: "python" });
  }
  return passages;
}

function html(text) {
  const passages = [];
  const page = plain(/<title>([\s\S]*?)<\/title>/i.exec(text)?.[1] ?? "");
  let passage = { title: page, prose: [], code: "", language: "" };
  const body = text.replace(/<(script|style|head)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->/gi, "");
  for (const part of body.split(
    /(?=<h[1-4]\b)|<\/h[1-4]>|<(?:p|li|dd|dt|tr|blockquote|div|\/p|\/ul|\/table)\b[^>]*>/i,
  )) {
    const said = plain(part);
    if (/^<h[1-4]/i.test(part)) {
      if (passage.prose.length > 0) passages.push(passage);
      passage = { title: page === "" ? said : `${page}: ${said}`, prose: [], code: "", language: "" };
    } else if (isProse(said)) passage.prose.push(said);
  }
  return passage.prose.length > 0 ? [...passages, passage] : passages;
}

/** Sentences that are values in a JSON file. */
function strings(text) {
  const passages = [];
  const visit = (value, key) => {
    if (typeof value === "string") {
      const prose = value
        .split(/<\/p>|\n{2,}/)
        .map(plain)
        .filter((said) => isProse(said) && said.length < 3000);
      if (prose.length > 0) passages.push({ title: isName(key) ? key : "", prose, code: "", language: "" });
    } else if (typeof value === "object" && value !== null) {
      for (const [inner, given] of Object.entries(value))
        visit(given, inner === "text" || inner === "documentation" ? key : inner);
    }
  };
  visit(JSON.parse(text), "");
  return passages;
}

function isName(key) {
  return /^[A-Za-z][\w -]{2,40}$/.test(key);
}

/** The words of a meaning, what it is, and sentences with them. */
function wordnet(text) {
  const passages = [];
  for (const line of text.split("\n")) {
    const [data, gloss = ""] = line.split(" | ");
    const fields = data.split(" ");
    if (!/^\d{8}$/.test(fields[0] ?? "")) continue;
    const words = Array.from({ length: Number.parseInt(fields[3], 16) }, (_, index) =>
      fields[4 + index * 2].replaceAll("_", " ").replace(/\(.*\)/, ""),
    );
    const examples = [...gloss.matchAll(/"([^"]{12,})"/g)].map(([, example]) => example);
    const meaning = gloss.replace(/;?\s*"[^"]*"/g, "").trim();
    passages.push({ title: words.slice(0, 4).join(", "), prose: [meaning, ...examples], code: "", language: "" });
  }
  return passages;
}

const ENTITIES = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  nbsp: " ",
  "#39": "'",
  "#x27": "'",
  mdash: "—",
  ndash: "–",
  hellip: "…",
};

/** Text without the signs that say how it is to look. */
function plain(text) {
  return text
    .replace(/^\s*(?:import|export) .*$/gm, "")
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/\[([^\]]+)\]\[[^\]]*\]/g, "$1")
    .replace(/\{@link(?:code|plain)?\s+([^}|\s]+)[|\s]?([^}]*)\}/g, (_, target, shown) => shown || target)
    .replace(/:(?:class|func|meth|mod|obj|ref|attr|term|doc|exc|data|const):`~?([^`<]*)(?:<[^>]*>)?`/g, "$1")
    .replace(/<\/?[A-Za-z][^>]{0,300}>/g, " ")
    .replace(/&(#?\w+);/g, (whole, name) => ENTITIES[name] ?? whole)
    .replace(/^\s*(?:[-*+]|\d+\.)\s+/gm, "")
    .replace(/^\s*>\s?/gm, "")
    .replace(/^\s*\|?[-:| ]{5,}\|?\s*$/gm, "")
    .replace(/`{1,2}|\*\*|__(?=\w+__)|\|/g, (mark) => (mark === "|" ? " " : ""))
    .replace(/\s+/g, " ")
    .trim();
}

function isProse(text) {
  if (text.length < 12) return false;
  const letters = text.replace(/[^A-Za-z ]/g, "").length;
  return letters / text.length > 0.7 && text.includes(" ");
}
