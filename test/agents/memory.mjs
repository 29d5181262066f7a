// What Yore has read, asked for the way a script would.
import assert from "node:assert/strict";

/** Commands of Yore in `home`, for what it knows of `agent`. */
export function createMemory(home, agent) {
  const json = async (...args) => {
    const { code, stdout, stderr, timedOut } = await home.run(["yore", ...args, "--json"]);
    assert.ok(!timedOut, `\`yore ${args[0]}\` ran out of time`);
    assert.ok(code === 0 || code === 3, `\`yore ${args[0]}\`: exit code ${code}\n${stderr}`);
    return JSON.parse(stdout);
  };
  return {
    json,
    knows: async () => (await json("doctor")).agents.some((known) => known.agent === agent),
    /** All that is known of the agent's sessions. */
    async read() {
      const { sessions } = await json("sessions", "--all", "--limit", "100", "--agent", agent);
      const whole = [];
      for (const session of sessions) whole.push(await readSession(json, session));
      const stats = await json("stats", "--agent", agent);
      return { sessions: whole, usage: stats.usage };
    },
    async health() {
      return (await json("doctor")).agents.find((known) => known.agent === agent);
    },
    /** Ids of the sessions in which a word was said, told by the messages themselves. */
    async sessionsWith(word) {
      const { hits } = await json("search", word, "--agent", agent);
      return [...new Set(hits.map(({ session }) => session))];
    },
  };
}

async function readSession(json, session) {
  const { messages } = await json("show", session.id, "--everything");
  const { entries } = await json("timeline", "--session", session.id, "--before", "50", "--after", "50");
  const observations = [];
  for (const { id } of entries.filter((entry) => entry.session === session.id)) {
    observations.push((await json("show", id)).observation);
  }
  return {
    ...session,
    messages,
    files: observations.flatMap(({ files }) => files),
    commands: observations.flatMap(({ commands }) => commands),
  };
}
