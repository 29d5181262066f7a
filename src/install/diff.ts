/** Lines of a change for people: what goes and what comes, with some lines around it; nothing where both are the same. */
export function diffLines(before: string, after: string): readonly string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const steps = stepsBetween(old, now);
  const shown = steps.map((_, at) => steps.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(isChange));
  const lines: string[] = [];
  for (const [at, step] of steps.entries()) {
    if (!shown[at]) continue;
    if (at > 0 && !shown[at - 1]) lines.push(`@@ line ${step.line + 1} @@`);
    lines.push(`${step.sign}${step.text}`);
  }
  return lines;
}

const AROUND = 2;
/** Beyond that many lines between the first change and the last, all of them are shown as changed. */
const MOST = 600;

interface Step {
  readonly sign: " " | "-" | "+";
  readonly text: string;
  /** Of the text before. */
  readonly line: number;
}

function isChange({ sign }: Step): boolean {
  return sign !== " ";
}

function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

function stepsBetween(old: readonly string[], now: readonly string[]): readonly Step[] {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const same = (text: string, line: number): Step => ({ sign: " ", text, line });
  return [
    ...old.slice(0, head).map(same),
    ...between(old.slice(head, old.length - tail), now.slice(head, now.length - tail), head),
    ...old.slice(old.length - tail).map((text, at) => same(text, old.length - tail + at)),
  ];
}

/** By the longest common subsequence. */
function between(old: readonly string[], now: readonly string[], start: number): readonly Step[] {
  const gone = (text: string, at: number): Step => ({ sign: "-", text, line: start + at });
  const come = (text: string, at: number): Step => ({ sign: "+", text, line: start + at });
  if (old.length > MOST || now.length > MOST) {
    return [...old.map(gone), ...now.map((text) => come(text, old.length))];
  }
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const steps: Step[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    const [before = "", after = ""] = [old[row], now[column]];
    if (row < old.length && column < now.length && before === after) {
      steps.push({ sign: " ", text: before, line: start + row });
      row += 1;
      column += 1;
    } else if (row < old.length && (column === now.length || at(row + 1, column) >= at(row, column + 1))) {
      steps.push(gone(before, row));
      row += 1;
    } else {
      steps.push(come(after, row));
      column += 1;
    }
  }
  return steps;
}
