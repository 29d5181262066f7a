import { formatMinute } from "../../core/time.ts";
import type { Trace, TraceCandidate } from "../../core/trace.ts";
import type { Context } from "./command.ts";
import type { Fact } from "./facts.ts";
import { grouped } from "./figures.ts";
import { isoTime } from "./json.ts";
import { cut, oneLine, wrap } from "./text.ts";

/** What was made of a query. */
export function traceFacts(
  { query, words, ignored, readings = [], time, tier, filters, considered }: Trace,
  { io }: Context,
): readonly Fact[] {
  return [
    ["looked for", query],
    ["words", words?.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(", ")],
    ["too common", ignored?.join(", ")],
    ["read as", readings.map(({ typed, as }) => `${typed} → ${as}`).join("; ")],
    [
      "time",
      time === undefined
        ? undefined
        : `${formatMinute(time.from, io.timeZone)} to ${formatMinute(time.to, io.timeZone)} moves up`,
    ],
    ["found", tier === undefined ? undefined : (TIER_WORDS[tier] ?? tier)],
    ["filters", filters.join("; ")],
    ["considered", grouped(considered)],
  ];
}

const TIER_WORDS: Readonly<Record<string, string>> = {
  all: "all the words in one observation",
  some: "some of the words; not every one has all",
  prefix: "words that begin so, since nothing has the words as typed",
  similar: "words like those typed, since nothing has them or begins so",
  recent: "the newest, since no words were given",
  none: "nothing",
};

/** Candidates under a heading; nothing where there are none. */
export function formatCandidates(
  heading: string,
  candidates: readonly TraceCandidate[],
  { screen }: Context,
): readonly string[] {
  if (candidates.length === 0) return [];
  const { paint, width } = screen;
  const lines = candidates.flatMap(({ id, title, signals, why }) => [
    `${paint.yellow(oneLine(id))}  ${cut(oneLine(title), Math.max(20, width - 14))}`,
    ...[why ?? "", signalWords(signals)]
      .filter((line) => line !== "")
      .map((line) => `${INDENT}${paint.dim(cut(oneLine(line), width - INDENT.length))}`),
  ]);
  return ["", paint.bold(`## ${heading}`), "", ...lines];
}

/** The signals of one candidate, in as many lines as they take. */
export function formatSignals({ signals }: TraceCandidate, { screen }: Context): readonly string[] {
  const words = oneLine(signalWords(signals));
  return wrap(words, screen.width - INDENT.length).map(
    ([from, to]) => `${INDENT}${screen.paint.dim(words.slice(from, to).trimEnd())}`,
  );
}

const INDENT = " ".repeat(4);

function signalWords(signals: TraceCandidate["signals"]): string {
  return Object.entries(signals)
    .map(([name, value]) => `${name} ${value}`)
    .join(" · ");
}

export function traceJson(trace: Trace): Record<string, unknown> {
  const { query, words = [], ignored = [], readings = [], time, tier, filters, considered, candidates } = trace;
  return {
    query: query ?? null,
    words,
    ignored,
    readings,
    time: time === undefined ? null : { from: isoTime(time.from), to: isoTime(time.to) },
    tier: tier ?? null,
    filters,
    considered,
    candidates: candidates.map(({ id, title, signals, outcome, why }) => ({
      id,
      title,
      signals,
      outcome,
      why: why ?? null,
    })),
  };
}
