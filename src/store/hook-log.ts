/** When the hooks of an agent ran. */
export interface HookRun {
  readonly agent: string;
  /** Latest. */
  readonly at: number;
  /** When one last stored something. */
  readonly storedAt?: number;
}

/** What is known of the hooks that ran. */
export interface HookReader {
  /** By agent. */
  runs(): Promise<readonly HookRun[]>;
}

export interface HookWrites {
  /** False where the event is known, and has not run out. Those that have are forgotten. */
  noteHookEvent(event: { readonly hash: string; readonly now: number; readonly until: number }): Promise<boolean>;
  noteHookRun(run: { readonly agent: string; readonly at: number; readonly stored: boolean }): Promise<void>;
  /** Files that were first read by themselves, and not by a pass over all. */
  noteEarly(paths: readonly string[]): Promise<void>;
  /** A pass over all was made. */
  forgetEarly(): Promise<void>;
}
