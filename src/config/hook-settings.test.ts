import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readHookSettings } from "./hook-settings.ts";

function homeWith(config?: string): string {
  const folder = mkdtempSync(join(tmpdir(), "yore-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  if (config !== undefined) writeFileSync(join(folder, "config.json"), config);
  return folder;
}

const USUAL = {
  hookMs: 300,
  hooks: true,
  contextTokens: 1_000,
  promptRecall: true,
  toolRecall: false,
  keepsReceipts: true,
};

it.each([
  [undefined, {}, true],
  ['{"toolRecall":false}', {}, false],
  [undefined, { YORE_TOOL_RECALL: "0" }, false],
])("a hook that was installed for tools, config.json %j and variables %j: %j", (config, variables, toolRecall) => {
  const told = { YORE_HOME: homeWith(config), ...variables };
  expect(readHookSettings(told, { toolRecall: true })).toEqual({ ...USUAL, toolRecall });
});

it.each([
  [undefined, {}, {}],
  ["{", {}, {}],
  ["[]", {}, {}],
  [
    '{"contextTokens":500,"promptRecall":false,"toolRecall":true}',
    {},
    { contextTokens: 500, promptRecall: false, toolRecall: true },
  ],
  ['{"contextTokens":"many","hooks":1}', {}, {}],
  ['{"contextTokens":-1}', {}, {}],
  ['{"hooks":false}', {}, { hooks: false }],
  ['{"hooks":false}', { YORE_HOOKS: "1" }, { hooks: true }],
  ['{"contextTokens":500}', { YORE_CONTEXT_TOKENS: "0" }, { contextTokens: 0 }],
  ['{"contextTokens":500}', { YORE_CONTEXT_TOKENS: "much" }, { contextTokens: 500 }],
  [undefined, { YORE_HOOKS: "off" }, { hooks: false }],
  [undefined, { YORE_INSIDE: "1" }, { hooks: false }],
  [undefined, { YORE_PROMPT_RECALL: "0", YORE_TOOL_RECALL: "1" }, { promptRecall: false, toolRecall: true }],
  [undefined, { YORE_HOOK_MS: "500" }, { hookMs: 500 }],
  [undefined, { YORE_RECEIPT_DAYS: "0" }, { keepsReceipts: false }],
])("config.json %j and variables %j", (config, variables, differing) => {
  expect(readHookSettings({ YORE_HOME: homeWith(config), ...variables })).toEqual({ ...USUAL, ...differing });
});
