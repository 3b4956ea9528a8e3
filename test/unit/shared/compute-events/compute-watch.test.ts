/** The messages of a compute that a function follows: the compute is a fake with a WebSocket, and the table is a stand-in. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ComputeWatch, type News } from "../../../../functions/shared/compute-events/compute-watch.ts";
import { FakeCompute } from "../../../helpers/compute/fake-compute.ts";
import { settles } from "../../../helpers/settles.ts";

const service = vi.hoisted(() => ({ readService: vi.fn() }));
const nodes = vi.hoisted(() => ({ getNode: vi.fn(), noteStatus: vi.fn() }));
const projects = vi.hoisted(() => ({ getProject: vi.fn() }));
vi.mock("../../../../functions/shared/store/base/service.ts", async (original) => ({
  ...(await original<object>()),
  ...service,
}));
vi.mock("../../../../functions/shared/store/lab/real-nodes.ts", () => ({ getNode: nodes.getNode }));
vi.mock("../../../../functions/shared/store/lab/node.ts", async (original) => ({
  ...(await original<object>()),
  noteStatus: nodes.noteStatus,
}));
vi.mock("../../../../functions/shared/store/project/project.ts", async (original) => ({
  ...(await original<object>()),
  ...projects,
}));

const PROJECT = "6f1c0f0e-3d55-4b1e-8a43-0d9f2c7a1b10";
const NODE = "0b5a4c1e-7c0d-4a55-9d0e-5b7d6b1e2f01";

let compute: FakeCompute;
let port: number;
let heard: News[];
let watch: ComputeWatch;
/** Nodes that clients see. */
let onCompute: unknown[];
/** The node in the table. */
let stored: Record<string, unknown> | undefined;

const registered = (fields: object = {}) => ({
  computes: [
    { compute_id: "c1", name: "lab", protocol: "http", host: "127.0.0.1", port, revision: 1, ...fields },
  ],
  simvm: { enable: false },
});

beforeEach(async () => {
  vi.stubEnv("COMPUTE_LOOPBACK", "true");
  compute = new FakeCompute();
  port = await compute.start();
  heard = [];
  stored = {
    project_id: PROJECT,
    node_id: NODE,
    status: "started",
    revision: 5,
    document: { compute_id: "c1", node_type: "vpcs" },
  };
  compute.projects.add(PROJECT);
  compute.nodes.set(NODE, {
    project: PROJECT,
    type: "vpcs",
    settings: {},
    status: "stopped",
    nios: new Map(),
    files: "",
  });
  service.readService.mockReset().mockImplementation(async () => registered());
  nodes.getNode.mockReset().mockImplementation(async () => stored);
  nodes.noteStatus.mockReset().mockResolvedValue(true);
  projects.getProject.mockReset().mockResolvedValue({ status: "opened" });
  onCompute = [];
  const nodesOn = async (id: string) => (id === "c1" ? (onCompute as never) : []);
  watch = new ComputeWatch((news) => heard.push(news), nodesOn, { retryMs: 10, loadEveryMs: 0 });
});
afterEach(async () => {
  await watch.close();
  await compute.stop();
  vi.unstubAllEnvs();
});

const until = (condition: () => boolean): Promise<void> =>
  settles(() => expect(condition()).toBe(true), { interval: 5 });
async function follow(): Promise<void> {
  watch.add("c1");
  await until(() => compute.followers === 1);
}
const changed = (event: object = {}) =>
  compute.notify(
    "node.updated",
    { project_id: PROJECT, node_id: NODE, status: "stopped", ...event },
    PROJECT,
  );
/** Messages are handled in their order, so what comes before a log message has been handled when that is heard, or is being stored. */
async function settle(): Promise<void> {
  compute.notify("log.info", { message: "end" });
  await until(() => heard.some(({ event }) => "message" in event && event.message === "end"));
  await watch.close();
}

