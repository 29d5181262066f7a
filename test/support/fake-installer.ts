import type { FilePlan, Installer, Plan, WiringCheck } from "../../src/install/installer.ts";

/** An installer of which nothing is touched. It always plans for Codex, and finds it where there are checks to tell of. */
export function createFakeInstaller(checks: readonly WiringCheck[] = []): Installer {
  const codex = { agent: "codex", name: "Codex", isFound: true };
  const planWith = (kind: Plan["kind"], file: FilePlan): Plan => ({
    kind,
    agents: [{ ...codex, files: [file], notes: kind === "install" ? ["Trust the hooks."] : [] }],
    warnings: kind === "install" ? ["Yore runs from a temporary folder."] : [],
  });
  const path = "/home/me/.codex/config.toml";
  return {
    agents: [{ ...codex, isFound: checks.length > 0 }],
    planInstall: () => planWith("install", { path, change: "create", diff: ["+[mcp_servers.yore]"] }),
    planUninstall: () => planWith("uninstall", { path, change: "refused", reason: "line 2 is no TOML", diff: [] }),
    apply: ({ agents }) => ({
      files: agents.flatMap(({ agent, files }) =>
        files.filter(({ change }) => change !== "refused").map((file) => ({ path: file.path, agent })),
      ),
    }),
    print: () => '{ "mcpServers": {} }\n',
    check: async () => checks,
  };
}
