import { describe, expect, it } from "vitest";
import { answer, edited, prompt, ran, storedMessages, used } from "../../test/support/stored-messages.ts";
import { digest } from "./digest.ts";

function digestOf(...parts: Parameters<typeof storedMessages>[0][number][]) {
  return digest(storedMessages(parts));
}

describe("what was asked and concluded", () => {
  it("is the prompt without recalled text, and the agent's last words", () => {
    const recalled = "<<yore abcdef12\nan old answer\nyore abcdef12>>";
    const found = digestOf(
      prompt(`Why does the tide table drift?\n${recalled}`),
      answer("Let me look."),
      ...ran("ls", "tide.ts", 0),
      answer("It adds the offset twice."),
      { role: "system", part: "notice", text: "compacted" },
    );
    expect(found.asked).toBe("Why does the tide table drift?");
    expect(found.concluded).toBe("It adds the offset twice.");
  });

  it("is what the spawner asked of a subagent", () => {
    expect(digestOf({ role: "system", part: "text", text: "List the callers of open()." }).asked).toBe(
      "List the callers of open().",
    );
  });

  it.each([
    ["not what the agent does next, where it goes on", "Let me read the tide table.", true, undefined],
    [
      "not what leads over to a call",
      "Great! Now let me read the main files to understand the tides:",
      true,
      undefined,
    ],
    [
      "what it found, though it goes on",
      "The offset is added twice. Let me fix it.",
      true,
      "The offset is added twice. Let me fix it.",
    ],
    [
      "its last words, whatever they are",
      "Let me know which tide you mean.",
      false,
      "Let me know which tide you mean.",
    ],
    ["the shortest of last words", "Done.", false, "Done."],
  ])("concludes with %s", (_, text, goesOn, concluded) => {
    const found = digestOf(prompt("Why?"), answer("I'll look."), answer(text), ...(goesOn ? ran("cat tide.ts") : []));
    expect(found.concluded).toBe(concluded);
  });

  it("has nothing to say of nothing", () => {
    expect(digestOf({ role: "system", part: "notice", text: "<task>done</task>" })).toEqual({
      commands: [],
      errors: [],
      commits: [],
      pullRequests: [],
      decisions: [],
      todos: [],
    });
  });

  it("leaves out what yore itself returned", () => {
    const found = digestOf(
      ...used("mcp__yore__search", "tide", "npm test failed", { isError: true }),
      ...used("mcp__yore__remember", "todos: [ ] one", "saved"),
    );
    expect(found.errors).toEqual([]);
  });
});

describe("commands", () => {
  it.each([
    ["exit code 0", ran("make", "", 0), { outcome: "ok", exitCode: 0 }],
    ["another exit code", ran("make", "", 2), { outcome: "failed", exitCode: 2 }],
    ["no exit code, and no error", ran("make", "built"), { outcome: "ok" }],
    [
      "an error without exit code",
      used("Bash", "make", "x", { commands: ["make"], isError: true }),
      { outcome: "failed" },
    ],
    ["no result", [ran("make")[0] ?? prompt("")], { outcome: "unknown" }],
    ["a command that goes on", ran("make", "Command running in background with ID: b1"), { outcome: "unknown" }],
    [
      "a command that went on and was asked for",
      [
        ...ran("make", "Chunk ID: 1\nProcess running with session ID 7\n"),
        ...used("write_stdin", "session_id: 7\nchars: ", "", { exitCode: 1, isError: true }),
      ],
      { outcome: "failed", exitCode: 1 },
    ],
  ])("tells %s", (_, parts, expected) => {
    expect(digestOf(...parts).commands).toEqual([{ command: "make", ...expected }]);
  });

  it.each([
    "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    "<tool_use_error>Blocked: sleep 180</tool_use_error>",
    "Permission for this tool use was denied.",
  ])("leaves out what was not let through: %s", (text) => {
    const found = digestOf(...used("Bash", "make", text, { commands: ["make"], isError: true }));
    expect([found.commands, found.errors]).toEqual([[], []]);
  });

  it("joins a result to its call by id, whatever stands between", () => {
    const found = digestOf(
      { role: "tool", part: "call", tool: "Bash", text: "a", commands: ["a"], callId: "1" },
      { role: "tool", part: "call", tool: "Bash", text: "b", commands: ["b"], callId: "2" },
      { role: "tool", part: "result", tool: "Bash", text: "", callId: "2", exitCode: 3, isError: true },
      { role: "tool", part: "result", tool: "Bash", text: "", callId: "1", exitCode: 0 },
    );
    expect(found.commands.map(({ exitCode }) => exitCode)).toEqual([0, 3]);
  });
});

