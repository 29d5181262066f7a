import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatUid, messageUid, OBSERVATION_ID_LENGTH, observationId, projectId, usageKey } from "./ids.ts";

describe("identities are the same on every machine and for ever", () => {
  it.each([
    ["a message", formatUid(messageUid("claude-code", "m1")), "bed42630c41fc901e8038e47"],
    ["the same name in another agent", formatUid(messageUid("codex", "m1")), "8433c1f10ba23fd2f6248b90"],
    ["a model call", formatUid(usageKey("claude-code", "req_1")), "32c217ec1b8995f4e7662ea6"],
    ["an observation", observationId("claude-code", "s1", messageUid("claude-code", "m1")), "dxc2zcas8nfh"],
    ["a project", projectId("remote:github.com/ana/tide"), "sht444d9"],
  ])("%s", (_, id, expected) => {
    expect(id).toBe(expected);
  });

  it.each([
    ["agent", observationId("codex", "s1", messageUid("claude-code", "m1"))],
    ["session", observationId("claude-code", "s2", messageUid("claude-code", "m1"))],
    ["message", observationId("claude-code", "s1", messageUid("claude-code", "m2"))],
  ])("another %s is another observation", (_, id) => {
    expect(id).not.toBe("dxc2zcas8nfh");
  });

  it("keeps agent and name apart", () => {
    expect(formatUid(messageUid("a", "bc"))).not.toBe(formatUid(messageUid("ab", "c")));
  });

  it("writes observation ids without letters that are mistaken for others", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (session, message) => {
        const id = observationId("codex", session, messageUid("codex", message));
        expect(id).toMatch(/^[0-9a-hjkmnp-tv-z]+$/);
        expect(id).toHaveLength(OBSERVATION_ID_LENGTH);
      }),
    );
  });

  it("formats a view into a larger buffer", () => {
    expect(formatUid(new Uint8Array([1, 2, 0xab, 4]).subarray(1, 3))).toBe("02ab");
  });
});
