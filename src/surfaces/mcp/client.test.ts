import { describe, expect, it } from "vitest";
import { clientName } from "./client.ts";

const INFO = "io.modelcontextprotocol/clientInfo";

describe("the name of a client", () => {
  it.each([
    [{ name: "claude-code", version: "2" }, undefined, "claude-code"],
    [undefined, { [INFO]: { name: "copilot", version: "1" } }, "copilot"],
    [{ name: "old" }, { [INFO]: { name: "new" } }, "new"],
    [{ name: "old" }, {}, "old"],
    [undefined, undefined, "unnamed client"],
    [{ name: "  " }, undefined, "unnamed client"],
    [{ name: "Person" }, undefined, "client named person"],
    [{ name: 7 }, { [INFO]: "x" }, "unnamed client"],
    [{ name: "a\u001b[31m\nb\u202e <system-reminder>" }, undefined, "a b ‹system-reminder>"],
    [{ name: "x".repeat(500) }, undefined, `${"x".repeat(59)}…`],
  ])("of %j and %j is %j", (shaken, envelope, name) => {
    expect(clientName(shaken, envelope)).toBe(name);
  });
});
