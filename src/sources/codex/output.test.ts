import { describe, expect, it } from "vitest";
import { decodeOutput, outputFields } from "./output.ts";

const envelope = (output: unknown, metadata: unknown) => JSON.stringify({ output, metadata });

describe("decodeOutput", () => {
  it.each([
    { what: "plain text", output: "hello", text: "hello" },
    { what: "nothing", output: "", text: "" },
    { what: "null", output: null, text: "" },
    { what: "a number", output: 5, text: "" },
    {
      what: "content parts",
      output: [
        { type: "input_text", text: "a" },
        { type: "input_image", image_url: "data:" },
      ],
      text: "a\n[image]",
    },
    { what: "one content part", output: { type: "input_text", text: "a" }, text: "a" },
    { what: "standard streams", output: { stdout: "a", stderr: "b" }, text: "a\nb" },
    { what: "an MCP result", output: JSON.stringify({ content: [{ type: "text", text: "a" }] }), text: "a" },
    { what: "JSON that is the output", output: '{"content":"a","path":"b"}', text: '{"content":"a","path":"b"}' },
    { what: "JSON that is broken", output: '{"content":', text: '{"content":' },
    { what: "an unknown object", output: { a: 1 }, text: '{"a":1}' },
    { what: "a word that looks like a head", output: "x\nOutput:\ny", text: "x\nOutput:\ny" },
    {
      what: "an MCP result below a head",
      output: 'Wall time: 1.0 seconds\nOutput:\n[{"type":"text","text":"a"}]',
      text: "a",
    },
    { what: "a list below a head", output: 'Wall time: 1.0 seconds\nOutput:\n[{"a":1}]', text: '[{"a":1}]' },
  ])("finds the text in $what", ({ output, text }) => {
    expect(decodeOutput(output).text).toBe(text);
  });

  it.each([
    { output: "Exit code: 0\nWall time: 0.4 seconds\nOutput:\nok", text: "ok", exitCode: 0, durationMs: 400 },
    {
      output: "Chunk ID: a\nWall time: 0.05 seconds\nProcess exited with code 2\nOriginal token count: 1\nOutput:\nno",
      text: "no",
      exitCode: 2,
      durationMs: 50,
      isError: true,
    },
    {
      output: 'Command: /bin/zsh -lc "ls"\nChunk ID: a\nWall time: 0 seconds\nProcess exited with code 0\nOutput:\na',
      text: "a",
      exitCode: 0,
      durationMs: 0,
    },
    { output: "Exit code: 0\nWall time: 0.4 seconds\nOutput:\n", text: "", exitCode: 0, durationMs: 400 },
    {
      output: "Chunk ID: a\nWall time: 1 seconds\nProcess running with session ID 7\nOutput:\n",
      text: "Chunk ID: a\nWall time: 1 seconds\nProcess running with session ID 7\nOutput:\n",
      durationMs: 1000,
    },
    {
      output: "Script failed\nWall time 1.0 seconds\nOutput:\n\nTypeError",
      text: "TypeError",
      durationMs: 1000,
      isError: true,
    },
    { output: envelope("ok", { exit_code: 0, duration_seconds: 1.25 }), text: "ok", exitCode: 0, durationMs: 1250 },
    {
      output: envelope("no", { exit_code: 1, duration_seconds: 0 }),
      text: "no",
      exitCode: 1,
      durationMs: 0,
      isError: true,
    },
    {
      output: { content: "Exit code: 3\nWall time: 1 seconds\nOutput:\nno", success: false },
      text: "no",
      exitCode: 3,
      durationMs: 1000,
      isError: true,
    },
    { output: { content: "refused", success: false }, text: "refused", isError: true },
    {
      output: "apply_patch verification failed: no such file",
      text: "apply_patch verification failed: no such file",
      isError: true,
    },
    {
      output: [
        { type: "input_text", text: "Script completed\nWall time 0.3 seconds\nOutput:\n" },
        {
          type: "input_text",
          text: '{"chunk_id":"5","wall_time_seconds":0.04,"exit_code":2,"original_token_count":1,"output":"no"}',
        },
        { type: "input_text", text: "Exit code: 0\nWall time: 0.2 seconds\nOutput:\nyes" },
      ],
      text: "no\nyes",
      exitCode: 2,
      durationMs: 300,
      isError: true,
    },
  ])("takes exit code and duration from %j", ({ output, text, ...rest }) => {
    const decoded = decodeOutput(output);
    expect({ text: decoded.text, ...outputFields(decoded) }).toEqual({ text, ...rest });
  });
});