describe("errors", () => {
  it.each([
    ["a test", ran("npm test", "\nok 1\nFAIL src/tide.test.ts\n  expected 2", 1), "npm test: FAIL src/tide.test.ts"],
    [
      "a compiler",
      ran("cd /x && cargo build 2>&1 | tail -5", "   Compiling x\nerror[E0433]: no crate `y`", 101),
      "cargo build: error[E0433]: no crate `y`",
    ],
    [
      "a program's last word",
      ran("./run", "Traceback (most recent call last):\n  File\nKeyError: 'repo'", 1),
      "./run: KeyError: 'repo'",
    ],
    ["nothing but an exit code", ran("./run", "Exit code 3", 3), "./run: exit 3"],
    [
      "a tool without a command",
      used("WebFetch", "https://x", "Request failed with status 404", { isError: true }),
      "WebFetch: Request failed with status 404",
    ],
  ])("tells of %s in one line", (_, parts, text) => {
    expect(digestOf(...parts).errors).toEqual([{ text }]);
  });

  it.each([
    ["a search that found nothing", ran("grep -n tide src", "Exit code 1", 1)],
    ["output that speaks of errors and went well", ran("npm test", "0 errors, 3 passed", 0)],
    ["a command that was stopped", ran("sleep 5", "Command aborted", 1)],
    ["a file that had to be read first", used("Edit", "a.ts", "File has not been read yet", { isError: true })],
  ])("does not take %s for one", (_, parts) => {
    expect(digestOf(...parts).errors).toEqual([]);
  });

  it.each([
    ["the edit before it went well", [...edited("src/tide.ts"), ...ran("npm test", "", 0)], "edited src/tide.ts"],
    ["a part of the same test", [...edited("src/tide.ts"), ...ran("npm test -- tide", "", 0)], "edited src/tide.ts"],
    [
      "the command before it went well",
      [...ran("npm install tides", "", 0), ...ran("npm test", "", 0)],
      "npm install tides",
    ],
    ["not looking around", [...edited("a.ts"), ...ran("git diff", "x", 0), ...ran("npm test", "", 0)], "edited a.ts"],
    [
      "not an edit that did not help",
      [...edited("a.ts"), ...ran("npm test", "FAIL again", 1), ...edited("b.ts"), ...ran("npm test", "", 0)],
      "edited b.ts",
    ],
  ])("are fixed by %s", (_, later, fixedBy) => {
    expect(digestOf(...ran("npm test", "FAIL one", 1), ...later).errors[0]).toEqual({
      text: "npm test: FAIL one",
      fixedBy,
    });
  });

  it("are not fixed by a check that is only a part of what failed", () => {
    const found = digestOf(
      ...ran("npm test && npm run lint", "error: lint", 1),
      ...edited("a.ts"),
      ...ran("npm test", "", 0),
    );
    expect(found.errors).toEqual([{ text: "npm test && npm run lint: error: lint" }]);
  });
});

describe("commits", () => {
  const heredoc = `git add -A && git commit -m "$(cat <<'EOF'\nfeat: Add tides\n\nbody\nEOF\n)"`;
  it.each([
    [
      "as git printed it",
      ran('git commit -m "x"', "[main 1a2b3c4] Add tides\n 1 file changed"),
      [{ hash: "1a2b3c4", subject: "Add tides" }],
    ],
    [
      "the first of a repository",
      ran('git commit -m "x"', "[main (root-commit) 1a2b3c4] Start"),
      [{ hash: "1a2b3c4", subject: "Start" }],
    ],
    ["by the message, where git was silent", ran("git commit -q -m 'Add tides'"), [{ subject: "Add tides" }]],
    ["by a here-document", ran(heredoc, ""), [{ subject: "feat: Add tides" }]],
    ["by standard input", ran("git commit -F - <<'END'\nAdd tides\n\nbody\nEND\n"), [{ subject: "Add tides" }]],
    ["in another folder", ran('git -C /x commit -am "Add \\"tides\\""'), [{ subject: 'Add "tides"' }]],
    ["not one that failed", ran('git commit -m "x"', "nothing to commit", 1), []],
    ["not one that is spoken of", ran('echo "then git commit -m x"', ""), []],
    ["not one in a document", ran("cat > notes.md <<'EOF'\nrun:\ngit commit -m x\nEOF"), []],
    ["not one that would be", ran('git commit --dry-run -m "x"', ""), []],
  ])("are told %s", (_, parts, commits) => {
    expect(digestOf(...parts).commits).toEqual(commits);
  });

  it("count once when amended", () => {
    const found = digestOf(
      ...ran('git commit -m "x"', "[main 1a2b3c4] Add tides"),
      ...ran("git commit --amend --no-edit", "[main 5d6e7f8] Add tides"),
    );
    expect(found.commits).toEqual([{ hash: "5d6e7f8", subject: "Add tides" }]);
  });
});

