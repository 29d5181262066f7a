import { once } from "../core/once.ts";
import { isAscii } from "../core/text.ts";
import { fold, isCjk, stem, tokenize } from "../core/words.ts";
import { tellingWords, withoutHarness } from "./substance.ts";

/**
 * `past`: asks for what was decided, done or said before. `question`: asks for something else. `trouble`: reports an error.
 * `work`: says what to do.
 */
export type AskedKind = "past" | "question" | "trouble" | "work";

/** What a prompt asks for, as far as something stored may answer it. */
export interface Asked {
  readonly kind: AskedKind;
  /** In the order of the prompt, each once. */
  readonly terms: readonly AskedTerm[];
  /** Types of observations that such a question is answered by. */
  readonly wants: "choice" | "fix" | undefined;
}

export interface AskedTerm {
  /** As the word index is asked for it. */
  readonly text: string;
  /** As it is compared with words of a text: a stem, or of a symbol its folded spelling. */
  readonly key: string;
  /** A name of code, a path, a code of an error: what hardly stands anywhere by chance. */
  readonly isSymbol: boolean;
  /** Written like a name, in the middle of a sentence. */
  readonly isName: boolean;
}

/** What is longer, or has more lines, is a text that was pasted: of that only the question before or behind it counts. */
const LONG_CHARS = 700;
const LONG_LINES = 9;
const LEAST_CHARS = 8;
const MOST_TERMS = 12;
const MOST_SYMBOLS = 4;

/**
 * Takes a prompt apart. Undefined for what nothing that is stored can answer: commands of the host, what a harness says in a
 * person's place, a word or two such as "continue", and pasted text without a question.
 */
export function askedIn(prompt: string): Asked | undefined {
  const text = withoutHarness(prompt.slice(0, 20_000)).trim();
  if (text.length < LEAST_CHARS || NO_PROMPT.test(prompt.trimStart()) || NO_PROMPT.test(text)) return undefined;
  const spoken = spokenIn(text);
  if (spoken === undefined) return undefined;
  const kind = kindOf(spoken);
  const terms = termsOf(spoken);
  if (terms.length === 0 || (kind !== "past" && terms.length < 2)) return undefined;
  return { kind, terms, wants: wantsOf(spoken) };
}

const NO_PROMPT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII
  /^(?:[/!#](?:[\w:-]|[^\u0000-\u007f])+(?:\s|$)|<[a-z_-]+>|\[(?:request interrupted|image|system)|this session is being continued|caveat: the messages|stop hook|warm-?up\b|base directory for this skill|you are (?:an?|the) )/i;

/** A short text as it is; of a long one what asks for something, at its beginning or end. */
function spokenIn(text: string): string | undefined {
  const isLong = text.length > LONG_CHARS || text.split("\n").length > LONG_LINES;
  if (!isLong) return text.replace(/```[\s\S]*?(?:```|$)/g, " ");
  const lines = text
    .replace(/```[\s\S]*?(?:```|$)/g, "\n")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const ends = [...lines.slice(0, 2), ...lines.slice(-2)].filter((line) => line.length < 300);
  const question = [...new Set(ends)].filter(isOfPast).join(" ");
  return question === "" ? undefined : question;
}

function kindOf(text: string): AskedKind {
  if (isOfPast(text)) return "past";
  if (isQuestion(text)) return "question";
  return TROUBLE.test(text) ? "trouble" : "work";
}

function isOfPast(text: string): boolean {
  if (PAST.test(text) || (EARLIER.test(text) && isQuestion(text))) return true;
  // Large expressions over all of Unicode take milliseconds to make, and few prompts need them.
  return (!isAscii(text) || ELSEWHERE.test(text)) && pastElsewhere().test(text);
}

function isQuestion(text: string): boolean {
  return /[?？]\s*$/m.test(text) || QUESTION.test(text);
}

/** Said of code as well: "previously this returned nil". Only a question with such words asks for what was. */
const EARLIER =
  /\b(?:last time|the other day|last (?:week|month|session)|in (?:an|the) (?:earlier|previous|last) (?:session|conversation|chat)|previously|back then)\b/i;

