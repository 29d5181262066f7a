import type { Vectoring, VectorStates } from "../../src/service/vectors-api.ts";

const VECTOR_STATES: VectorStates = {
  observations: 1_200,
  chosen: "static",
  engines: [
    { engine: "static/0a1b/1", dims: 192, covered: 1_200, bytes: 240_000, isAsked: true },
    { engine: "minilm/all-MiniLM-L6-v2", dims: 384, covered: 300, bytes: 118_000, isAsked: false },
  ],
};

/** Vectors of two engines, and a run that fails halfway. */
export function fakeVectors(log: (method: keyof Vectoring, request?: unknown) => void): Vectoring {
  return {
    async vectors() {
      return VECTOR_STATES;
    },
    async planVectors(request) {
      log("planVectors", request);
      const isSent = request.engine.engine === "openai-compatible";
      return {
        engine: "some/model",
        to: "a model",
        isSent,
        observations: 900,
        tokens: isSent ? 270_000 : 0,
        isAll: false,
      };
    },
    async makeVectors(request) {
      log("makeVectors", request);
      return {
        engine: "some/model",
        to: "a model",
        outcome: "failed",
        embedded: 300,
        left: 600,
        seconds: 60,
        tokens: 90_000,
        problem: { message: "The endpoint refused the key (401).", hint: "Check OPENAI_API_KEY." },
      };
    },
    async useVectors(choice) {
      log("useVectors", choice);
    },
    async dropVectors(request = {}) {
      log("dropVectors", request);
      return { observations: request.engine === undefined ? 1_500 : 300 };
    },
  };
}
