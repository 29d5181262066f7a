import { claudeCode } from "./claude-code/source.ts";
import { codex } from "./codex/source.ts";
import type { Source } from "./source.ts";

/** Every agent Yore reads, in the order they are listed to users. */
export const sources: readonly Source[] = [claudeCode, codex];
