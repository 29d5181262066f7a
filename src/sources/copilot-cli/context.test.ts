import { describe, expect, it } from "vitest";
import { repositoryUrl } from "./context.ts";

describe("repositoryUrl", () => {
  it.each([
    { repository: "ana/tide", host: "github.com", url: "https://github.com/ana/tide" },
    { repository: "ana/tide", host: "sea.ghe.com", url: "https://sea.ghe.com/ana/tide" },
    { repository: "ana/tide", host: undefined, url: "https://github.com/ana/tide" },
    { repository: "acme/sea/tide", host: "dev.azure.com", url: "https://dev.azure.com/acme/sea/_git/tide" },
    { repository: "acme/sea/tide", host: undefined, url: "https://dev.azure.com/acme/sea/_git/tide" },
    { repository: "tide", host: "github.com", url: undefined },
    { repository: "a/b/c/d", host: "github.com", url: undefined },
    { repository: undefined, host: "github.com", url: undefined },
    { repository: 7, host: 7, url: undefined },
  ])("of $repository on $host", ({ repository, host, url }) => {
    expect(repositoryUrl(repository, host)).toBe(url);
  });
});
