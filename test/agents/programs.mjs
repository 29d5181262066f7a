// The programs that are driven, and those that cannot be.
import { claudeCode } from "./programs/claude-code.mjs";
import { cline } from "./programs/cline.mjs";
import { codex, codexCode } from "./programs/codex.mjs";
import { continueCli } from "./programs/continue.mjs";
import { copilotCli } from "./programs/copilot-cli.mjs";
import { droid } from "./programs/droid.mjs";
import { geminiCli } from "./programs/gemini-cli.mjs";
import { kimi } from "./programs/kimi.mjs";
import { kilo, opencode } from "./programs/opencode.mjs";
import { pi } from "./programs/pi.mjs";
import { qwenCode } from "./programs/qwen-code.mjs";

/**
 * A program, as far as its history goes. What it cannot do is left out.
 *
 * @typedef {object} Program
 * @property {string} agent - as Yore names it
 * @property {string} [variant] - where an agent is driven in several ways
 * @property {string} package - in which it is installed
 * @property {readonly string[]} history - folders below the home that hold all it writes of its sessions
 * @property {(url: string) => Record<string, string | object>} [files] - settings, by path below the home; objects become JSON
 * @property {(url: string) => Record<string, string>} [env]
 * @property {(request: Request) => string[]} [prepare] - a command to run first
 * @property {(request: Request & { text: string, session?: string, fork?: boolean }) => string[]} ask - the command that
 *   asks `text`, in a new session, in `session` or in a fork of it
 * @property {boolean} [forks] - whether `ask` can fork
 * @property {(request: Request & { session: string }) => string[]} [fork] - the command that forks, where `ask` cannot
 * @property {(output: string) => string | undefined} [forkedSession] - id of the fork in what `fork` printed
 * @property {(request: Request & { session: string, text: string, ask: Function }) => object} [compact] - a `command`,
 *   `files` to write before, and options of the run; `isShort` where few tokens are to be told of the answer. `text` is for programs that compact when they are asked something
 * @property {Record<string, object>} [replies] - what it is told by others than models, by path
 * @property {(text: string) => string} [aside] - how a model wraps a summary
 * @property {number} [minTools] - a request that offers fewer is one that the program makes for itself
 * @property {(command: string) => string} [written] - how a command stands in what a tool is given
 * @property {readonly string[]} [alsoSaid] - what counts as a person's words beside the prompts
 * @property {boolean} [subagentsInline] - subagents have no session of their own
 * @property {boolean} [countsCompaction] - tokens of the request that sums a session up are written down too
 * @property {boolean} [resumes] - false where it cannot go on with a session here
 * @property {Record<string, string>} [reasons] - why something is not driven: `resuming`, `forks`, `subagents`, `compaction`
 * @property {Steps} steps
 * @property {Tells} tells
 *
 * @typedef {object} Request
 * @property {(path: string) => string} bin - path of a file in a package
 * @property {string} url - where the models are
 * @property {string} home
 * @property {string} project - the folder that is worked in
 *
 * @typedef {object} Steps - tool calls of the model; `shell`, `read`, `edit`, `write` and, for a subagent, `delegate`, and
 *   `finish` where a subagent must say that it is done
 *
 * @typedef {object} Tells - what the program writes down
 * @property {boolean} thinking
 * @property {"all" | "failed" | "none"} exitCodes - of which commands
 * @property {"first prompt" | "last prompt" | "generated"} [title] - where the title comes from; by default the first prompt,
 *   which also stays where a generated one did not come in time
 * @property {boolean} [reads] - false where files are read by commands
 */
export const PROGRAMS = [
  claudeCode,
  codex,
  codexCode,
  geminiCli,
  copilotCli,
  qwenCode,
  pi,
  kimi,
  droid,
  opencode,
  kilo,
  cline,
  continueCli,
];

/** Agents that are looked for on npm and cannot be driven, with the reason. */
export const NOT_RUN = {
  amp: "@ampcode/cli talks to the models through its own service alone, which wants an account",
  crush: "@charmland/crush holds no program: its install script fetches one from elsewhere than npm",
  cursor: "not on npm",
  goose: "not on npm",
};