describe("a compute that is followed", () => {
  test("reports its connection and its load", async () => {
    await follow();
    compute.notify("ping", { cpu_usage_percent: 55, memory_usage_percent: 66 });
    await until(() => heard.length > 1);
    const about = { compute_id: "c1", name: "lab", connected: true, last_error: null };
    expect(heard.map(({ action, event }) => [action, event])).toEqual([
      ["compute.updated", expect.objectContaining({ ...about, cpu_usage_percent: 1 })],
      [
        "compute.updated",
        expect.objectContaining({ ...about, cpu_usage_percent: 55, memory_usage_percent: 66 }),
      ],
    ]);
    expect(heard[1]!.event).not.toHaveProperty("password");
  });

  test("reports log messages, of a project or of all, and nothing that clients do not know", async () => {
    await follow();
    compute.notify("log.error", { message: "VPCS process has stopped", secret: 1 }, PROJECT);
    compute.notify("log.warning", { message: "x".repeat(5_000) });
    compute.notify("node.deleted", { node_id: NODE }, PROJECT);
    compute.notify("log.info", { message: "last" });
    await until(() => heard.length === 4);
    expect(heard.slice(1)).toEqual([
      {
        action: "log.error",
        event: { message: "VPCS process has stopped" },
        computeId: "c1",
        projectId: PROJECT,
      },
      { action: "log.warning", event: { message: "x".repeat(1_000) }, computeId: "c1", projectId: undefined },
      { action: "log.info", event: { message: "last" }, computeId: "c1", projectId: undefined },
    ]);
  });

  test("is followed again after it has closed the stream", async () => {
    await follow();
    compute.dropFollowers();
    await until(() => heard.length >= 3 && compute.followers === 1);
    expect(heard.slice(0, 3).map(({ event }) => (event as { connected: boolean }).connected)).toEqual([
      true,
      false,
      true,
    ]);
  });

  test("is left when it is not wanted any more", async () => {
    await follow();
    watch.keep(new Set());
    await until(() => compute.followers === 0);
    expect(heard).toHaveLength(1);
  });

  test("is not called when it is not registered, as the built-in compute is not, or at an address that is refused", async () => {
    vi.stubEnv("COMPUTE_LOOPBACK", "");
    for (const id of ["c1", "local", "vm", "other"]) watch.add(id);
    await until(() => service.readService.mock.calls.length > 12);
    expect(compute.calls).toEqual([]);
    expect(heard).toEqual([]);
  });
});

describe("a node that has changed on its compute", () => {
  test("before the compute was followed is stored with its status, without a report", async () => {
    onCompute = [stored];
    await follow();
    await until(() => nodes.noteStatus.mock.calls.length > 0);
    expect(nodes.noteStatus.mock.calls).toEqual([[stored, "stopped"]]);
  });

  test("before the compute was followed again is stored, too", async () => {
    onCompute = [stored];
    compute.nodes.get(NODE)!.status = "started";
    await follow();
    await until(() => compute.calls.some((call) => call.startsWith("GET") && call.includes(NODE)));
    compute.nodes.get(NODE)!.status = "stopped";
    compute.dropFollowers();
    await until(() => nodes.noteStatus.mock.calls.length > 0);
    expect(nodes.noteStatus.mock.calls[0]).toEqual([stored, "stopped"]);
  });

  test.each([
    ["is being changed by a request", () => (stored = { ...stored, doing: { what: "start" } })],
    ["is always on", () => (onCompute = [{ ...stored, document: { compute_id: "c1", node_type: "nat" } }])],
    ["cannot be read there", () => compute.refuse(/^GET .*\/nodes\//, 503, "busy")],
    ["cannot be read in the table", () => nodes.getNode.mockRejectedValue(new Error("throttled"))],
  ])("before the compute was followed is left as it is if it %s", async (_title, prepare) => {
    onCompute = [stored];
    prepare();
    await follow();
    await settle();
    expect(nodes.noteStatus).not.toHaveBeenCalled();
  });

  test("is stored with its status", async () => {
    await follow();
    changed();
    await until(() => nodes.noteStatus.mock.calls.length > 0);
    expect(nodes.noteStatus).toHaveBeenCalledWith(stored, "stopped");
  });

  test.each([
    ["has that status already", () => (stored = { ...stored, status: "stopped" }), {}],
    [
      "is on another compute",
      () => (stored = { ...stored, document: { compute_id: "c2", node_type: "vpcs" } }),
      {},
    ],
    ["is being changed by a request", () => (stored = { ...stored, doing: { what: "start" } }), {}],
    ["does not exist", () => (stored = undefined), {}],
    ["has changed since on its compute", () => (compute.nodes.get(NODE)!.status = "started"), {}],
    ["is in a closed project", () => projects.getProject.mockResolvedValue({ status: "closed" }), {}],
    [
      "is in a project that is being deleted",
      () => projects.getProject.mockResolvedValue({ status: "opened", deleting: true }),
      {},
    ],
    ["has no valid id", () => undefined, { node_id: "../x" }],
    ["has no known status", () => undefined, { status: "burning" }],
  ])("is left as it is if it %s", async (_title, prepare, event) => {
    prepare();
    await follow();
    changed(event);
    await settle();
    expect(nodes.noteStatus).not.toHaveBeenCalled();
  });

  test("is stored as the compute has reported it when the compute is too busy to answer", async () => {
    await follow();
    compute.refuse(/^GET .*\/nodes\//, 503, "busy");
    changed();
    await until(() => nodes.noteStatus.mock.calls.length === 1);
    expect(nodes.noteStatus).toHaveBeenCalledWith(stored, "stopped");
  });

  test("is followed further after an error of the table", async () => {
    nodes.getNode.mockRejectedValueOnce(new Error("throttled"));
    await follow();
    changed();
    changed();
    await until(() => nodes.noteStatus.mock.calls.length === 1);
  });
});
