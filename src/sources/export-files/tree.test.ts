import { describe, expect, it } from "vitest";
import { orderTree } from "./tree.ts";

describe("a conversation that branches", () => {
  it.each([
    { what: "no branch", nodes: "a b:a c:b", leaf: "c", order: "a b c" },
    { what: "an answer that was asked for again", nodes: "a b:a c:a", leaf: "c", order: "a <left b <kept c" },
    { what: "the first answer was kept", nodes: "a b:a c:a d:c", leaf: "b", order: "a <left c d <kept b" },
    {
      what: "branches within one that was left",
      nodes: "a b:a c:b d:b e:a",
      leaf: "e",
      order: "a <left b <left c <left d <kept e",
    },
    { what: "no leaf is told", nodes: "a b:a c:a", leaf: undefined, order: "a <left b <kept c" },
    { what: "a leaf that is not there", nodes: "a b:a c:a", leaf: "x", order: "a <left b <kept c" },
    { what: "parents that are not there", nodes: "a:x b:y", leaf: "b", order: "a b" },
    { what: "a circle", nodes: "a:b b:a c", leaf: "a", order: "c a b" },
    { what: "nothing", nodes: "", leaf: "a", order: "" },
  ])("$what", ({ nodes, leaf, order }) => {
    const given = nodes
      .split(" ")
      .filter(Boolean)
      .map((text) => {
        const [id = "", parent] = text.split(":");
        return { id, parent, value: id };
      });
    const steps = [...orderTree(given, leaf)].map((step) => ("branch" in step ? `<${step.branch}` : step.value));
    expect(steps.join(" ")).toBe(order);
  });

  it("may be of any depth", () => {
    const nodes = Array.from({ length: 20_000 }, (_, n) => ({
      id: `${n}`,
      parent: n === 0 ? undefined : `${n - 1}`,
      value: n,
    }));
    expect([...orderTree(nodes, undefined)]).toHaveLength(20_000);
  });
});