describe("pull requests", () => {
  it("are looked for in time, as commits are, in commands of empty lines", () => {
    const found = digestOf(...ran(`${"\n".repeat(300_000)}git commit -m 'Add tides'`, ""));
    expect([found.commits, found.pullRequests]).toEqual([[{ subject: "Add tides" }], []]);
  });

  const url = "https://github.com/user/tide/pull/5";
  const note = { role: "system", part: "notice", text: `pull request #5 ${url}` } as const;
  it.each([
    [
      "made by a command",
      ran('gh pr create --title "Add tides" --body x', `Creating\n${url}\n`),
      [{ url, number: 5, title: "Add tides" }],
    ],
    [
      "noted by the agent, once",
      [...ran('gh pr create --title "Add tides"', url), note],
      [{ url, number: 5, title: "Add tides" }],
    ],
    [
      "made by a tool",
      used("mcp__github__create_pull_request", "owner: user\ntitle: Add tides", `{"html_url":"${url}"}`),
      [{ url, number: 5, title: "Add tides" }],
    ],
    ["not one that failed", ran("gh pr create --title x", "no commits", 1), []],
    ["not one that is looked at", ran("gh pr view 5", url), []],
  ])("are those %s", (_, parts, expected) => {
    expect(digestOf(...parts).pullRequests).toEqual(expected);
  });
});

describe("to-dos", () => {
  const list = [
    { text: "read", state: "done" },
    { text: "write", state: "active" },
    { text: "test", state: "open" },
  ];
  const json = (key: string, ...states: string[]) =>
    JSON.stringify(["read", "write", "test"].map((text, at) => ({ [key]: text, status: states[at] })));
  it.each([
    ["TodoWrite", used("TodoWrite", `todos: ${json("content", "completed", "in_progress", "pending")}`, "ok")],
    ["todowrite", used("todowrite", `todos: ${json("content", "completed", "in_progress", "pending")}`, "ok")],
    [
      "update_plan",
      used("update_plan", `explanation: so\nplan: ${json("step", "completed", "in_progress", "pending")}`, "ok"),
    ],
    ["write_todos", used("write_todos", `todos: ${json("description", "completed", "in_progress", "pending")}`, "ok")],
    ["SetTodoList", used("SetTodoList", `todos: ${json("title", "done", "in_progress", "pending")}`, "ok")],
    ["update_todo_list", used("update_todo_list", "todos: [x] read\n[-] write\n[ ] test", "ok")],
    ["lines with states", used("TodoWrite", "[completed] read\n[in_progress] write\n[pending] test", "ok")],
    ["a Markdown list", used("todo__todo_write", "content: - [x] read\n- [~] write\n- [ ] test", "ok")],
    [
      "TaskCreate and TaskUpdate",
      [
        ...["read", "write", "test"].flatMap((text, at) =>
          used("TaskCreate", `subject: ${text}\ndescription: x`, `Task #${at + 1} created successfully: ${text}`),
        ),
        ...used("TaskUpdate", "taskId: 1\nstatus: completed", "Updated task #1 status"),
        ...used("TaskUpdate", "taskId: 2\nstatus: in_progress", "Updated task #2 status"),
      ],
    ],
    [
      "SQL",
      [
        ...used(
          "sql",
          "query: INSERT INTO todos (id, title, description, status) VALUES ('a', 'read', 'it', 'in_progress'), ('b', 'write', 'it', 'pending'), ('c', 'test', 'it', 'pending')",
          "ok",
        ),
        ...used(
          "sql",
          "query: UPDATE todos SET status = CASE id WHEN 'a' THEN 'done' ELSE status END WHERE id IN ('a')",
          "ok",
        ),
        ...used("sql", "query: UPDATE todos SET status = 'in_progress' WHERE id = 'b'", "ok"),
      ],
    ],
  ])("are the last state of %s", (_, parts) => {
    expect(digestOf(...parts).todos).toEqual(list);
  });

  it("are none where a tool only reads them, or its input was cut", () => {
    expect(digestOf(...used("TodoRead", "TodoRead", "[x] read")).todos).toEqual([]);
    expect(digestOf(...used("TodoWrite", 'todos: [{"content":"re', "ok")).todos).toEqual([]);
  });
});

describe("decisions", () => {
  const questions = JSON.stringify([
    { question: "Which store?", options: [{ label: "SQLite" }, { label: "A file" }] },
    { question: "Which port?", options: [{ label: "None" }, { label: "8080" }] },
  ]);
  it("are those that answer a question, with what was not chosen", () => {
    const result =
      'User has answered your questions: "Which store?"="SQLite", "Which port?"="why a port?". You can now continue.';
    expect(digestOf(...used("AskUserQuestion", `questions: ${questions}`, result)).decisions).toEqual([
      { statement: "Which store? SQLite", rejected: "A file", by: "person" },
    ]);
  });

  it("are stated by the person, and by the agent where it says why", () => {
    const found = digestOf(
      prompt("We decided to keep SQLite because it needs no server."),
      answer("I went with one file instead of a folder."),
      answer("I decided to look at it."),
    );
    expect(found.decisions).toEqual([
      {
        statement: "We decided to keep SQLite because it needs no server.",
        reason: "it needs no server",
        by: "person",
      },
      { statement: "I went with one file instead of a folder.", rejected: "a folder", by: "agent" },
    ]);
  });
});
