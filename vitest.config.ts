import { defineConfig } from "vitest/config";
import { propertyFactor } from "./test/helpers/properties/factor.ts";

/** Where .ci/run wants the counts. */
const results = process.env.WIRELAB_TEST_RESULTS;

/** How many files run at once: one more than two processors carry, for most tests of the service wait most of their time. */
const maxWorkers = 3;

/** A test that has not ended by then hangs. Tests beside others, on two processors, take ten times as long as alone. */
const HANG_MS = 240_000;

/** What a page or a service shows in the end, it may show late. */
const expectPatiently = { poll: { timeout: 120_000, interval: 100 } };

/** Faults at each call of each route, deaths of functions in the middle of each, hostile input, each role at each route, Linux nodes, and loads: minutes for each file. */
const FAULTS = [
  "call-faults/*",
  "compute-faults",
  "deletions",
  "faults",
  "guest-copies",
  "guests-killed",
  "hang-ups",
  "interrupted",
  "large-labs",
  "lab-faults",
  "linux-consoles",
  "linux-nodes",
  "load",
  "lost-answers",
  "odd-input",
  "ownership",
  "roles",
  "sweeper",
].map((name) => `test/integration/${name}.test.ts`);

/** They synthesize the stack for many contexts. */
const STACK = "test/unit/infra/*.test.ts";

/** How many times its usual number of runs each property has: `npm run test:properties`. */
const factor = propertyFactor();

const moreRuns = factor === 1 ? [] : ["test/helpers/properties/setup.ts"];
const setupFiles = ["test/helpers/stack/log-lines.ts", ...moreRuns];

export default defineConfig({
  test: {
    // Logs of faults that a test causes on purpose are shown with the test, when it fails.
    silent: "passed-only",
    reporters: results ? ["default", ["json", { outputFile: results }]] : ["default"],
    maxWorkers,
    // The projects begin in the order of their names.
    projects: [
      {
        test: {
          // Starts services of its own; each test is skipped if its client is missing.
          name: "clients",
          expect: expectPatiently,
          setupFiles,
          include: ["test/clients/**/*.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // A browser and a service are enough for two processors.
          fileParallelism: false,
        },
      },
      {
        test: {
          // Starts gns3-servers and services; skipped if their programs are missing.
          name: "computes",
          expect: expectPatiently,
          setupFiles,
          include: ["test/computes/**/*.test.ts"],
          testTimeout: HANG_MS,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "contexts",
          expect: expectPatiently,
          include: ["test/contexts/**/*.test.ts"],
          testTimeout: 900_000,
        },
      },
      {
        test: {
          name: "faults",
          expect: expectPatiently,
          setupFiles,
          include: FAULTS,
          globalSetup: ["test/helpers/stack/local-stack.ts"],
          testTimeout: HANG_MS,
          hookTimeout: 300_000,
          maxWorkers,
        },
      },
      {
        test: {
          // Runs Linux guests; each test is skipped if its image is missing.
          name: "linux",
          expect: expectPatiently,
          include: ["test/linux/**/*.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          // Guests compute while the tests of faults wait.
          maxWorkers,
        },
      },
      {
        test: {
          // Skipped without chromium.
          name: "page",
          expect: expectPatiently,
          setupFiles,
          include: ["test/page/**/*.test.ts"],
          globalSetup: ["test/helpers/page/shared.ts"],
          testTimeout: HANG_MS,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "service",
          expect: expectPatiently,
          setupFiles,
          include: ["test/contract/**/*.test.ts", "test/integration/**/*.test.ts"],
          exclude: FAULTS,
          // A stack for each worker: the settings and the list of projects of one are the same for all who use it.
          globalSetup: ["test/helpers/stack/local-stack.ts"],
          testTimeout: HANG_MS,
          // Some synthesize a stack of their own, which is computing, while the other workers compute as well.
          hookTimeout: 300_000,
          maxWorkers,
        },
      },
      {
        test: {
          name: "unit",
          expect: expectPatiently,
          setupFiles,
          include: ["test/unit/**/*.test.ts", "test/proof/**/*.test.ts"],
          exclude: ["test/unit/engine/**", STACK],
          testTimeout: HANG_MS * factor,
          hookTimeout: 120_000,
          maxWorkers,
        },
      },
      {
        test: {
          // The files share the modules of the CDK, and the templates that test/helpers/stack/stack.ts has synthesized.
          name: "unit-stack",
          expect: expectPatiently,
          setupFiles,
          include: [STACK],
          isolate: false,
          testTimeout: HANG_MS,
          hookTimeout: 300_000,
          maxWorkers,
        },
      },
      {
        test: {
          name: "unit-engine",
          expect: expectPatiently,
          setupFiles: moreRuns,
          include: ["test/unit/engine/**/*.test.ts"],
          // The engine is pure: its files can share the process and the modules that are loaded.
          isolate: false,
          testTimeout: HANG_MS * factor,
          hookTimeout: 120_000,
          maxWorkers,
        },
      },
    ],
  },
});
