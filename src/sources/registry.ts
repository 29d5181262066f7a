import { claudeCode } from "./claude-code/source.ts";
import { codex } from "./codex/source.ts";
import { copilotCli } from "./copilot-cli/source.ts";
import { droid } from "./droid/source.ts";
import { geminiCli } from "./gemini-cli/source.ts";
import { kimi } from "./kimi/source.ts";
import { pi } from "./pi/source.ts";
import { qwenCode } from "./qwen-code/source.ts";
import type { Source } from "./source.ts";

/** Every agent Yore reads, in the order they are listed to users. */
export const sources: readonly Source[] = [claudeCode, codex, geminiCli, copilotCli, qwenCode, pi, kimi, droid];
