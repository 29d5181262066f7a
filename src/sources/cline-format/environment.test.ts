import { describe, expect, it } from "vitest";
import { surroundingsIn, withoutEnvironment } from "./environment.ts";

const OPEN = "<environment_details>";
const CLOSE = "</environment_details>";

describe("withoutEnvironment", () => {
  it.each([
    ["nothing to leave out", "hello", "hello"],
    ["details alone", `${OPEN}\nx\n${CLOSE}`, ""],
    ["details behind words", `hello\n${OPEN}\nx\n${CLOSE}\n`, "hello\n\n"],
    ["details that are not closed", `${OPEN}\nx`, ""],
    ["a file that holds the tags", `let a = "${OPEN}${CLOSE}";`, `let a = "${OPEN}${CLOSE}";`],
    ["such a file and details", `let a = "${OPEN}${CLOSE}";\n${OPEN}\nx\n${CLOSE}`, `let a = "${OPEN}${CLOSE}";\n`],
    ["an open tag within words", `what is ${OPEN}?`, `what is ${OPEN}?`],
  ])("of %s", (_, text, left) => {
    expect(withoutEnvironment(text)).toBe(left);
  });
});

describe("surroundingsIn", () => {
  it.each([
    ["Cline's folder", "# Current Working Directory (/a (b)/c) Files\nx", { cwd: "/a (b)/c" }],
    ["Roo's folder", "# Current Workspace Directory (c:/a) Files\nx", { cwd: "c:/a" }],
    ["the model", "# Current Mode\n<slug>code</slug>\n<model>gpt-5.2</model>", { model: "gpt-5.2" }],
    ["a remote", '"associatedRemoteUrls": [\n "origin: git@h:a/b.git"\n]', { repositoryUrl: "git@h:a/b.git" }],
    ["a remote without a name", '"associatedRemoteUrls": ["https://h/a"]', { repositoryUrl: "https://h/a" }],
    ["nothing", "# Current Working Directory", {}],
  ])("tells %s", (_, details, expected) => {
    expect(surroundingsIn(`${OPEN}\n${details}\n${CLOSE}`)).toEqual(expected);
    expect(surroundingsIn(details)).toEqual({});
  });
});
