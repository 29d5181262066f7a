import { exclusionSetting } from "./config/exclusions.ts";
import type { Settings } from "./config/settings.ts";
import { openHookStore } from "./hook-app.ts";
import { redactionIn } from "./hook-redaction.ts";
import { capturing } from "./service/capture.ts";
import { insideFolderIn } from "./service/inside.ts";
import { archivePathIn } from "./service/places.ts";
import { ProjectExclusions } from "./service/project-exclusions.ts";
import { ProjectMirror } from "./service/project-mirror.ts";
import { RefusalMirror } from "./service/refusal-mirror.ts";
import type { Source } from "./sources/source.ts";
import type { HookCapture } from "./surfaces/hooks/handle.ts";

/** Bringing in what one agent wrote. Throws where there is no store to be had. */
export async function openHookCapture(settings: Settings, agent: string): Promise<HookCapture> {
  const { home, yoreHome, platform, variables } = settings;
  const clock = Date.now;
  const store = await openHookStore(settings);
  redactionIn(yoreHome);
  const source = settings.excludedAgents.includes(agent) ? undefined : await SOURCES[agent]?.();
  const setting = exclusionSetting(yoreHome, settings.excludedProjects);
  return capturing({
    store,
    sources: source === undefined ? [] : [source],
    environment: { home, platform, variables, workFolders: [] },
    exclusions: new ProjectExclusions(setting, home, insideFolderIn(yoreHome)),
    archivePath: archivePathIn(yoreHome),
    clock,
    mirror: new ProjectMirror(store, yoreHome, clock),
    refusals: new RefusalMirror(store, yoreHome, clock),
  });
}

/** Only that of the agent that calls is loaded. */
const SOURCES: Readonly<Record<string, () => Promise<Source>>> = {
  "claude-code": async () => (await import("./sources/claude-code/source.ts")).claudeCode,
  codex: async () => (await import("./sources/codex/source.ts")).codex,
  "gemini-cli": async () => (await import("./sources/gemini-cli/source.ts")).geminiCli,
  "copilot-cli": async () => (await import("./sources/copilot-cli/source.ts")).copilotCli,
  opencode: async () => (await import("./sources/opencode/source.ts")).openCode,
  cursor: async () => (await import("./sources/cursor/source.ts")).cursor,
  "qwen-code": async () => (await import("./sources/qwen-code/source.ts")).qwenCode,
};
