/** What Chinese, Japanese or Korean text is looked for by, and what was left out of it. */
export interface CjkWords {
  readonly words: readonly string[];
  readonly ignored: readonly string[];
}

/**
 * Takes apart a text in scripts that set no spaces between words, or, as Korean does, fewer than there are words.
 *
 * Done by lists of what carries no meaning and by where the script changes, not by a dictionary: the index knows single
 * characters, so any part of a word finds the word, and a cut too many costs precision only. What stands in other
 * scripts comes out as it is. There may be no words at all.
 */
export function cjkWords(text: string): CjkWords {
  const isJapanese = KANA.test(text);
  const words: string[] = [];
  const ignored: string[] = [];
  for (const { groups } of text.slice(0, MAX_CHARS).matchAll(RUN)) {
    const { han, katakana, hiragana, hangul, other } = groups ?? {};
    const taken =
      hangul !== undefined
        ? korean(hangul)
        : han !== undefined && !isJapanese
          ? chinese(han)
          : { words: [han ?? katakana ?? other ?? ""], ignored: [hiragana ?? ""] };
    words.push(...taken.words.filter(isWord));
    ignored.push(...taken.ignored.filter(isWord));
  }
  // A single Han character beside longer words is mostly what a cut left over.
  const long = words.filter((word) => isJapanese || word.length > 1);
  return { words: long.length > 0 ? long : words, ignored };
}

/** A longer word of Han characters by two neighbours each, for texts that have it in other words; else the word itself. */
export function cjkPairs(word: string): readonly string[] {
  if (!LONG_HAN.test(word) && !LONG_HANGUL.test(word)) return [word];
  const characters = [...word];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/** More than this is a pasted text, which its beginning finds. */
const MAX_CHARS = 200;

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const RUN =
  /(?<han>[\p{Script=Han}々〆]+)|(?<katakana>[\p{Script=Katakana}ー]+)|(?<hiragana>\p{Script=Hiragana}+)|(?<hangul>\p{Script=Hangul}+)|(?<other>[^\p{Script=Han}々〆\p{Script=Katakana}ー\p{Script=Hiragana}\p{Script=Hangul}]+)/gu;
const LONG_HAN = /^\p{Script=Han}{4,}$/u;
const LONG_HANGUL = /^\p{Script=Hangul}{4,}$/u;

/** Pronouns, question words and particles; what is also a part of common words only where it is none. */
const CHINESE_STOPS =
  /为什么|有没有|能不能|是不是|什么|怎么样|怎么|怎样|如何|为何|哪里|哪儿|哪个|哪些|那个|那些|这个|这些|是否|我们|你们|他们|咱们|可以|时候|以后|之后|以前|之前|一下|一个|[我你他她它]|(?<!目)的|了(?!解)|[吗呢吧啊嘛把被请]/gu;
const CHINESE_LEAD = /^[是在和与就都也还又很要有没不给让对从到跟用](?=..)/u;
const CHINESE_TAIL = /(?<=..)[是在和与就都也还又很要有没给让对从到跟时后前里上下中]$/u;

function chinese(run: string): CjkWords {
  const words = run.split(CHINESE_STOPS).map((word) => word.replace(CHINESE_LEAD, "").replace(CHINESE_TAIL, ""));
  return { words, ignored: run.match(CHINESE_STOPS) ?? [] };
}

const KOREAN_STOPS = new Set(
  "왜 어떻게 언제 어디 어디서 무엇 무엇을 뭐 누가 누구 어떤 그 이 저 것 수 때 중 중에 있나 있나요 있는 있다 하나 하나요 했나 했나요 해야 하는 한 할 않았나 않았나요 않은 않는 않고 위해 대해 대한".split(
    " ",
  ),
);
/** Particles behind a noun of two syllables or more, and those behind one that can't be a part of it. */
const KOREAN_PARTICLE =
  /(?<=..)(?:에서는|에서도|으로는|으로도|에게서|이라고|라고|에서|에게|에는|에도|으로|까지|부터|마다|처럼|보다|한테|하고|이나|이란|[은는이가을를의에로와과도만])$|(?<=^.)[을를]$/u;
/** What makes a verb of a noun, in its forms. */
const KOREAN_VERB = /(?<=..)(?:하|되|돼|됐|했|됩|합|한|할|된|될|해)\p{Script=Hangul}{0,5}$/u;

function korean(run: string): CjkWords {
  if (KOREAN_STOPS.has(run)) return { words: [], ignored: [run] };
  return { words: [run.replace(KOREAN_VERB, "").replace(KOREAN_PARTICLE, "")], ignored: [] };
}

function isWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
