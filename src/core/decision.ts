import { withoutRecall } from "./fence.ts";
import { handsOverPlan, sentencesOf } from "./intent.ts";
import type { Part, Role } from "./session.ts";
import { clipLine, hasAny } from "./text.ts";

/** What someone settled, with why and what they turned down, where the words beside it say so. */
export interface Decision {
  readonly statement: string;
  readonly reason?: string;
  readonly rejected?: string;
  /** `person`: in a prompt, or as the answer to a question. `plan`: a plan that a person approved. `agent`: on its own. */
  readonly by: "person" | "plan" | "agent";
}

/** What finding decisions looks at. */
export interface Saying {
  readonly role: Role;
  readonly part: Part;
  readonly text: string;
  readonly tool?: string;
  readonly isError?: boolean;
}

const STATEMENT_CHARS = 240;
/** Decisions stand where people write, not deep in what they paste. */
const LOOKED_AT_CHARS = 6_000;

/**
 * Decisions that a message tells, in its order: that a prompt or the agent states, that a person's answer to a question
 * makes, that approving a plan is. `offered` are the answers that each question offers.
 */
export function decisionsIn(saying: Saying, offered: Offered = new Map()): Decision[] {
  const { role, part, text, tool = "" } = saying;
  if (part === "text" && role === "human") {
    return handsOverPlan(text) ? [] : statedIn(text, STATEMENTS, "person");
  }
  if (part === "text" && role === "assistant") return statedIn(text, OWN_STATEMENTS, "agent");
  if (part !== "result") return [];
  // With a refusal, Claude Code passes on what the person said.
  const said = saying.isError === true ? SAID.exec(text)?.[1] : undefined;
  if (said !== undefined) return statedIn(said, STATEMENTS, "person");
  if (saying.isError === true) return [];
  if (PLAN_TOOL.test(tool)) return approvedPlan(text);
  return QUESTION_TOOL.test(tool) ? answers(text).flatMap((answer) => answered(answer, offered)) : [];
}

/** A way of stating a decision, and words that a text must have for it, so that most patterns need not be compiled. */
type Form = readonly [hints: readonly string[], pattern: RegExp];

/** By English words, sentence by sentence; not questions, conditions, code blocks, quotes and lines that look like output. */
function statedIn(whole: string, forms: readonly Form[], by: Decision["by"]): Decision[] {
  const text = withoutRecall(whole).slice(0, LOOKED_AT_CHARS);
  const lower = text.toLowerCase();
  const patterns = forms.filter(([hints]) => hasAny(lower, hints)).map(([, pattern]) => pattern);
  if (patterns.length === 0) return [];
  const sentences = sentencesOf(text);
  return sentences.flatMap((sentence, at) => {
    const states = patterns.some((pattern) => pattern.test(sentence));
    const isOpen = !states || sentence.endsWith("?") || OPEN.test(sentence);
    return isOpen ? [] : [{ ...reasoned(sentence, sentences[at + 1]), by }];
  });
}

function approvedPlan(text: string): Decision[] {
  if (!APPROVED.test(text.slice(0, 400))) return [];
  const heading = PLAN_HEADING.exec(text)?.[1]?.replace(/^(?:implementation )?plan(?: [-–—]|:) */i, "");
  return [
    {
      statement: clipLine(heading === undefined ? "Plan approved" : `Plan approved: ${heading}`, STATEMENT_CHARS),
      by: "plan",
    },
  ];
}

/** Answers to choose from, by question. */
export type Offered = ReadonlyMap<string, readonly string[]>;

interface Answer {
  readonly question: string;
  readonly answer: string;
}

function answers(text: string): Answer[] {
  for (const pattern of ANSWERS) {
    const found = [...text.matchAll(pattern)].map(({ groups = {} }) => ({
      question: groups.question ?? "",
      answer: (groups.answer ?? "").trim(),
    }));
    if (found.length > 0) return found;
  }
  return [];
}

/** An answer that asks back, or says at length what is not among the options, settles nothing. */
function answered({ question, answer }: Answer, offered: Offered): Decision[] {
  const options = offered.get(question) ?? [];
  const isOption = options.includes(answer);
  if (answer === "" || (!isOption && (answer.endsWith("?") || answer.length > 200 || answer.includes("\n")))) return [];
  const others = isOption ? options.filter((option) => option !== answer) : [];
  return [
    {
      statement: clipLine(`${question} ${answer}`, STATEMENT_CHARS),
      ...(others.length > 0 && { rejected: clipLine(others.join("; "), STATEMENT_CHARS) }),
      by: "person",
    },
  ];
}

