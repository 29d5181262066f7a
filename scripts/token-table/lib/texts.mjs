import { questionsOf } from "./questions.mjs";

/** Characters of the longest text: about 200 pieces. */
const MAX_CHARS = 850;
const MIN_CHARS = 12;

/**
 * Texts as they are stored and asked for: a sentence, a paragraph, a few of them, code with and without what it does, and
 * questions.
 *
 * @param {import("./readers.mjs").Passage} passage
 * @param {() => number} random
 */
export function textsOf({ title, prose, code, language }, random) {
  const texts = [];
  const add = (chance, make) => {
    if (random() < chance) texts.push(make());
  };
  const first = sentencesOf(prose[0] ?? "")[0] ?? "";
  const headed = title === "" ? "" : `${title}\n`;
  const length = 150 + random() * (MAX_CHARS - 150);
  if (prose.length > 1 || (prose[0]?.length ?? 0) > 160) {
    const start = random() < 0.6 ? 0 : Math.floor(random() * prose.length);
    add(0.7, () => fill([random() < 0.6 ? headed.trim() : "", ...prose.slice(start)], length));
  }
  if (prose.length > 0) {
    const paragraph = prose[Math.floor(random() * prose.length)];
    add(0.5, () => paragraph.slice(0, MAX_CHARS));
    const sentences = sentencesOf(paragraph);
    add(0.6, () => sentences[Math.floor(random() * sentences.length)]);
  }
  if (code !== "") {
    const cut = code.slice(0, MAX_CHARS);
    add(code.length > 60 ? 0.6 : 0.15, () => cut);
    add(0.3, () => `${first}\n${cut}`.slice(0, MAX_CHARS));
  }
  for (const question of questionsOf({ title, first, language }, random)) texts.push(question);
  return texts.map((text) => (text ?? "").trim()).filter((text) => text.length >= MIN_CHARS);
}

/** Parts one after the other, as far as they fit. */
function fill(parts, length) {
  let text = "";
  for (const part of parts) {
    if (part === "") continue;
    text += text === "" ? part : `\n${part}`;
    if (text.length >= length) break;
  }
  return text.slice(0, MAX_CHARS);
}

function sentencesOf(text) {
  return text.split(/(?<=[.!?])\s+(?=[A-Z"'([])/).filter((sentence) => sentence.length >= MIN_CHARS);
}
