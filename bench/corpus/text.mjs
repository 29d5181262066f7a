import { zipf } from "./random.mjs";

/** @typedef {import("./random.mjs").Random} Random */
/** @typedef {import("./words.mjs").Vocabulary} Vocabulary */

const WORDS_OF_TOPIC = 24;
const NAMES_OF_TOPIC = 16;
/** Share of lines that stood somewhere in the session before, and how many are remembered of each kind. */
const RETURNS = 0.45;
const LINES_KEPT = 150;
const topicRank = zipf(WORDS_OF_TOPIC, 0.8);
const nameRank = zipf(NAMES_OF_TOPIC, 0.8);

/**
 * What one session is about: the words, symbols and files it comes back to.
 *
 * @typedef {object} Topic
 * @property {readonly string[]} words
 * @property {readonly string[]} names
 * @property {readonly string[]} paths
 */

/**
 * @param {Random} chance
 * @param {Vocabulary} words
 * @returns {Topic}
 */
export function topic(chance, words) {
  return {
    words: Array.from({ length: WORDS_OF_TOPIC }, () =>
      chance.chance(0.4) ? words.rare(chance) : words.trade(chance),
    ),
    names: Array.from({ length: NAMES_OF_TOPIC }, () => words.identifier(chance)),
    paths: Array.from({ length: NAMES_OF_TOPIC }, () => words.path(chance)),
  };
}

/**
 * Writes text of about a given length in characters, in the manner of a person or of a tool.
 *
 * @param {Random} chance
 * @param {Vocabulary} words
 * @param {Topic} about
 */
