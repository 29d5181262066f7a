import { defineConfig } from "vitest/config";

const results = process.env.YORE_TEST_RESULTS;

export default defineConfig({
  test: {
    reporters: results === undefined ? ["default"] : ["default", ["json", { outputFile: results }]],
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/{contract,pins}/**/*.test.ts", "evals/**/*.test.mjs"],
          // Real files and databases take their time on a machine that does other work too.
          testTimeout: 30_000,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: ["test/support/build.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // These start processes by the dozen and wait for them: one file at a time.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
