/** GET /labs/sweep/{sweep_id}: the sum of what has been played, and why the rest has not. */
import { beforeEach, expect, test, vi } from "vitest";
import type { ExecutionState } from "../../../functions/shared/store/base/executions.ts";

const objects = new Map<string, Uint8Array>();
let state: ExecutionState;
vi.mock("../../../functions/shared/store/base/objects.ts", () => ({
  readObject: async (key: string) => objects.get(key),
  putObject: async (key: string, bytes: Uint8Array) => objects.set(key, bytes),
  listObjects: async (prefix: string) => ({
    objects: [...objects.keys()].filter((key) => key.startsWith(prefix)).map((key) => ({ key })),
    isLast: true,
  }),
}));
vi.mock("../../../functions/shared/store/base/executions.ts", () => ({ executionState: async () => state }));
const { getSweep } = await import("../../../functions/labs/get-sweep.ts");
const { saveInput, saveResult, sweepFolder } = await import(
  "../../../functions/shared/lab-file/stored-sweep.ts"
);

const sweep = sweepFolder("ann", "one");
const request = { access: { caller: { name: "ann" } }, params: { sweep_id: "one" } } as never;
const read = async () => (await getSweep(request)).body;

beforeEach(async () => {
  objects.clear();
  await saveInput(sweep, { file: "", settings: { seed: "x", seeds: 3 }, cases: 3 });
  await saveResult({ sweep, batch: 0 }, { passed: 1, failed: 0, undecided: 0, failing: [] });
  await saveResult({ sweep, batch: 2 }, { passed: 0, failed: 1, undecided: 0, failing: [] });
});

test.each<[ExecutionState, string]>([
  ["timed-out", "The time of a sweep, 30 minutes, was over after 2 of 3 cases; sweep fewer seeds"],
  ["failed", "The sweep ended after 2 of 3 cases, because a case could not be played; start it again"],
  ["absent", "The sweep ended after 2 of 3 cases; start it again"],
])(
  "an execution that is %s with a case missing has failed, and the error has the cases that were played",
  async (ended, error) => {
    state = ended;
    expect(await read()).toMatchObject({ status: "failed", error: expect.stringContaining(error) });
    expect(await read()).toMatchObject({ cases: 3, done: 2, passed: 1, failed: 1 });
  },
);

test.each<ExecutionState>(["running", "cancelled"])("a sweep that is %s has no error", async (now) => {
  state = now;
  expect(await read()).toMatchObject({ status: now, error: null, done: 2 });
});

test("a sweep with all cases has finished, also when its execution is forgotten", async () => {
  await saveResult({ sweep, batch: 1 }, { passed: 1, failed: 0, undecided: 0, failing: [] });
  state = "absent";
  expect(await read()).toMatchObject({ status: "finished", error: null, done: 3 });
});