export function writer(chance, words, about) {
  const topical = () => about.words[topicRank(chance)];
  const name = () => (chance.chance(0.85) ? about.names[nameRank(chance)] : words.identifier(chance));
  const path = () => (chance.chance(0.85) ? about.paths[nameRank(chance)] : words.path(chance));

  const word = () => {
    const kind = chance.next();
    if (kind < 0.5) return words.glue(chance);
    if (kind < 0.78) return words.trade(chance);
    if (kind < 0.9) return topical();
    if (kind < 0.945) return words.rare(chance);
    if (kind < 0.98) return name();
    return kind < 0.994 ? path() : words.code(chance);
  };
  const sentence = () => {
    const length = 4 + chance.below(18);
    let text = capital(word());
    for (let at = 1; at < length; at++) text += (chance.chance(0.07) ? ", " : " ") + word();
    return text + chance.pick([".", ".", ".", "?", ":", "!"]);
  };
  const expression = () =>
    chance.chance(0.4)
      ? name()
      : chance.chance(0.5)
        ? `"${words.trade(chance)} ${topical()}"`
        : `${chance.below(5_000)}`;
  const codeLine = () => {
    const indent = "  ".repeat(chance.below(5));
    switch (chance.below(8)) {
      case 0:
        return `${indent}const ${name()} = await ${name()}(${name()}, ${expression()});`;
      case 1:
        return `${indent}if (${name()}.${words.trade(chance)} !== ${expression()}) {`;
      case 2:
        return `${indent}return ${name()}.map((${words.trade(chance)}) => ${name()}(${words.trade(chance)}));`;
      case 3:
        return `import { ${name()}, ${name()} } from "../${path().replace(/\.[a-z]+$/, "")}";`;
      case 4:
        return `${indent}// ${sentence()}`;
      case 5:
        return `${indent}}`;
      case 6:
        return `${indent}throw new Error(\`${words.trade(chance)} \${${name()}} ${topical()}\`);`;
      default:
        return `${indent}${words.trade(chance)}: ${expression()},`;
    }
  };
  const logLine = () =>
    `2026-0${1 + chance.below(9)}-1${chance.below(9)}T0${chance.below(9)}:${10 + chance.below(50)}:${10 + chance.below(50)}.${100 + chance.below(900)}Z ${chance.pick(["INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"])} [${name()}] ${words.trade(chance)} ${topical()} ${words.trade(chance)}=${chance.below(90_000)}${chance.chance(0.1) ? ` ${words.code(chance)}` : ""}`;
  const testLine = () =>
    chance.chance(0.8)
      ? ` ✓ ${path()} > ${words.trade(chance)} ${words.glue(chance)} ${topical()} (${chance.below(400)} ms)`
      : ` × ${path()}:${chance.below(400)} ${words.code(chance)} expected ${expression()} to equal ${expression()}`;
  const listLine = () => `-rw-r--r-- 1 dev dev ${chance.below(90_000)} ${path()}`;
  const hitLine = () => `${path()}:${1 + chance.below(900)}:${codeLine()}`;
  const diffLine = () => `${chance.pick(["+", "-", " ", " "])}${codeLine()}`;
  const commitLine = () =>
    `${hex(chance, 9)} ${words.trade(chance)}: ${words.trade(chance)} ${topical()} ${words.glue(chance)} ${words.trade(chance)}`;

  /** Lines come back: a file is read again, a failure is printed again. */
  const seen = new Map();
  const once = (line) => {
    const known = seen.get(line) ?? [];
    if (known.length >= 12 && chance.chance(RETURNS)) return chance.pick(known);
    const fresh = line();
    if (known.length < LINES_KEPT) known.push(fresh);
    else known[chance.below(LINES_KEPT)] = fresh;
    seen.set(line, known);
    return fresh;
  };
  const lines = (length, line) => {
    const kept = [once(line)];
    let size = kept[0].length;
    while (size < length) {
      const next = once(line);
      size += next.length + 1;
      kept.push(next);
    }
    return kept.join("\n");
  };
  const numbered = (length) => {
    let at = 0;
    return lines(length, codeLine).replace(/^/gm, () => `${String(++at).padStart(6)}→`);
  };

  return {
    name,
    path,
    topical,
    code: (length) => lines(length, codeLine),
    /** What a tool printed. */
    output(length) {
      const kind = chance.next();
      if (kind < 0.34) return numbered(length);
      if (kind < 0.5) return lines(length, hitLine);
      if (kind < 0.64) return lines(length, logLine);
      if (kind < 0.76) return lines(length, testLine);
      if (kind < 0.86) return lines(length, diffLine);
      return kind < 0.94 ? lines(length, listLine) : lines(length, commitLine);
    },
    /** Sentences, and in long texts paragraphs, lists and code. */
    prose(length) {
      if (length < 40) return Array.from({ length: 1 + Math.floor(length / 6) }, word).join(" ");
      let text = sentence();
      while (text.length < length) {
        const kind = chance.next();
        if (kind < 0.82) text += ` ${sentence()}`;
        else if (kind < 0.9) text += `\n\n${sentence()}`;
        else if (kind < 0.97) text += `\n- \`${name()}\` ${sentence()}`;
        else text += `\n\n\`\`\`ts\n${lines(Math.min(length / 4, 600), codeLine)}\n\`\`\`\n`;
      }
      return text;
    },
    command: () =>
      chance.pick([
        () => `npm test -- ${path()}`,
        () => `git diff --stat HEAD~${1 + chance.below(4)} -- ${path()}`,
        () => `grep -rn "${name()}" ${path()}`,
        () => `cat ${path()} | head -${10 + chance.below(90)}`,
        () => `docker compose logs ${topical()} --tail ${100 + chance.below(400)}`,
        () => `git log --oneline -${5 + chance.below(20)}`,
        () => `API_TOKEN=${hex(chance, 40)} curl -s http://localhost:${3_000 + chance.below(999)}/${topical()}`,
      ])(),
  };
}

/**
 * @param {Random} chance
 * @param {number} length
 */
export function hex(chance, length) {
  let text = "";
  while (text.length < length) text += chance.below(0x1000000).toString(16).padStart(6, "0");
  return text.slice(0, length);
}

function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
