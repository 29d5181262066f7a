import type { Evaluating } from "./evaluation-api.ts";
import type { Workbench } from "./workbench.ts";

/** Measuring how well search finds things in the history that is there. */
export function evaluating(bench: Workbench): Evaluating {
  return {
    async evaluate(request = {}) {
      // Whoever does not measure does not load what that takes.
      const { evaluate } = await import("./evaluation.ts");
      const { onProgress, signal } = request;
      // All of it first: what is asked must not change between two questions.
      await bench.keeper.index({
        ...(onProgress !== undefined && { onProgress }),
        ...(signal !== undefined && { signal }),
      });
      return evaluate(bench, await bench.keeper.refresh(), request);
    },
  };
}
