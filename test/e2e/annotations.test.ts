import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { jsonOf, runYore } from "../support/program.ts";

const SESSIONS = [sessionId(1), sessionId(2), sessionId(3)];
describe("commands for annotations", () => {
  it("name, tag, note, pin, collect, log and undo, by whoever YORE_BY says", async () => {
    const home = worked();
    const [session = "", other = ""] = SESSIONS;
    await jsonOf(home, ["alias", session.slice(0, 8) === other.slice(0, 8) ? session : session.slice(0, 8), "Tide"]);
    expect(await jsonOf(home, ["tag", "one,two", "tide", other])).toMatchObject({
      number: 2,
      outcomes: [{}, {}, {}, {}],
    });
    await jsonOf(home, ["note", "tide", "a note"], { env: { YORE_BY: "release-script" } });
    await jsonOf(home, ["pin", "tide"]);
    await jsonOf(home, ["collect", "tide", other, "work/harbour"]);
    expect(await jsonOf(home, ["note", "tide"])).toMatchObject({ note: { value: "a note", by: "release-script" } });
    const edited = await runYore(home, ["note", "tide", "--edit"], { env: { EDITOR: "sed -i s/note/tale/" } });
    expect([edited.code, edited.stderr]).toEqual([0, ""]);
    expect(await jsonOf(home, ["note", "tide"])).toMatchObject({ note: { value: "a tale", by: "person" } });
    const failed = await runYore(home, ["note", "tide", "--edit"], { env: { EDITOR: "false" } });
    expect([failed.code, failed.stderr]).toEqual([2, expect.stringContaining("nothing was changed")]);
    expect(await jsonOf(home, ["sessions", "--collection", "work", "--pinned"])).toMatchObject({
      sessions: [
        {
          id: session,
          alias: "tide",
          tags: ["one", "two"],
          pinned: true,
          collections: ["work/harbour"],
          hasNote: true,
        },
      ],
    });
    expect(await jsonOf(home, ["undo"])).toMatchObject({ undone: { number: 6 } });
    expect(await jsonOf(home, ["undo", "2"])).toMatchObject({ change: { edits: [{}, {}, {}, {}] } });
    expect(await jsonOf(home, ["log", "tide"])).toMatchObject({
      changes: [
        { undoes: 2 },
        { undoes: 6 },
        { number: 6 },
        { number: 5 },
        { number: 4 },
        { by: "release-script" },
        { undoneBy: 8 },
        { number: 1 },
      ],
    });
    expect(await jsonOf(home, ["show", "tide"])).toMatchObject({ session: { id: session } });
    expect(readdirSync(join(home.yoreHome, "mirror")).filter((name) => /tmp|aside|damaged|edited/.test(name))).toEqual(
      [],
    );
  });
});

function worked(): TestHome {
  const home = createHome();
  for (const [index, session] of SESSIONS.entries()) {
    const transcript = claudeTranscript({ session });
    transcript.prompt(`ask about harbour ${index}`);
    transcript.says("an answer");
    home.write(home.claudePath(session), transcript.lines);
  }
  return home;
}
