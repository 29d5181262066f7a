import { withoutRecall } from "./fence.ts";
import { hasAny, isAscii } from "./text.ts";

/** What a prompt asks for: mend what is wrong, make something new, put in order what is there, or only look at it. */
export type Intent = "mend" | "make" | "tidy" | "look";

export interface Request {
  readonly intent?: Intent;
  /** It says that something is wrong, or holds the output of something that failed. */
  readonly tellsOfTrouble: boolean;
}

/** Work is asked for at the beginning of a prompt; what follows is most often pasted. */
const LOOKED_AT_CHARS = 4_000;

/**
 * What a prompt asks for, by English words: the first sentence that begins with a verb of one. Of a plan that is handed
 * over, its heading counts.
 */
export function requestOf(prompt: string): Request {
  const text = withoutPlanOpening(withoutRecall(prompt).slice(0, LOOKED_AT_CHARS));
  const lower = text.toLowerCase();
  const negates = hasAny(lower, NEGATIVES) && hasAny(lower, NEGATED_WORDS);
  const sentences = sentencesOf(text).map((sentence) => (negates ? sentence.replace(NEGATED, " ") : sentence));
  const tellsOfTrouble =
    (hasAny(lower, TROUBLES) && sentences.some((sentence) => TROUBLE.test(sentence))) ||
    ((hasAny(lower, FAILURES) || PLACE.test(text)) && FAILURE.test(text));
  const wishes = hasAny(lower, WISHES);
  for (const sentence of sentences) {
    const verb = ASKING.exec(sentence)?.[1]?.toLowerCase();
    const intent = verb === undefined ? undefined : VERBS.get(verb);
    if (intent !== undefined) return { intent, tellsOfTrouble };
    if (verb === "change" && NAME.test(sentence)) return { intent: "tidy", tellsOfTrouble };
    if (wishes && NEEDS.test(sentence)) return { intent: "make", tellsOfTrouble };
  }
  return { tellsOfTrouble };
}

/** Whether a prompt hands over a plan that was made before: what that says was said then. */
export function handsOverPlan(prompt: string): boolean {
  return PLAN_OPENING.test(prompt);
}

/** The plan that a prompt hands over, from its heading on; another prompt as it is. */
export function withoutPlanOpening(prompt: string): string {
  return prompt.replace(PLAN_OPENING, "");
}