/** A statement with the reason and the rejected alternative that it names; `next` is the sentence after it. */
function reasoned(sentence: string, next?: string): Omit<Decision, "by"> {
  const reason = REASON.exec(sentence)?.[1] ?? (next === undefined ? undefined : NEXT_REASON.exec(next)?.[1]);
  const rejected = REJECTED.exec(sentence)
    ?.slice(1)
    .find((group) => group !== undefined);
  return {
    statement: clipLine(sentence, STATEMENT_CHARS),
    ...(reason !== undefined && { reason: clipLine(reason.replace(ENDING, ""), STATEMENT_CHARS) }),
    ...(rejected !== undefined && { rejected: clipLine(rejected.replace(ENDING, ""), STATEMENT_CHARS) }),
  };
}

/** What is asked, supposed or left open. */
const OPEN =
  /^(?:if|when|whether|should|could|would|can|shall|do|did|have|what|why|how|maybe|perhaps|or)\b(?!,)|\b(?:not (?:yet )?decided|(?:haven'?t|hasn'?t|didn'?t|never) (?:yet )?(?:decided?|agreed?)|before (?:we|i) decide|(?:can|could|should|shall) (?:we|i|you)\b|what if|unless|not sure|i wonder)\b/i;

const WE =
  "(?:we|i)(?:'ve|'ll|'d|'re|'m| have| had| will| would| are| am| both| all)?(?: (?:already|just|finally|now|then|rather))*";
const LIGHTLY = "(?:(?:just|rather|then|now|also) )*";
const CHOOSING =
  "(?:use|keep|have|leave|drop|skip|avoid|call|name|store|put|default to|limit|(?:switch|move|migrate|change) to)";
/** What may follow these words where nothing is chosen: `let's have a look`, `let's keep going`, `let's use it`. */
const NO_CHOICE =
  "(?:(?:a|another) (?:look|chat|talk|go|think|try|round)|an eye|it a day|going|working|trying|the next|(?:it|this|that)(?:[.!, ]*$| (?:to|for|first|simple|short|up|here|now)))\\b|(?:it|this|that)[.!]?$";
/** `let's do it`, `let's try the next one`, `let's try to…`: an order, if the thing is not called by what it is. */
const NO_NAME = "(?:it|this|that|these|those|them|the|an?|some|more|another|again|both|all|to|and|\\w+ing)\\b";
const STATEMENTS: readonly Form[] = [
  [
    ["decided", "agreed", "settled", "opted", "chose", "resolved"],
    new RegExp(
      `\\b${WE} (?:decided|agreed|settled|opted|chose|resolved) (?:to|on|for|that|against|not|upon|with)\\b`,
      "i",
    ),
  ],
  [
    ["go with", "going with", "went with", "stick", "stay"],
    new RegExp(`\\b${WE} (?:go|going|stick|sticking|stay|staying|went) with\\b`, "i"),
  ],
  [
    ["go with", "stick with"],
    /^(?:(?:ok(?:ay)?|yes|yep|no|right|great|good|perfect|cool|sure|fine|then|so|please)[,.! ]+)*(?:go|stick) with\b/i,
  ],
  [
    ["let's", "lets", "let us"],
    new RegExp(
      `\\b(?:let'?s|let us) ${LIGHTLY}(?:(?:go|stick|stay|proceed|continue) with\\b|${CHOOSING} (?!${NO_CHOICE}).)(?!.*\\bif\\b)`,
      "i",
    ),
  ],
  [
    ["let's do", "lets do", "let us do", "let's try", "lets try", "let's just", "lets just"],
    new RegExp(`\\b(?:let'?s|let us) ${LIGHTLY}(?:do|try) (?!${NO_CHOICE}|${NO_NAME})(?!.*\\bif\\b)`, "i"),
  ],
  [["decision"], /^(?:the |our |final |my )?decision(?: is)?:/i],
  [
    ["option", "approach", "choice", "alternative", "variant"],
    /^(?:(?:ok(?:ay)?|yes|yep|right|let'?s (?:do|go|take)|do|i (?:like|prefer|want|choose|pick))[,.! ]+)*(?:the )?(?:option|approach|choice|alternative|variant) (?:#?\d|[a-e])\b(?!:)/i,
  ],
  [["rather", "prefer"], /\b(?:i|we)(?:'d| would) (?:much )?(?:rather|prefer)\b(?! (?:it |that )?(?:if )?you\b)/i],
  [["i like", "i prefer"], /\bi (?:like|prefer) .{2,60} (?:better|best)\b/i],
  [
    ["for now", "as is", "as-is", "as it is", "as they are"],
    /\bfor now,? (?:we'll|i'll|let'?s|just) (?:leave|keep|stay|use|skip|stick)\b|^(?:(?:ok(?:ay)?|yes|yeah|no|please|just|we'll|i'll)[,.! ]+)*(?:keep|leave) .{1,80} (?:as[ -]is|as (?:it is|they are)|for now)\b/i,
  ],
  [
    [" not "],
    /^(?:(?:ok(?:ay)?|yes|yeah|no|let'?s|please)[,.! ]+)*(?:use|keep|make|call|name) .{2,80}(?:,| and| but) not .{2,80}$/i,
  ],
  [
    ["direction", "approach", "option", "route", "design"],
    /\b(?:direction|approach|option|route|design) (?:that )?(?:we|i)(?:'ll| will|'re going to) (?:take|go|use|follow)\b/i,
  ],
  [
    ["instead of", "rather than"],
    /^(?:(?:ok(?:ay)?|yes|yep|no|actually|hmm|so|and|but|then|also|please|i think|let'?s)[,.! ]+)*(?:we (?:should|will) |let'?s )?(?:switch|change|use|do|make|keep|put|call|name|switch to|move to|return|store|write|add|pass|have)\b.{2,200}\b(?:instead of|rather than)\b/i,
  ],
  // A yes or a no, and then which.
  [
    ["yes", "yeah", "yep"],
    /^(?:yes|yeah|yep)[,.! ]+(?:please |just |rather )*(?:use|keep|call (?:it|them)|name (?:it|them)|put (?:it|them|that))\b(?! (?:going|working|trying)\b)/i,
  ],
  // What corrects the agent.
  [
    ["no ", "no,", "no."],
    /^no[,.]? (?:just|rather|let'?s|use|keep|do|leave|put|call|make|we (?:want|need|should)|i (?:want|would)|it should|that should|[\w`'"-]+ should)\b(?! (?:to (?:see|know|look|understand|check)|(?:not )?(?:happen|fail|work|break|crash)|have|going|working|trying|run|try|it again|wait)\b)/i,
  ],
];

/** What an agent says of a choice of its own counts with a reason or an alternative beside it, or announced as one. */
const OWN_STATEMENTS: readonly Form[] = [
  [["decision:"], /^(?:design |key |technical )?decision:\s/i],
  [
    ["i decided", "i've", "i have", "i chose", "i opted", "i went with", "i settled", "i picked"],
    /\bI(?:'ve| have)? (?:decided|chose|chosen|opted|went with|settled on|picked)\b.*\b(?:instead of|rather than|over|because|since|so that)\b/i,
  ],
];

const PLAN_TOOL = /^exit_?plan_?mode$|^plan_exit$/i;
const APPROVED =
  /\b(?:user has approved|plan (?:was |has been |is )?(?:approved|accepted)|approved (?:your|the) plan|exited plan mode)\b/i;
const PLAN_HEADING = /^#{1,3} (?!approved plan)(.+)$/im;
const QUESTION_TOOL = /^ask_?user|^question$|^request_user_input$|^ask_(?:followup_)?question$/i;
/** As Claude Code and OpenCode, Droid, Copilot CLI, and Codex and Kimi tell answers. */
const ANSWERS: readonly RegExp[] = [
  /(?<=[:,] )"(?<question>(?:(?!"=")[^\n]){1,1000})"="(?<answer>[\s\S]*?)"(?=, "[^\n]{1,1000}?"="|\. You can now|\.?\s*$)/g,
  /\[question\] (?<question>.+)\n\[answer\] (?<answer>.+)/gi,
  /^User (?:selected|responded|answered|chose): (?<answer>.+)$/gim,
  /"(?<question>[^"]+)":\s*(?:\{"answers":\s*\[)?"(?<answer>[^"]+)"/g,
];
/** What the harness puts before a person's words. */
const SAID = /the user said:\n([\s\S]+)$/;

const REASON = /\b(?:because|since|as (?=it|we|they|that|this|the)|so that|due to|in order to)\s+(.{4,})$/i;
const NEXT_REASON =
  /^(?:because|since|this way|that way|reason:|the reason (?:is|being)|otherwise|it'?s (?:simpler|easier|faster|safer|cleaner))\b[,:]?\s*(.{4,})$/i;
const REJECTED =
  /\b(?:instead of|rather than|as opposed to)\s+(.{2,}?)(?=[,;.]\s|[,;.]?$|\s+(?:because|since|so that|due to)\b)|\bover\s+((?:the |a |an )?[\w`'"./-]+(?: [\w`'"./-]+){0,3})(?=[,;.]|$|\s+(?:because|since)\b)|\b(?:decided against|decided not to|agreed not to|chose not to)\s+(.{2,}?)(?=[,;.]\s|[,;.]?$|\s+(?:because|since)\b)|\bno need for\s+(.{2,60}?)(?=[,;.]|$)|\bnot\s+((?:the |a |an )?[\w`'"./-]+(?: [\w`'"./-]+){0,4})[.!]?$/i;
const ENDING = /[\s.,;!]+$/;
