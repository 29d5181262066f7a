import { describe, expect, it } from "vitest";
import { splitXmlCalls } from "./xml-calls.ts";

describe("splitXmlCalls", () => {
  it.each<{ what: string; text: string; blocks: readonly unknown[] }>([
    { what: "words alone", text: "hello", blocks: [{ kind: "text", text: "hello" }] },
    {
      what: "a call between words",
      text: "a\n<read_file>\n<path>x</path>\n</read_file>\nb",
      blocks: [{ kind: "text", text: "a" }, call("read_file", { path: "x" }), { kind: "text", text: "b" }],
    },
    {
      what: "a tool that is only named",
      text: "use <read_file> or\n`<read_file>`",
      blocks: [{ kind: "text", text: "use <read_file> or\n`<read_file>`" }],
    },
    {
      what: "thoughts",
      text: "<thinking>\nhm\n</thinking>\nok",
      blocks: [
        { kind: "thinking", text: "\nhm\n" },
        { kind: "text", text: "ok" },
      ],
    },
    {
      what: "content that holds its own tag",
      text: "<write_to_file>\n<path>x</path>\n<content>\n<content>a</content>\n</content>\n</write_to_file>",
      blocks: [call("write_to_file", { path: "x", content: "<content>a</content>" })],
    },
    {
      what: "a call that is cut",
      text: "<write_to_file>\n<path>x</path>\n<content>\nlet a",
      blocks: [call("write_to_file", { path: "x", content: "let a" })],
    },
    {
      what: "two calls",
      text: "<read_file><path>x</path></read_file>\n<list_files><path>.</path></list_files>",
      blocks: [call("read_file", { path: "x" }), call("list_files", { path: "." })],
    },
    { what: "a call without parameters", text: "<list_files></list_files>", blocks: [call("list_files", {})] },
    { what: "tags of no tool", text: "<div>x</div>", blocks: [{ kind: "text", text: "<div>x</div>" }] },
    { what: "nothing", text: " \n", blocks: [] },
  ])("tells $what", ({ text, blocks }) => {
    expect(splitXmlCalls(text)).toEqual(blocks);
  });
});

function call(name: string, input: object): unknown {
  return { kind: "call", id: undefined, name, input };
}