/** Sentences as a person types them, without code blocks, quotes, and lines that look like output. */
export function sentencesOf(text: string): string[] {
  return text
    .replace(/```[\s\S]*?(?:```|$)/g, "\n")
    .split("\n")
    .filter((line) => !NO_PROSE.test(line))
    .flatMap((line) => line.split(isAscii(line) ? PLAIN_BORDER : anyBorder()))
    .map((sentence) => sentence.replace(/^[\s*#-]+|^\s*\d+[.)]\s+/g, "").trim())
    .filter((sentence) => sentence.length > 2 && sentence.length <= SENTENCE_CHARS);
}

/** Where a sentence ends and another begins. */
const PLAIN_BORDER = /(?<=(?<!\b(?:i\.e|e\.g|etc|vs))[.!?])\s+(?=["'(]?[A-Za-z0-9])/;
function anyBorder(): RegExp {
  return /(?<=(?<!\b(?:i\.e|e\.g|etc|vs))[.!?])\s+(?=["'(]?[\p{L}\p{N}])/u;
}

/** A longer run of words without an end is no sentence that a person typed. */
const SENTENCE_CHARS = 400;
/** Quotes, diffs, tables, log lines with a time or a level, stack frames, prompts of a shell. */
const NO_PROSE =
  /^\s*(?:>|[-+]{3} |@@|\||\$ |\[?\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\[?(?:error|warn(?:ing)?|info|debug|trace)\b[\]:]|at .+:\d+|⏺|⎿|❯|●|➜|[\w.-]+@[\w.-]+[ :])/i;
const PLAN_OPENING = /^\s*implement the following plan:?\s*(?:#+\s*)?(?:(?:implementation )?plan(?: [-–—]|:)\s*)?/i;
/** Words without which the pattern that follows finds nothing: most prompts need not have it compiled. */
const NEGATIVES = ["don't", "dont", "not ", "never", "without", "no ", "any ", "0 "];
const NEGATED_WORDS = ["fix", "add", "refactor", "renam", "chang", "bug", "error", "fail", "regression"];
const NEGATED =
  /\b(?:don'?t|do not|never|without|no need to|not)\s+(?:to\s+)?(?:fix(?:ing)?|add(?:ing)?|refactor(?:ing)?|renam(?:e|ing)|chang(?:e|ing))\b|\b(?:no|not an?|any|0) (?:bugs?|errors?|failures?|fail(?:ed|s)?|regressions?)\b/gi;

/** What may stand before the verb of a request. */
const ASKING =
  /^(?:(?:ok(?:ay)?|yes|yeah|yep|no|alright|right|great|good|now|then|so|and|also|first|next|actually|please|pls|hm+|well|cool|thanks|txs|task:)[,.!:]*\s+|(?:can|could|would|will) (?:you|we)\s+|(?:let'?s|lets|let us)\s+|(?:i|we)(?:'d| would)? (?:like|want|need|have)(?: you)? to\s+|we should\s+|(?:try to|go ahead and|help me|just|also|now|simply|quickly|make sure to)\s+|[a-z]:\s+|\d+[.)]\s+)*([a-z]+(?: ?-?up| on| rid)?)\b/i;

const VERBS: ReadonlyMap<string, Intent> = new Map([
  ...verbs("mend", "fix,fixes,repair,resolve,debug,correct,solve,mend,patch,address"),
  ...verbs(
    "make",
    "add,implement,create,build,support,introduce,write,develop,generate,extend,enable,expose,start on,set up,wire up",
  ),
  ...verbs(
    "tidy",
    "refactor,rename,move,extract,simplify,clean up,clean-up,cleanup,dedupe,deduplicate,split,restructure,reorganise,reorganize,convert,port,migrate,inline,consolidate,remove,replace,reduce,unify,combine,drop,get rid",
  ),
  ...verbs(
    "look",
    "review,check,explain,investigate,analyse,analyze,look,read,show,tell,compare,summarise,summarize,list,discuss,describe,explore,verify,find,search,reaquaint,reacquaint,brainstorm,think,why,how,what,where,who,which,is,are,does,should",
  ),
]);

function verbs(intent: Intent, all: string): [string, Intent][] {
  return all.split(",").map((verb) => [verb, intent]);
}

/** `change the name of…` */
const NAME = /\bnames?\b/i;
const WISHES = [
  "need a",
  "need some",
  "need more",
  "want a",
  "want some",
  "want more",
  "like a",
  "like some",
  "like more",
  "d be ",
];
/** `I need a flag that…`, `it would be nice to have a flag` */
const NEEDS =
  /^(?:(?:i|we)(?:'d| would)?(?: also| just| really)? )?(?:need|want|like) (?:an?|some|another|more)\b|\b(?:would|'d) be (?:really |very )?(?:nice|good|great|cool|useful|handy) (?:to (?:have|be able)|if (?:we|it|i|you) (?:could|had))\b/i;

const TROUBLES =
  "bug,broke,break,crash,regression,fail,explode,work,wrong,incorrect,misleading,severity,bombing,flak,fix,hang,stuck,unexpected,leak,not,n't,n\u2019t,low:,medium:,high:,critical:".split(
    ",",
  );
const TROUBLE =
  /\b(?:bugs?|broken?|breaks|crash(?:es|ed|ing)?|regression|fails?|failing|failed|exploded?|(?:does|do|did|is|are)(?:n['\u2019]?t| not) (?:work(?:ing)?|right|show(?:ing)?(?: up)?|compil(?:e|ing)|appear(?:ing)?|respond(?:ing)?)|not work(?:ing)?|no longer works?|stop(?:s|ped) working|wrong|incorrect(?:ly)?|misleading|(?:low|medium|high|critical) severity|bombing out|flaky|flakiness|hangs|stuck|unexpected(?:ly)?|leaks|(?:need to|should) fix|fix(?:es|ed|ing)? (?:this|that|it|the))\b|^(?:low|medium|high|critical): /i;
const FAILURES = ["fatal", "panic", "uncaught", "traceback", "unhandled", "error", "exception", "fail"];
/** A place in a file, as compilers and linters name it. */
const PLACE = /:\d+:\d+: /;
/** In what is pasted: what programs say when they fail. */
const FAILURE =
  /^\s*(?:\S+: )?(?:fatal|panic|uncaught|traceback|unhandled)\b.*[:!]\s*\S|^\s*[\w.]*(?:Error|Exception)\b(?:\[\w+\])?: |^\s*error(?:\[\w+\])?: |^\s*--- FAIL|\b[1-9]\d* (?:tests? )?failed\b|^\s*(?:\[\S+\] )?\S+\.\w+:\d+:\d+: /im;