const PAST = new RegExp(
  [
    String.raw`\bwhy (?:did|do|don'?t|didn'?t|have|haven'?t|had|were|are|was|is) (?:we|you|i|our|the team)\b`,
    String.raw`\bwhy (?:is|are|was|were) (?:the|this|that|these|our)\b.{1,80}\b(?:chosen|kept|pinned|set to|disabled|using|used|stored|written|capped|limited|rejected|dropped|removed|replaced|abandoned|reverted|moved)\b`,
    String.raw`\bwhy (?:was|were) \w+(?: \w+){0,4} (?:chosen|kept|rejected|dropped|removed|replaced|abandoned|reverted|disabled|moved|changed)\b`,
    String.raw`\b(?:how|where|when|which|what|who) (?:\w+ ){0,4}?(?:did|have|had) (?:we|you|i|they)\b`,
    String.raw`\b(?:how|what|which) (?:was|were|is|are) (?:\w+ ){1,8}?(?:fixed|solved|resolved|decided|chosen|settled|agreed|worked around)\b`,
    String.raw`\b(?:what|which|whose) (?:was|were|is|are) (?:our|the (?:reason|rationale|decision|conclusion|outcome|verdict|workaround|root cause|cause|fix|convention|rule|policy|agreement))\b`,
    String.raw`\b(?:did|have|had|haven'?t|didn'?t) (?:we|you|i) (?:\w+ )?(?:ever|already|decide|settle|agree|choose|fix|solve|try|tried|discuss|conclude|say|said|see|seen|decided|agreed|discussed|fixed|solved|hit)\b`,
    String.raw`\b(?:remember|recall) (?:when|how|why|what|which|where|that)\b|\bdo (?:we|you|i) (?:still )?(?:remember|recall)\b|\bremind me (?:of|about|why|how|what|where|which|when|who)\b|\bwhat (?:do|did) (?:you|we) (?:know|remember|say|said) about\b`,
    String.raw`\b(?:was|were) (?:there )?(?:a|the|any) (?:reason|decision)\b|\bwhat (?:convention|rule|policy|approach|format|library|tool|version|port|value|limit|database|strategy) do we (?:use|follow|have|want)\b|\bdo we (?:prefer|use|want|allow)\b.*\?`,
  ].join("|"),
  "i",
);

/** Without one of these words, a text in ASCII asks for nothing past in the languages below. */
const ELSEWHERE =
  /\b(?:wir|ich|du|man|letztes|avons|avait|a-t-on|on a|derni\w+|abbiamo|avevamo|[a-z]+imos|[a-z]+amos|[a-z]+emos)\b/i;
const pastElsewhere = once(() => new RegExp(PAST_ELSEWHERE.join("|"), "iu"));
const PAST_ELSEWHERE = [
  String.raw`\b(?:warum|wieso|weshalb|wie|was|wann|wo|welche[rsn]?) (?:\p{L}+ ){0,3}?(?:haben|hatten|hat|habe) (?:wir|ich|du|man)\b|\bwei(?:ß|ss)t du noch\b|\bletztes mal\b|\bhaben wir (?:uns )?(?:schon|entschieden|beschlossen)`,
  String.raw`(?<!\p{L})(?:pourquoi|comment|quand|où|qu['’]|que|quel(?:le)?s?) ?(?:\p{L}+ ){0,3}?(?:avons-nous|a-t-on|on a|nous avons|avait-on)(?!\p{L})|\bla dernière fois\b|\bqu['’]avons-nous\b`,
  String.raw`(?<!\p{L})(?:por qu[eé]|cómo|como|qué|que|cuándo|dónde|cuál)(?: \p{L}+){0,3}? (?:decidimos|elegimos|usamos|hicimos|arreglamos|solucionamos|resolvimos|acordamos|escolhemos|corrigimos|resolvemos|fizemos|descartamos|rechazamos)(?!\p{L})|\bla última vez\b|\bda última vez\b`,
  String.raw`(?<!\p{L})(?:perché|come|cosa|quando) (?:\p{L}+ ){0,2}?(?:abbiamo|avevamo)(?!\p{L})`,
  `为什么(?:我们|当时|之前|当初)|我们(?:为什么|当时|之前|上次|怎么|是怎么|决定)|(?:上次|之前|当时|当初)(?:是)?(?:怎么|为什么|如何|决定|说)|怎么(?:解决|修复|处理)的`,
  `(?:なぜ|どうして|どうやって|何を|どの).{0,40}(?:決め|選ん|直し|修正し|解決し|採用し|やめ|ことにし)|前回|以前(?:は|に)?`,
  `왜.{0,40}(?:했|정했|선택했|결정했)|어떻게.{0,40}(?:해결했|고쳤|수정했)|지난번`,
];

const QUESTION =
  /^(?:so |and |but |ok(?:ay)?,? |hey,? )?(?:what|why|how|where|when|which|who|whose|is|are|does|do|did|can|could|should|would|was|were|has|have|warum|wie|was|wo|pourquoi|comment|por qué|cómo)\b/i;
