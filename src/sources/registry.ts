import { aider } from "./aider/source.ts";
import { amp } from "./amp/source.ts";
import { antigravity } from "./antigravity/source.ts";
import { chatgpt } from "./chatgpt/source.ts";
import { claudeAi } from "./claude-ai/source.ts";
import { claudeCode } from "./claude-code/source.ts";
import { claudePrompts } from "./claude-prompts/source.ts";
import { cline } from "./cline/source.ts";
import { codex } from "./codex/source.ts";
import { continueDev } from "./continue/source.ts";
import { copilotCli } from "./copilot-cli/source.ts";
import { crush } from "./crush/source.ts";
import { cursor } from "./cursor/source.ts";
import { droid } from "./droid/source.ts";
import { geminiCli } from "./gemini-cli/source.ts";
import { goose } from "./goose/source.ts";
import { kiloCode } from "./kilo-code/source.ts";
import { kimi } from "./kimi/source.ts";
import { kilo, mimoCode, openCode } from "./opencode/source.ts";
import { pi } from "./pi/source.ts";
import { qwenCode } from "./qwen-code/source.ts";
import { rooCode } from "./roo-code/source.ts";
import type { Source } from "./source.ts";
import { specstory } from "./specstory/source.ts";
import { vscodeCopilot } from "./vscode-copilot/source.ts";
import { zed } from "./zed/source.ts";

/** Every agent Yore reads, in the order they are listed to users. */
export const sources: readonly Source[] = [
  claudeCode,
  codex,
  geminiCli,
  copilotCli,
  vscodeCopilot,
  cursor,
  openCode,
  kilo,
  mimoCode,
  cline,
  rooCode,
  kiloCode,
  qwenCode,
  pi,
  kimi,
  droid,
  crush,
  goose,
  zed,
  amp,
  continueDev,
  antigravity,
  aider,
  specstory,
  claudePrompts,
  claudeAi,
  chatgpt,
];
