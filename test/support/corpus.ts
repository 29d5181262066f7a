import { type ClaudeTranscript, claudeTranscript, copiedLine, sessionId } from "./claude-lines.ts";
import { codexRollout, rolloutId, rolloutPath } from "./codex-lines.ts";
import type { TestHome } from "./home.ts";

/**
 * Fills a home with about 30 MB: sessions so long that each takes several transactions, by their bytes or by their
 * messages; a fork of one; subagents; many short ones; and rollouts of Codex.
 */
export function writeCorpus(home: TestHome): void {
  const words = createWords(11);
  const large = [1, 2].map((count) => {
    const talk = claudeTranscript({ session: sessionId(count) });
    for (let turn = 0; turn < 20; turn++) converse(talk, words, { steps: 12, output: 34_000 });
    return talk;
  });
  const many = claudeTranscript({ session: sessionId(3) });
  for (let turn = 0; turn < 700; turn++) converse(many, words, { steps: 2, output: 300 });
  for (const talk of [...large, many]) home.touch(home.write(home.claudePath(talk.session), talk.lines), talk.at);

  const [original] = large;
  const fork = claudeTranscript({ session: sessionId(4), startedAt: original?.at ?? 0 });
  for (let turn = 0; turn < 10; turn++) converse(fork, words, { steps: 3, output: 2_000 });
  const copies = (original?.lines ?? []).slice(0, 200).map((line) => copiedLine(line, fork.session));
  home.touch(home.write(home.claudePath(fork.session), [...copies, ...fork.lines]), fork.at);

  for (let count = 0; count < 12; count++) {
    const agent = claudeTranscript({ session: sessionId(3), agentId: `a${String(count).padStart(6, "0")}` });
    converse(agent, words, { steps: 6, output: 900 });
    const folder = home.claudePath(sessionId(3)).replace(/\.jsonl$/, "/subagents");
    home.touch(home.write(`${folder}/agent-a${String(count).padStart(6, "0")}.jsonl`, agent.lines), agent.at);
  }
  for (let count = 100; count < 220; count++) {
    const talk = claudeTranscript({ session: sessionId(count), cwd: `/home/ana/code/${words(1)}` });
    for (let turn = 0; turn < 3; turn++) converse(talk, words, { steps: 2, output: 1_500 });
    home.touch(home.write(home.claudePath(talk.session), talk.lines), talk.at);
  }
  for (let count = 1; count <= 10; count++) {
    const rollout = codexRollout({ session: rolloutId(count) });
    for (let turn = 0; turn < 12; turn++) {
      rollout.prompt(words(20));
      rollout.runs(`rg ${words(1)}`, words(400));
      rollout.says(words(60));
      rollout.counts(1_000 * (turn + 1), { input: 900, output: 100 });
    }
    home.touch(home.write(home.codexPath(rolloutPath(rollout)), rollout.lines), rollout.startedAt + 3_600_000);
  }
}

interface Manner {
  readonly steps: number;
  /** Characters of a tool's output, about. */
  readonly output: number;
}

function converse(talk: ClaudeTranscript, words: (count: number) => string, { steps, output }: Manner): void {
  talk.prompt(words(18));
  for (let step = 0; step < steps; step++) {
    talk.says(words(12));
    talk.calls("Edit", { file_path: `/home/ana/code/${words(1)}.ts`, old_string: words(4), new_string: words(5) });
    talk.returns(words(Math.ceil(output / 7)));
  }
  talk.says(words(40));
}

/** Words of a made-up language of 6,000 words, the frequent ones often; the same for the same seed. */
export function createWords(seed: number): (count: number) => string {
  let state = seed;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 4) % below;
  };
  const SYLLABLES = [
    "ba",
    "re",
    "ko",
    "li",
    "mun",
    "ta",
    "so",
    "vel",
    "dri",
    "pa",
    "no",
    "gur",
    "fi",
    "ze",
    "ho",
    "wex",
  ];
  const known = Array.from({ length: 6_000 }, () =>
    Array.from({ length: 2 + draw(3) }, () => SYLLABLES[draw(SYLLABLES.length)]).join(""),
  );
  return (count) => {
    const chosen: string[] = [];
    for (let at = 0; at < count; at++) chosen.push(known[Math.min(draw(6_000), draw(6_000), draw(6_000))] ?? "");
    return chosen.join(" ");
  };
}
