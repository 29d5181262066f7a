/** The shell command that a person had Aider run, without Aider's own word for it. */
export function commandOf(prompt: string): string | undefined {
  const [, word = "", rest = ""] = /^(\/run|\/test|\/git|!)\s*(.*)$/s.exec(prompt) ?? [];
  if (rest === "") return undefined;
  return word === "/git" ? `git ${rest}` : rest;
}

/** Whether a prompt is only what the command before it, such as `/ask`, gave to the model. */
export function isEcho(command: string, prompt: string): boolean {
  const rest = /^\/[\w-]+\s+(.*)$/s.exec(command)?.[1];
  return rest !== undefined && rest.trim() === prompt.trim();
}

/** Whether Aider wrote the prompt: errors of linters and tests to be repaired, and pages of its manual for `/help`. */
export function isMachine(prompt: string): boolean {
  return MACHINE.test(prompt);
}

const MACHINE =
  /^(# Fix any errors below|# Question: |The LLM did not conform |# \d+ SEARCH\/REPLACE blocks? failed|I added these files to the chat|Here are summaries of some files)/;
