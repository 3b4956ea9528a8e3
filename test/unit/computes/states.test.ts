/** The states of registered computes that clients see. The computes and the table are stand-ins. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { statesOf } from "../../../functions/computes/states.ts";
import type { ComputeItem } from "../../../functions/shared/store/base/service.ts";
import { AnsweringCompute } from "../../helpers/rig/answering-compute.ts";
import { settles } from "../../helpers/settles.ts";

const store = vi.hoisted(() => ({ readComputeStates: vi.fn(), putComputeState: vi.fn() }));
vi.mock("../../../functions/shared/store/base/compute-state.ts", () => store);

const NOW = 1_800_000_000_000;
const CAPABILITIES = { node_types: ["vpcs", "teleporter", "qemu"], platform: "linux", version: "2.2.59" };
const STATISTICS = { cpu_usage_percent: 12.5, memory_usage_percent: 40, swap_used: 0 };

let compute: AnsweringCompute;
beforeAll(async () => {
  vi.stubEnv("COMPUTE_LOOPBACK", "true");
  compute = await AnsweringCompute.start();
});
afterAll(() => {
  vi.unstubAllEnvs();
  compute.stop();
});
beforeEach(() => {
  compute.asked.length = 0;
  compute.replies["GET /capabilities"] = { body: CAPABILITIES };
  compute.replies["GET /statistics"] = { body: STATISTICS };
  store.readComputeStates.mockReset().mockResolvedValue(new Map());
  store.putComputeState.mockReset();
});

const itemAt = (port: number, fields: Partial<ComputeItem> = {}) =>
  ({
    compute_id: "c1",
    name: "lab-1",
    protocol: "http",
    host: "127.0.0.1",
    port,
    revision: 3,
    created_us: 0,
    ...fields,
  }) as ComputeItem;
const stateOf = async (item = itemAt(compute.peer.port)) => (await statesOf([item], NOW)).get("c1");

const away = (last_error: unknown) => ({
  capabilities: { node_types: [], version: null },
  connected: false,
  cpu_usage_percent: null,
  last_error,
  memory_usage_percent: null,
});

test("a compute that answers is connected, with its capabilities and load, which are stored", async () => {
  const state = {
    capabilities: { node_types: ["vpcs", "qemu"], platform: "linux", version: "2.2.59" },
    connected: true,
    cpu_usage_percent: 12.5,
    last_error: null,
    memory_usage_percent: 40,
  };
  expect(await stateOf()).toEqual(state);
  expect(store.putComputeState).toHaveBeenCalledWith({
    compute_id: "c1",
    revision: 3,
    state,
    checked_ms: NOW,
  });
});

test("a compute that is away is not connected, with the reason", async () => {
  expect(await stateOf(itemAt(1))).toEqual(away(expect.stringContaining("lab-1")));
});

test.each([
  ["refuses the password", { status: 401, body: "" }, "does not accept the user and the password"],
  ["returns no JSON", { body: "<html>" }, "is not a GNS3 server"],
  ["returns other JSON", { body: [] }, "is not a GNS3 server of version 2.2"],
  [
    "has another version",
    { body: { ...CAPABILITIES, version: "3.0.6" } },
    "has version 3.0.6; 2.2 is needed",
  ],
])("a compute that %s is not connected", async (_what, reply, reason) => {
  compute.replies["GET /capabilities"] = reply;
  expect(await stateOf()).toEqual(away(expect.stringContaining(reason)));
});

const kept = (fields: object) =>
  store.readComputeStates.mockResolvedValue(
    new Map([
      ["c1", { compute_id: "c1", revision: 3, state: away("kept"), checked_ms: NOW - 4_999, ...fields }],
    ]),
  );

test("a compute that answered some seconds ago is not asked again", async () => {
  kept({});
  expect(await stateOf()).toEqual(away("kept"));
  expect(compute.asked).toEqual([]);
});

test.each([
  ["after five seconds", { checked_ms: NOW - 5_000 }],
  ["when its address has changed", { revision: 2 }],
])("a compute is asked again %s", async (_when, fields) => {
  kept(fields);
  expect(await stateOf()).toMatchObject({ connected: true });
});

test("without registered computes, nothing is read", async () => {
  expect(await statesOf([], NOW)).toEqual(new Map());
  expect(store.readComputeStates).not.toHaveBeenCalled();
});

test("computes that do not answer in time are away, and a list waits 3 s for all together", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  compute.replies["GET /capabilities"] = { isSilent: true };
  const items = Array.from({ length: 40 }, (_, index) =>
    itemAt(compute.peer.port, { compute_id: `c${index}` }),
  );
  const listed = statesOf(items, NOW);
  await settles(() => expect(compute.asked.length).toBeGreaterThan(0));
  await vi.advanceTimersByTimeAsync(3_000);
  const states = await listed;
  vi.useRealTimers();
  expect(states.size).toBe(40);
  for (const state of states.values()) expect(state).toEqual(away(expect.any(String)));
  expect(store.putComputeState).toHaveBeenCalledTimes(40);
});
