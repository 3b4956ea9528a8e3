import { defineConfig } from "vitest/config";

/** Where .ci/run wants the counts. */
const results = process.env.WIRELAB_TEST_RESULTS;

/** Each fault at each call of each route. */
const FAULTS = "test/integration/call-faults.test.ts";

export default defineConfig({
  test: {
    reporters: results ? ["default", ["json", { outputFile: results }]] : ["default"],
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts", "test/proof/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "service",
          include: ["test/contract/**/*.test.ts", "test/integration/**/*.test.ts"],
          exclude: [FAULTS],
          globalSetup: ["test/helpers/local-stack.ts"],
          // The files share one service, whose settings and list of projects are the same for all.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // It waits most of its ten minutes, for calls that are not answered: beside the others, not among them.
        test: {
          name: "faults",
          include: [FAULTS],
          globalSetup: ["test/helpers/local-stack.ts"],
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
