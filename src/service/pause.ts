/** A wait that can be ended early, and is when the signal comes. */
export class Pause {
  readonly #inBackground: boolean;
  readonly #signal: AbortSignal;
  #end: (() => void) | undefined;

  /** In the background, a wait keeps no process alive. */
  constructor(signal: AbortSignal, inBackground: boolean) {
    this.#inBackground = inBackground;
    this.#signal = signal;
    signal.addEventListener("abort", () => this.end(), { once: true });
  }

  async wait(ms: number): Promise<void> {
    if (this.#signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      if (this.#inBackground) timer.unref();
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#end = undefined;
  }

  end(): void {
    this.#end?.();
  }
}
