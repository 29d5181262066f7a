import { exclusionSetting } from "./config/exclusions.ts";
import { readRedaction } from "./config/redaction.ts";
import type { Settings } from "./config/settings.ts";
import { YoreError } from "./core/errors.ts";
import { redactWith } from "./ingest/prepare.ts";
import { briefing } from "./service/briefing.ts";
import { capturing } from "./service/capture.ts";
import { localBench, storePathIn } from "./service/local-bench.ts";
import { keepingReceipts } from "./service/receipts.ts";
import { isRestoring } from "./service/restoring.ts";
import type { Source } from "./sources/source.ts";
import { openSqliteStore } from "./store/sqlite/store.ts";
import type { HookYore } from "./surfaces/hooks/handle.ts";

/** A hook waits so long for another process, and goes without. */
const BUSY_MS = 40;

/** Those parts that an agent's hooks need, over the history of that agent alone. Throws where there is no store to be had. */
export async function openHookYore(settings: Settings, agent: string): Promise<HookYore> {
  const { home, yoreHome, platform, variables } = settings;
  if (isRestoring(yoreHome)) throw new YoreError("busy", "A backup is being put in the place of the store.");
  const storePath = storePathIn(yoreHome);
  const store = await openSqliteStore(storePath, Date.now, { busyMs: BUSY_MS });
  redactWith(readRedaction(yoreHome).current);
  const source = settings.excludedAgents.includes(agent) ? undefined : await SOURCES[agent]?.();
  const { bench, refusals } = localBench({
    store,
    sources: source === undefined ? [] : [source],
    environment: { home, platform, variables, workFolders: [] },
    clock: Date.now,
    timeZone: settings.timeZone,
    yoreHome,
    storePath,
    catchUpMs: 0,
    firstPassWhole: false,
    exclusionSetting: exclusionSetting(yoreHome, settings.excludedProjects),
  });
  return {
    ...briefing(bench),
    ...keepingReceipts(bench, settings.receiptDays).receipts,
    ...capturing({ ...bench, refusals }),
  };
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
