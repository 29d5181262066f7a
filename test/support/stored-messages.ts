import type { StoredMessage } from "../../src/store/store.ts";

/** Messages as the store gives them back, from what matters of each. */
export function storedMessages(
  parts: readonly (Partial<StoredMessage> & Pick<StoredMessage, "role" | "part" | "text">)[],
): StoredMessage[] {
  return parts.map((part, seq) => ({
    uid: seq.toString(16).padStart(16, "0"),
    seq,
    files: [],
    commands: [],
    file: "/home/user/.agent/session.jsonl",
    byte: 0,
    ...part,
  }));
}

type Saying = Partial<StoredMessage> & Pick<StoredMessage, "role" | "part" | "text">;

export function prompt(text: string): Saying {
  return { role: "human", part: "text", text };
}

export function answer(text: string): Saying {
  return { role: "assistant", part: "text", text };
}

/** A call of a tool and what it gave back. */
export function used(tool: string, input: string, output: string, more: Partial<StoredMessage> = {}): Saying[] {
  const { isError, exitCode, ...call } = more;
  return [
    { role: "tool", part: "call", tool, text: input, ...call },
    {
      role: "tool",
      part: "result",
      tool,
      text: output,
      ...(isError !== undefined && { isError }),
      ...(exitCode !== undefined && { exitCode }),
    },
  ];
}

/** A command that ended with that exit code; undefined where the agent notes none of what went well. */
export function ran(command: string, output = "", exitCode?: number): Saying[] {
  const ended = exitCode === undefined ? {} : { exitCode, ...(exitCode !== 0 && { isError: true }) };
  return used("Bash", command, output, { commands: [command], ...ended });
}

export function edited(path: string): Saying[] {
  return used("Edit", path, "done", { files: [{ path, changed: true }] });
}
