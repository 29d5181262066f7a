import type { Clock } from "../../core/time.ts";
import type { Installer } from "../../install/installer.ts";
import type { IndexProgress, Restored, Yore } from "../../service/yore.ts";

/** What the command line knows of the world: made by the entry point for a process, by hand in a test. */
export interface Io {
  /** Opens the store and brings it up to date, reporting while history is read. Called at most once a run. */
  readonly open: (onProgress: (progress: IndexProgress) => void, request: OpenRequest) => Promise<Yore>;
  readonly stdout: Output & {
    /** Resolves when everything written has left the process; throws like `write`. */
    readonly flush: () => Promise<void>;
  };
  readonly stderr: Output;
  readonly stdoutIsTty: boolean;
  readonly stderrIsTty: boolean;
  /** Width of the terminal; of no meaning where neither output is one. */
  readonly columns: number;
  /** `auto`: on a terminal only. */
  readonly colour: ColourChoice;
  readonly now: Clock;
  readonly timeZone?: string;
  /** Folder that is worked in. */
  readonly folder: string;
  readonly version: string;
  /** Environment variables that `yore --help` names. */
  readonly settings: readonly { readonly name: string; readonly help: string }[];
  /** All of standard input, to its end. */
  readonly readStdin: () => Promise<string>;
  /** Asks a person for a line; undefined where there is no terminal to ask on. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Lets a person edit a text in the editor of their choice. */
  readonly edit: (text: string) => Promise<string>;
  /** Connects agents, and looks whether they are. */
  readonly installer: () => Promise<Installer>;
  /** Serves MCP on standard input and output until the client leaves. */
  readonly runMcp: (argv: readonly string[]) => Promise<void>;
  /** Answers an event of an agent's session, and ends the process. */
  readonly runHook: (argv: readonly string[]) => Promise<void>;
  /**
   * Calls `stop` at the first Ctrl-C, SIGTERM or SIGHUP in place of ending the process; a second one ends it. Returns what
   * takes the listener away again.
   */
  readonly onInterrupt: (stop: () => void) => () => void;
}

export interface OpenRequest {
  /** A damaged store is moved aside, and a new one made in its place. */
  readonly repair?: boolean;
  /** Told where a damaged store was moved to. */
  readonly onSetAside?: (path: string) => void;
  /** A backup to put in the place of what is there; without `replace` only where there is nothing. */
  readonly from?: { readonly path: string; readonly replace: boolean };
  readonly onRestored?: (restored: Restored) => void;
}

export interface Output {
  /** Throws what the system said once the output cannot be written to any more, such as `EPIPE`. */
  write(text: string): void;
}

export type ColourChoice = "auto" | "always" | "never";