const TROUBLE =
  /\b(?:error|errors|exception|fail(?:s|ed|ing|ure)?|crash(?:es|ed|ing)?|broken|doesn'?t work|not working|panic|traceback|stack ?trace|segfault|timed? ?out|getting|hangs?|stuck|fehler|erreur|falla|报错|错误|エラー)\b/i;

function wantsOf(text: string): Asked["wants"] {
  if (
    /\b(?:decid\w*|decision|choos\w*|chose\w*|prefer\w*|settle\w*|agree\w*|convention|policy|rule|reason|rationale|why|instead|pick\w*|reject\w*|entschieden|beschlossen|warum|pourquoi|décid\w*|decid\w*|eleg\w*|por qu[eé])\b|为什么|决定|なぜ|どうして|決め/i.test(
      text,
    )
  )
    return "choice";
  return /\b(?:fix\w*|solv\w*|resolv\w*|work(?:ed)? around|workaround|cause|error|bug|crash\w*|fail\w*|gelöst|behoben|corrig\w*|résol\w*|arregl\w*|solucion\w*|resolv\w*)\b|解决|修复|直し|解決|修正/i.test(
    text,
  )
    ? "fix"
    : undefined;
}

/** Symbols first found whole; of plain words those that are not said in every session. */
function termsOf(text: string): AskedTerm[] {
  const symbols = [...new Set(text.match(SYMBOL) ?? [])]
    .map((symbol) => symbol.replace(/[.,:;!?)'"`]+$/, ""))
    .filter((symbol) => symbol.length >= 4 && !/^(?:e\.g|i\.e|etc|v?\d+(?:\.\d+)*|\w+n['’]t)$/i.test(symbol))
    .slice(0, MOST_SYMBOLS);
  const rest = symbols.reduce((left, symbol) => left.replaceAll(symbol, " "), text).replace(ASKING_WIDE, " ");
  const names = new Set([...rest.matchAll(isAscii(rest) ? PLAIN_NAME : anyName())].map(([name]) => fold(name)));
  const terms = [
    ...symbols.map((symbol) => ({ text: symbol, key: fold(symbol), isSymbol: true, isName: true })),
    ...tellingWords(rest)
      .filter((word) => !ASKING.has(word) && !isWide(word))
      .map((word) => ({ text: word, key: stem(word), isSymbol: false, isName: names.has(word) })),
    ...wideTerms(rest),
  ];
  return [...new Map(terms.map((term) => [term.key, term])).values()].slice(0, MOST_TERMS);
}

/** Of Chinese, Japanese and Korean every two characters that stand side by side. */
function wideTerms(text: string): AskedTerm[] {
  if (isAscii(text)) return [];
  const tokens = tokenize(text);
  return tokens.flatMap(({ word, end }, at) => {
    const next = tokens[at + 1];
    const isPair = next !== undefined && next.start === end && isCjk(word) && isCjk(next.word);
    return isPair && !HIRAGANA_ONLY.test(word + next.word)
      ? [{ text: word + next.word, key: word + next.word, isSymbol: false, isName: false }]
      : [];
  });
}

/** Endings and particles, which stand everywhere. */
const HIRAGANA_ONLY = /^\p{Script=Hiragana}+$/u;
const ASKING_WIDE =
  /为什么|为何|怎么(?:样)?(?:解决|修复|处理)?的?|是怎么|如何|上次|之前|当时|当初|我们|决定|解决|修复|帮我|一下|问题|なぜ|どうして|どうやって|前回|以前|直し(?:た|て)?|修正し(?:た|て)?|解決し(?:た|て)?|決め(?:た|て)?|問題|지난번|어떻게|왜/gu;

function isWide(word: string): boolean {
  return !isAscii(word) && tokenize(word).some((token) => isCjk(token.word));
}

const PLAIN_NAME = /(?<=[A-Za-z0-9,;:] )[A-Z][A-Za-z0-9]+/g;
function anyName(): RegExp {
  return /(?<=[\p{L}\p{N},;:] )\p{Lu}[\p{L}\p{N}]+/gu;
}
const SYMBOL =
  /(?:[\w@~-]+\/)+[\w.@-]+|\b\w[\w-]*\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|cs|c|h|cpp|hpp|swift|json|ya?ml|toml|md|sql|sh|css|html|vue|svelte|lock|env)\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\w*|\b(?:[A-Z][a-z0-9]+){2,}\w*\b|\b\w+_\w+\b|\b[A-Z][A-Z0-9]{3,}(?:-\d+)?\b|\b[A-Z]{1,5}-?\d{3,}\b|--[a-z][\w-]+|\b\w+(?:::\w+)+|\b\w{3,}\.\w{3,}\(\)?/g;

/** Words by which a question about the past is asked: what is looked for seldom has them. */
const ASKING = new Set(
  `decide decided decision decisions choose chose chosen choice pick picked settle settled agree agreed prefer preferred solve solved solution resolve resolved
  workaround cause reason rationale remember recall remind time session sessions previously ago conversation discussed discuss
  conclude concluded conclusion reject rejected instead convention policy rule approach again ever stopped stop happened happen learn
  learned found find tried mentioned mention week month yesterday today getting gets problem trouble
  comment quand quel quelle avons nous avait fois haben hatten habe wurde wird zur zum der die das den dem des und oder nicht ein eine einen wir
  warum wieso weshalb wie les une dans pour avec sur est sont qui que como cómo por qué porque los las una del para con cuando dónde perché abbiamo
  della delle degli`.split(/\s+/),
);
