/** When a run ends: the limit is its own processor time, not wall time on a busy machine. */

import { typeCommands } from "@wirelab/engine/simulation/actions";
import { ConsoleSession } from "@wirelab/engine/simulation/console-session";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SERVICE } from "../../../../functions/shared/edge/access.ts";
import { runLab } from "../../../../functions/shared/run/run-lab.ts";
import type { NodeItem } from "../../../../functions/shared/store/lab/node.ts";

const { commit, info, readItems } = vi.hoisted(() => ({
  commit: vi.fn(),
  info: vi.fn(),
  readItems: vi.fn(),
}));
vi.mock("../../../../functions/shared/edge/log.ts", () => ({ logger: { info } }));
vi.mock("../../../../functions/shared/run/commit.ts", () => ({ commit }));
vi.mock("../../../../functions/shared/store/contents/read.ts", () => ({ readItems, readTopology: vi.fn() }));

const MAX_EVENTS = 5_000;

const PC: NodeItem = {
  project_id: "p",
  node_id: "n",
  name: "PC1",
  status: "started",
  document: { node_type: "vpcs", compute_id: "local", properties: {} } as NodeItem["document"],
  links: {},
  wiring: 0,
  index: 0,
  revision: 1,
  created_us: 1,
};

/** A PC that pings itself, without end by default. */
const run = (remainingTimeMs = () => 29_000, ping = "ping 10.0.0.1 -t") =>
  runLab(
    SERVICE,
    "p",
    {
      read: { nodes: ["n"] },
      schedule(simulation) {
        const commands = ["ip 10.0.0.1/24", ping];
        simulation.schedule(0, typeCommands(new ConsoleSession("n", commands)));
      },
    },
    remainingTimeMs,
  );

/** A clock that advances by this time at each reading. */
function passing(milliseconds: number): () => number {
  let nowMs = 0;
  return () => {
    nowMs += milliseconds;
    return nowMs;
  };
}

beforeEach(() => {
  vi.stubEnv("RUN_MAX_EVENTS", String(MAX_EVENTS));
  const project = { project_id: "p", name: "lab", status: "opened", settings: { variables: [] } };
  readItems.mockResolvedValue({ project, nodes: new Map([["n", PC]]), links: new Map() });
  info.mockReset();
  commit.mockReset().mockResolvedValue(true);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test("the time that other work takes of the machine does not count towards a run's limit", async () => {
  vi.spyOn(performance, "now").mockImplementation(passing(10_000));
  const { simulation } = await run();
  expect(simulation.stopped).toEqual({ reason: "limit", limit: "events" });
  expect(simulation.events).toBe(MAX_EVENTS);
});

test("a run that stops at a limit is logged", async () => {
  await run();
  const facts = { project_id: "p", limit: "events", events: MAX_EVENTS, packets: 0 };
  expect(info).toHaveBeenCalledExactlyOnceWith("A run stopped at a limit", facts);
});

test("a run ends at its limit of processor time", async () => {
  const readMs = passing(10_000);
  vi.spyOn(process, "threadCpuUsage").mockImplementation(() => ({ user: readMs() * 1_000, system: 0 }));
  const { simulation } = await run();
  expect(simulation.stopped).toEqual({ reason: "limit", limit: "cpu_seconds" });
});

test("a run that exceeds the request's time is rolled back, not shortened", async () => {
  let leftMs = 20_000;
  const attempt = run(() => {
    leftMs -= 5_000;
    return leftMs;
  });
  await expect(attempt).rejects.toMatchObject({ code: "request.out-of-time", status: 503 });
  expect(commit).not.toHaveBeenCalled();
});

test("a short run ends before the long ones that began before it in the same process, and the long ones end, too", async () => {
  vi.stubEnv("RUN_MAX_EVENTS", "250000");
  vi.stubEnv("RUN_MAX_OUTPUT_CHARACTERS", "100000000");
  const ended: string[] = [];
  const end = (name: string) => () => ended.push(name);
  const long = [run().then(end("first long")), run().then(end("second long"))];
  await run(undefined, "ping 10.0.0.1 -c 1").then(end("short"));
  await Promise.all(long);
  expect(ended[0]).toBe("short");
  expect(ended).toHaveLength(3);
});
