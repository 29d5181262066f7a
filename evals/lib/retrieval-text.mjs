const NAME = 26;

/**
 * A report for people.
 *
 * @param {any} report As `retrieval` makes it.
 * @param {number} seen Behind this place an answer counts as missed.
 */
export function describeRetrieval(report, seen) {
  const {
    half,
    questions,
    leftOut,
    ms,
    index,
    vectors,
    memory,
    groups,
    tiers,
    baseline,
    against,
    misses = [],
  } = report;
  return [
    `${questions} questions${half === undefined ? "" : ` of the ${half} half`}, ${leftOut} left out; ${index.sessions} sessions, ${index.messages} messages, ${index.observations} observations, indexed in ${index.seconds} s`,
    describeVectors(vectors),
    `p50 ${ms.p50} ms, p95 ${ms.p95} ms a question; memory ${memory.beforeMb} MB before indexing, at most ${memory.indexedMb} MB during it and ${memory.peakMb} MB in all`,
    "",
    `${"".padEnd(NAME)}${"Yore".padStart(7)}  ${"95 % interval".padEnd(13)}${"BM25".padStart(9)}  95 % interval`,
    ...namesIn(report.intervals).map(
      ([of, metric]) =>
        `${named(of, metric)}${withInterval(report, of, metric)}  ${withInterval(baseline, of, metric)}`,
    ),
    ...(against === undefined ? [] : changes(against)),
    ...byGroup("by kind of question", groups, baseline.groups),
    ...byGroup("by how they were found", tiers, baseline.tiers),
    ...(misses.length === 0 ? [] : ["", `none among the first ${seen} (its places in Yore; in BM25):`]),
    ...misses.map(missed),
  ]
    .map((line) => line.trimEnd())
    .join("\n");
}

function namesIn(figures) {
  return Object.entries(figures).flatMap(([of, metrics]) => Object.keys(metrics).map((metric) => [of, metric]));
}

function withInterval(figures, of, metric) {
  return `${cell(figures[of][metric])}  ${figures.intervals[of][metric].map(show).join(" to ").padEnd(13)}`;
}

function changes(against) {
  return [
    "",
    `${"against the other run".padEnd(NAME)}${"by".padStart(7)}  ${"95 % interval".padEnd(13)}   better  worse`,
    ...Object.entries(against).map(([name, { by, interval, better, worse }]) => {
      const moved = `${cell(by)}  ${interval.map(show).join(" to ").padEnd(13)}`;
      return `${named(...name.split("/"))}${moved}   ${String(better).padStart(6)}  ${String(worse).padStart(5)}`;
    }),
  ];
}

/** A line each, BM25 in brackets. */
function byGroup(title, groups, plain) {
  if (groups === undefined) return [];
  const lines = Object.entries(groups).flatMap(([group, { questions, ...figures }]) => [
    `${group}: ${questions} questions`,
    ...Object.entries(figures).map(([of, metrics]) => {
      const each = Object.keys(metrics).map(
        (metric) => `${metric} ${show(metrics[metric])} (${show(plain[group][of][metric])})`,
      );
      return `  ${of} ${each.join(", ")}`;
    }),
  ]);
  return ["", `${title}, with BM25 in brackets`, ...lines];
}

function missed({ question, project, group, places, baseline }) {
  const where = [project, group].filter((one) => one !== undefined).join(" ");
  return `${where}: ${question} (${told(places)}; ${told(baseline)})`;
}

function told(places) {
  return Object.entries(places)
    .map(([id, place]) => `${id} ${place ?? "–"}`)
    .join(", ");
}

function named(of, metric) {
  return `${of} ${metric}`.padEnd(NAME);
}

function cell(value) {
  return show(value).padStart(7);
}

function show(value) {
  return value.toFixed(1);
}

function describeVectors({ engine, by, embedded, seconds }) {
  if (by === undefined) return `vectors: ${engine}`;
  return `vectors: ${engine}, ${by}, of ${embedded} observations in ${seconds} s`;
}
