import { decisionsIn } from "./decision.ts";
import { withoutRecall } from "./fence.ts";
import { requestOf, sentencesOf } from "./intent.ts";
import type { FileTouch, ObservationType, Part, Role } from "./session.ts";
import { hasAny } from "./text.ts";

/** What is known of an observation's messages so far, as bits: enough to tell its type, however they arrive. */
export type Traits = number;

/** What traits are found in. */
export interface Telling {
  readonly role: Role;
  readonly part: Part;
  readonly text: string;
  readonly tool?: string;
  readonly isError?: boolean;
  readonly files?: readonly FileTouch[];
  readonly commands?: readonly string[];
}

const ASKS_TO_MEND = 1;
const ASKS_TO_MAKE = 1 << 1;
const ASKS_TO_TIDY = 1 << 2;
/** The prompt asks for nothing but to look, or is a question. */
const ASKS = 1 << 3;
/** The prompt states a decision in so many words. */
const STATES = 1 << 4;
/** The prompt says how things are to be done from now on. */
const PREFERS = 1 << 5;
/** The prompt is a short answer to a choice that the turn before ended with. */
const SETTLES = 1 << 6;
/** A person decided while the agent worked: answered a question, approved a plan. */
const DECIDES = 1 << 7;
const CALLS = 1 << 8;
/** The agent said more than a word of thanks. */
const EXPLAINS = 1 << 9;
const CHANGES_CODE = 1 << 10;
const CHANGES_TESTS = 1 << 11;
const CHANGES_PAGES = 1 << 12;
/** Changed something by a command: committed, pushed, moved or removed a file. */
const ACTS = 1 << 13;
const COMMITS_A_FIX = 1 << 14;
const COMMITS_A_FEATURE = 1 << 15;
const COMMITS_A_REFACTORING = 1 << 16;
const CONCLUDES_A_FIX = 1 << 17;
const CONCLUDES_A_FEATURE = 1 << 18;
const CONCLUDES_A_REFACTORING = 1 << 19;
/** The agent's last words offer a choice, or ask for approval of a design. */
const OFFERS = 1 << 20;
/** The turn goes on in another observation. */
const GOES_ON = 1 << 21;
/** The prompt says that something is wrong. */
const TELLS_OF_TROUBLE = 1 << 22;
/** The agent's last words offer to do such work. */
const OFFERS_TO_MEND = 1 << 23;
const OFFERS_TO_MAKE = 1 << 24;
const OFFERS_TO_TIDY = 1 << 25;
/** Changed by calls whose results have not come: one that a person refuses changes nothing. */
const MAY_CHANGE_CODE = 1 << 26;
const MAY_CHANGE_TESTS = 1 << 27;
const MAY_CHANGE_PAGES = 1 << 28;
const MAY_ACT = 1 << 29;
/** The agent has spoken since it last used a tool. */
const ANSWERS = 1 << 30;
/** What only the last words tell. */
const OFFERED = OFFERS | OFFERS_TO_MEND | OFFERS_TO_MAKE | OFFERS_TO_TIDY;

const INTENT_BITS = { mend: ASKS_TO_MEND, make: ASKS_TO_MAKE, tidy: ASKS_TO_TIDY, look: ASKS };
const INTENDS = ASKS_TO_MEND | ASKS_TO_MAKE | ASKS_TO_TIDY;

/** Traits of an observation that a message opens. `before`: those of the one before it, of the same turn if `isPart`. */
export function openingTraits(message: Telling, before: Traits, isPart: boolean): Traits {
  return withMessage(isPart ? before & (INTENDS | ASKS | TELLS_OF_TROUBLE) : promptTraits(message, before), message);
}

/** Traits with those of a message that joins. */
export function withMessage(traits: Traits, message: Telling): Traits {
  const { role, part, text } = message;
  if (role === "assistant" && part === "text") return (traits & ~OFFERED) | answerTraits(text);
  if (part === "call") return (traits & ~ANSWERS) | CALLS | callTraits(message);
  if (part === "result") return withResult(traits, message);
  return part === "notice" ? traits | changes(message.files) : traits;
}

function withResult(traits: Traits, message: Telling): Traits {
  const changed = traits & MAY_CHANGE;
  const settled = decides(message) ? traits | DECIDES : traits;
  if (changed === 0) return settled;
  if (message.isError === true) return REFUSED.test(message.text.slice(0, 200)) ? settled & ~MAY_CHANGE : settled;
  return (settled & ~MAY_CHANGE) | madeSure(changed);
}

