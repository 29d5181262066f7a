// What is said and done in the conversations. The odd words make each text findable, and nothing else.

export const FILES = {
  "work/quay/notes.txt": "tide ledger: bargepole\nlamp: broken\n",
  "work/quay/chart.txt": "soundings: dogwatch\n",
};

export const FIRST = {
  marker: "pilotboat",
  prompt: "Mend the harbour lamp and say how: pilotboat.",
  say: "First I look at what there is: hawsehole.",
  think: "The lamp comes before the clock: capstanwood.",
  answer: "The lamp is mended: mooringline.",
};
export const SECOND = {
  marker: "lightvessel",
  prompt: "Now wind the clock: lightvessel.",
  answer: "The clock is wound: sternpost.",
};
export const FORK = {
  marker: "jollyboat",
  prompt: "Try another lamp: jollyboat.",
  answer: "Another lamp is lit: topgallant.",
};
export const PARENT = {
  marker: "quarterdeck",
  prompt: "Have somebody look at the sails: quarterdeck.",
  answer: "All is seen to: bowsprit.",
};
export const CHILD = {
  marker: "foresail",
  prompt: "Look at the sails and say how they are: foresail.",
  answer: "The sails are whole: mizzenmast.",
};
/** Said to a program that compacts its session when it is asked the next time. */
export const AGAIN = {
  marker: "keelson",
  prompt: "Say once more how it is: keelson.",
  answer: "It is as it was: gunwale.",
};
/** What the model says where it is asked to sum up, or for a title. */
export const ASIDE = "Harbour lamp repair: waterline.";

// The words that commands print do not stand in the commands. They last a moment, since a terminal may lose the output of
// what has ended before it was looked at. Of a long output programs keep the beginning or the end.
export const COMMANDS = {
  ok: { command: "printf 'bu%s\\n' oysound; sleep 0.2", output: "buoysound", exitCode: 0 },
  failed: { command: "printf 'ree%s\\n' fknot; sleep 0.2; exit 7", output: "reefknot", exitCode: 7 },
  long: { command: "seq -f 'tide table row %.0f' 4000", output: /tide table row \d/, exitCode: 0 },
  second: { command: "printf 'anc%s\\n' horwatch; sleep 0.2", output: "anchorwatch", exitCode: 0 },
  child: { command: "printf 'hal%s\\n' yardrope; sleep 0.2", output: "halyardrope", exitCode: 0 },
};

export const READ = { file: "chart.txt", content: "soundings: dogwatch" };
export const EDIT = { file: "notes.txt", before: "lamp: broken", after: "lamp: mended, gaslight" };
export const WRITE = { file: "log.txt", content: "heaving line: marlinspike\n" };

/** The conversations of a program with these steps; see programs.mjs. */
export function firstThread(steps, folder) {
  const path = ({ file }) => `${folder}/${file}`;
  const calls = [
    steps.shell(COMMANDS.ok.command),
    steps.shell(COMMANDS.failed.command),
    steps.read(path(READ)),
    // Programs that refuse to change what was not read first are content with this.
    steps.read(path(EDIT)),
    steps.edit(path(EDIT), EDIT.before, EDIT.after),
    steps.write(path(WRITE), WRITE.content),
    steps.shell(COMMANDS.long.command),
  ];
  const [opening, ...others] = calls.filter((call) => call !== undefined);
  return { ...FIRST, steps: [{ ...opening, say: FIRST.say, think: FIRST.think }, ...others] };
}

export function secondThread(steps) {
  return { ...SECOND, steps: [steps.shell(COMMANDS.second.command)] };
}

export function familyThreads(steps) {
  const child = {
    ...CHILD,
    steps: [steps.shell(COMMANDS.child.command), steps.finish?.(CHILD.answer)].filter(Boolean),
  };
  const delegated = steps.delegate(CHILD.prompt);
  return [{ ...PARENT, steps: Array.isArray(delegated) ? delegated : [delegated] }, child];
}
