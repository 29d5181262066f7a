import { type Finding, findSecrets, markOf, type RedactionOptions } from "./redact.ts";

/** How the parts of a text are put together: as lines, or as the words of a command. */
export type Joint = "\n" | " ";

/**
 * Texts that are parts of one, such as the lines of a file, without the secrets that show only in the whole: those that
 * reach over several parts, and those that another part makes one. As many parts as before; a part in the midst of a
 * secret is left empty. The very same list where nothing was found.
 */
export function redactParts(
  parts: readonly string[],
  joint: Joint,
  options: RedactionOptions = {},
  counts: (finding: Finding, isSpread: boolean) => boolean = () => true,
): readonly string[] {
  // The sign before each line of a patch is no part of the text.
  const sign = joint === "\n" && parts.every(isOfPatch) ? 1 : 0;
  const text = (sign === 0 ? parts : parts.map((part) => part.slice(sign))).join(joint);
  if (joint === "\n" && !isSpreadable(text)) return parts;
  const isSpread = ({ start, end }: Finding): boolean => {
    let next = 0;
    for (const part of parts) {
      next += part.length - sign + joint.length;
      if (start < next) return end >= next;
    }
    return false;
  };
  const findings = findSecrets(text, options).filter((finding) => counts(finding, isSpread(finding)));
  if (findings.length === 0) return parts;
  let begin = 0;
  return parts.map((part) => {
    const inside = part.slice(sign);
    const result = without(text, begin, begin + inside.length, findings, options);
    begin += inside.length + joint.length;
    return result === inside ? part : part.slice(0, sign) + result;
  });
}

/** Whether a text has in it what the secrets of several lines have: it costs less to see than to look for them. */
export function isSpreadable(text: string): boolean {
  return text.includes("PRIVATE KEY") || SEVERAL_LINES.test(text);
}

const SEVERAL_LINES =
  /(?:value|default)\\{0,4}["']?[ \t]{0,3}[:=]|kind: ?secret|machine[ \t]|default login|private-lines:|:(?:5432|\*):|-----(?:begin|end) |\\\n/i;

/** The last may say that there is no line end. */
function isOfPatch(part: string): boolean {
  const sign = part.charAt(0);
  return sign === " " || sign === "+" || sign === "-" || sign === "\\";
}

/** A stretch of the text. The mark of a secret stands where the secret begins. */
function without(
  text: string,
  begin: number,
  end: number,
  findings: readonly Finding[],
  options: RedactionOptions,
): string {
  let result = "";
  let from = begin;
  for (const finding of findings) {
    if (finding.end <= from || finding.start >= end) continue;
    result += text.slice(from, Math.max(from, finding.start));
    if (finding.start >= begin) result += markOf(text.slice(finding.start, finding.end), finding.name, options);
    from = Math.min(finding.end, end);
  }
  return result + text.slice(from, end);
}
