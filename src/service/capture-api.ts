export interface CaptureRequest {
  readonly agent: string;
  /** Transcripts that the agent named. */
  readonly paths?: readonly string[];
  /** Native id of the session. */
  readonly session?: string;
  /** How long it may take; what is left then is read by the next one, or by a pass. */
  readonly budgetMs: number;
}

export interface CaptureReport {
  readonly newMessages: number;
  /** Whether the store has all of what was named. */
  readonly complete: boolean;
}

export interface FirstOfRequest {
  /** Names the event; kept as a hash. */
  readonly key: string;
  /** How long it is remembered. */
  readonly withinMs: number;
}

/** What agents' hooks ask for. */
export interface Capture {
  /**
   * Brings what was added to an agent's transcripts into the store, at a cost that no other file adds to. Where another
   * process writes, it returns at once: that one has it, or the next pass will. Never throws.
   */
  capture(request: CaptureRequest): Promise<CaptureReport>;
}

export interface FirstOf {
  /**
   * False where the same event came before. True where that cannot be told, as while another process writes. Never
   * throws.
   */
  firstOf(request: FirstOfRequest): Promise<boolean>;
}