const MAY_CHANGE = MAY_CHANGE_CODE | MAY_CHANGE_TESTS | MAY_CHANGE_PAGES | MAY_ACT;
/** As agents tell that a person did not let them. */
const REFUSED =
  /\b(?:doesn't want to (?:proceed|take this action)|tool use was rejected|(?:rejected|denied|declined|cancell?ed|refused) by (?:the )?user|user (?:has )?(?:rejected|denied|declined|cancell?ed|refused))\b/i;

/** What may have changed, as having happened. */
function madeSure(traits: Traits): Traits {
  return (
    ((traits & MAY_CHANGE_CODE) !== 0 ? CHANGES_CODE : 0) |
    ((traits & MAY_CHANGE_TESTS) !== 0 ? CHANGES_TESTS : 0) |
    ((traits & MAY_CHANGE_PAGES) !== 0 ? CHANGES_PAGES : 0) |
    ((traits & MAY_ACT) !== 0 ? ACTS : 0)
  );
}

/** The same, as what may still be refused. */
function mayBe(traits: Traits): Traits {
  return (
    ((traits & CHANGES_CODE) !== 0 ? MAY_CHANGE_CODE : 0) |
    ((traits & CHANGES_TESTS) !== 0 ? MAY_CHANGE_TESTS : 0) |
    ((traits & CHANGES_PAGES) !== 0 ? MAY_CHANGE_PAGES : 0) |
    ((traits & ACTS) !== 0 ? MAY_ACT : 0)
  );
}

/** Whether it is by the newer traits that a person decided while the agent worked. */
export function decidesFirst(before: Traits, after: Traits): boolean {
  return (before & DECIDES) === 0 && (after & DECIDES) !== 0;
}

export function cutTraits(traits: Traits): Traits {
  return traits | GOES_ON;
}

/** The type that traits amount to. */
export function typeOf(traits: Traits): ObservationType {
  return judge(traits)[0];
}

/** By which rule that is, in words. */
export function ruleOf(traits: Traits): string {
  return judge(traits)[1];
}

/** The first rule that holds. */
function judge(told: Traits): readonly [ObservationType, string] {
  const traits = told | madeSure(told);
  const has = (bits: Traits): boolean => (traits & bits) !== 0;
  if (has(STATES)) return ["decision", "the prompt states a decision"];
  if (has(PREFERS)) return ["preference", "the prompt says how things are to be done from now on"];
  const changed = has(CHANGES_CODE | CHANGES_TESTS);
  if (!changed && has(CHANGES_PAGES)) return ["change", "only pages were changed"];
  // A short answer that is worked on at length began that work; a plan that was approved before it stands for itself.
  if (!changed && !has(ACTS) && (has(DECIDES) || (has(SETTLES) && !has(GOES_ON))))
    return ["decision", has(DECIDES) ? "a person decided something" : "the prompt settles what the agent had offered"];
  if (changed || (has(GOES_ON) && (has(INTENDS) || (has(TELLS_OF_TROUBLE) && !has(ASKS))))) return judgeWork(traits);
  if (has(ACTS)) return ["change", "a command changed something"];
  if (has(CALLS)) {
    return has(EXPLAINS | ANSWERS | GOES_ON)
      ? ["discovery", "tools were used, and nothing was changed"]
      : ["note", "tools were used, and nothing that was found is told"];
  }
  // To a question, few words are an answer.
  return has(EXPLAINS | GOES_ON) || (has(ASKS) && has(ANSWERS))
    ? ["discovery", "the agent explained something, and nothing was changed"]
    : ["note", "nothing was changed, looked at or explained"];
}

/** Of what was changed in code or tests, or is about to be. */
function judgeWork(traits: Traits): readonly [ObservationType, string] {
  const has = (bits: Traits): boolean => (traits & bits) !== 0;
  if (has(ASKS_TO_MEND)) return ["bugfix", "the prompt asks to mend something"];
  // Tests alone make nothing new.
  const isCode = has(CHANGES_CODE | GOES_ON);
  if (has(ASKS_TO_TIDY)) return ["refactor", "the prompt asks to put something in order"];
  if (has(ASKS_TO_MAKE))
    return isCode
      ? ["feature", "the prompt asks for something new"]
      : ["change", "the prompt asks for something new, and only tests were changed"];
  if (has(COMMITS_A_FIX)) return ["bugfix", "a fix was committed"];
  if (has(TELLS_OF_TROUBLE)) return ["bugfix", "the prompt says that something is wrong"];
  if (has(COMMITS_A_FEATURE) && isCode) return ["feature", "a feature was committed"];
  if (has(COMMITS_A_REFACTORING)) return ["refactor", "a refactoring was committed"];
  if (has(CONCLUDES_A_FIX)) return ["bugfix", "the agent says that something is mended"];
  if (has(CONCLUDES_A_REFACTORING)) return ["refactor", "the agent says that something is put in order"];
  if (has(CONCLUDES_A_FEATURE) && isCode) return ["feature", "the agent says that something new is there"];
  return ["change", "code or tests were changed, and nothing tells for what"];
}

function promptTraits({ role, text: whole, part }: Telling, before: Traits): Traits {
  // An agent may put what was handed to it before what was typed.
  const text = withoutRecall(whole);
  if (role === "summary") return EXPLAINS;
  if (part !== "text" || (role !== "human" && role !== "system")) return 0;
  const head = text.slice(0, 6_000);
  const { intent, tellsOfTrouble } = requestOf(head);
  const sentences = sentencesOf(head);
  let traits = intent === undefined ? 0 : INTENT_BITS[intent];
  if (tellsOfTrouble) traits |= TELLS_OF_TROUBLE;
  const offered = offeredIntent(before);
  if (intent === undefined && offered !== 0 && ASSENT.test(text)) traits |= offered;
  if (intent === undefined && sentences.at(-1)?.endsWith("?")) traits |= ASKS;
  if (role !== "human") return traits;
  // What a command of the harness comes between is still there to be answered.
  if (text.startsWith("/")) traits |= before & OFFERED;
  if (decisionsIn({ role, part, text: head }).length > 0) traits |= STATES;
  if (
    hasAny(head.toLowerCase(), PREFERRING) &&
    sentences.some((sentence) => !sentence.endsWith("?") && PREFERENCE.test(sentence))
  ) {
    traits |= PREFERS;
  }
  const isShort = text.length <= SHORT_CHARS && !text.includes("?") && !text.startsWith("/");
  if ((before & OFFERS) !== 0 && isShort && intent !== "look" && !ASKS_ON.test(text)) traits |= SETTLES;
  return traits;
}

/** A short yes to what was offered. */
const ASSENT = /^\s*(?:y|yes|yep|yeah|yup|ok(?:ay)?|sure|please|perfect|great|good|go|do|\d|both|all)\b[^\n?]{0,50}$/i;

function offeredIntent(before: Traits): Traits {
  if ((before & OFFERS_TO_MEND) !== 0) return ASKS_TO_MEND;
  if ((before & OFFERS_TO_TIDY) !== 0) return ASKS_TO_TIDY;
  return (before & OFFERS_TO_MAKE) !== 0 ? ASKS_TO_MAKE : 0;
}

const SHORT_CHARS = 160;
/** An answer to a choice that wants to hear more of it. */
const ASKS_ON = /\b(?:see|show|tell|explain|brainstorm|discuss|talk|compare|elaborate|think about|not sure)\b/i;
/** Words without which the pattern that follows finds nothing. */
const PREFERRING = ["prefer", "from now on", "going forward", "future", "always", "never", "make sure", "general"];
const PREFERENCE =
  /\bmake sure (?:that )?(?:claude|codex|gemini|copilot|the agents?|agents|you) (?:always |never )?(?:should|must|always|never|asks?)\b|\b(?:i|we) (?:always |really |strongly )?prefer\b(?! (?:not )?to (?:see|look|check))|\bfrom now on\b|\bgoing forward\b|\b(?:generally|in general),? (?:[\w']+ ){1,3}should\b|\bin (?:the )?future,? (?:always|never|please|you|we|do|don'?t|use)\b|\b(?:please )?(?:always|never) (?:use|do|run|write|add|ask|make|put|keep|commit|push|create|call|name|include|start|check|mention)\b/i;

function answerTraits(text: string): Traits {
  const end = text.slice(-400).trimEnd();
  const head = text.slice(0, 500);
  return (
    (text.length >= EXPLAINING_CHARS ? EXPLAINS : 0) |
    ANSWERS |
    (end.includes("?") ? offerTraits(end) : 0) |
    (FIXED.test(head) ? CONCLUDES_A_FIX : 0) |
    (TIDIED.test(head) ? CONCLUDES_A_REFACTORING : 0) |
    (MADE.test(head) ? CONCLUDES_A_FEATURE : 0)
  );
}

/** Of the question that an answer ends with. */
function offerTraits(end: string): Traits {
  return (OFFER.test(end) ? OFFERS : 0) | offeredWork(end);
}

function offeredWork(end: string): Traits {
  const question = LAST_QUESTION.exec(end)?.[0];
  if (question === undefined) return 0;
  if (/\b(?:fix|resolve|repair|address)\b/i.test(question)) return OFFERS_TO_MEND;
  if (
    /\b(?:refactor|rename|simplify|extract|inline|clean (?:it|that|this)? ?up|migrat\w+|move|restructure|split)\b/i.test(
      question,
    )
  ) {
    return OFFERS_TO_TIDY;
  }
  return /\b(?:add|implement|create|build|write)\b/i.test(question) ? OFFERS_TO_MAKE : 0;
}

const LAST_QUESTION = /[^.!?\n]*\?[^?\n]{0,60}$/;
const EXPLAINING_CHARS = 200;
const OFFER =
  /(?:\bwhich (?:one|way|approach|option|do you|would you|is closest)\b|\b(?:looks? (?:good|right)|sound (?:good|right)|agree with|your preference|(?:want me to|would you|do you (?:want|prefer)|(?:shall|should) (?:i|we))\b.*\bor\b|what (?:do|would) you (?:prefer|like)|good)\b)[^?\n]*\?[^\n]{0,60}$/i;
const FIXED = /\b(?:fixed|the fix|root cause|bugs?)\b/i;
const TIDIED =
  /\b(?:refactor(?:ed|ing)?|renamed|simplified|extracted|inlined|deduplicated|ported|migrated|converted|cleaned up|cleanup)\b/i;
const MADE = /\b(?:added|implemented|created|new)\b/i;

function callTraits({ files, commands = [] }: Telling): Traits {
  let traits = changes(files);
  for (const command of commands) {
    if (!hasAny(command, ACTING)) continue;
    if (ACTION.test(command)) traits |= ACTS;
    const kind = COMMIT_KIND.exec(command)?.[1]?.toLowerCase();
    if (kind !== undefined) traits |= COMMIT_BITS[kind] ?? 0;
  }
  return (traits & ~CHANGED) | mayBe(traits);
}

const CHANGED = CHANGES_CODE | CHANGES_TESTS | CHANGES_PAGES | ACTS;
/** Words without which the patterns that follow find nothing. */
const ACTING = ["git ", "gh ", "rm ", "mv ", "cp ", "sed -i", "npm "];
const ACTION =
  /(?:^|[;&|(\n])[^\S\n]*(?:git (?:-C \S+ )?(?:commit|push|merge|rebase|cherry-pick|revert|mv|rm|restore|checkout (?:-b|--)|switch -c|branch -[dDmM]|worktree remove(?! (?:--force )?\/(?:private\/)?tmp\b))(?![\w-])|gh (?:pr|issue|release) (?:create|merge|close|comment|edit|review|reopen)\b|(?:rm|mv|cp) (?!(?:-\w+ )*\/(?:private\/)?tmp\b)|sed -i|npm (?:publish|version)\b)/;
const COMMIT_KIND = /\bgit (?:-C \S+ )?commit\b[\s\S]*?(?:-m ["']|EOF['"]?\n)\s*(fix|feat|refactor|perf)\b[(!:]/i;
const COMMIT_BITS: Readonly<Record<string, Traits>> = {
  fix: COMMITS_A_FIX,
  feat: COMMITS_A_FEATURE,
  refactor: COMMITS_A_REFACTORING,
};

function changes(files: readonly FileTouch[] = []): Traits {
  let traits = 0;
  for (const { path, changed } of files) {
    if (!changed || PLAN.test(path)) continue;
    traits |= PAGE.test(path) ? CHANGES_PAGES : TEST.test(path) ? CHANGES_TESTS : CHANGES_CODE;
  }
  return traits;
}

/** Where agents keep the plan that they ask approval for: no part of the work. */
const PLAN = /[/\\]\.(?:claude|gemini|copilot|codex|cursor|qwen)[/\\](?:.*[/\\])?(?:plans[/\\]|plan\.md$)/;
const PAGE = /\.(?:mdx?|txt|rst|adoc)$|(?:^|[/\\])(?:LICENSE|CODEOWNERS|CHANGELOG|AUTHORS|\.gitignore)$/i;
const TEST =
  /(?:^|[/\\])(?:tests?|specs?|__tests__|e2e\w*|fixtures)[/\\]|[._-](?:test|spec)s?\.\w+$|(?:^|[/\\])test[_-][^/\\]+$/i;

function decides(message: Telling): boolean {
  return decisionsIn(message).some(({ by }) => by !== "agent");
}
