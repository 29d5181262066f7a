import type { Capture, FirstOf } from "../../src/service/capture-api.ts";
import type { FakeCall } from "./fake-yore.ts";

/** Knows events for as long as it lives, and reads nothing. */
export function fakeCapture(log: (method: FakeCall["method"], request: unknown) => unknown): Capture & FirstOf {
  const events = new Set<string>();
  return {
    async capture(request) {
      log("capture", request);
      return { newMessages: 0, complete: true };
    },
    async firstOf(request) {
      log("firstOf", request);
      if (events.has(request.key)) return false;
      events.add(request.key);
      return true;
    },
  };
}
