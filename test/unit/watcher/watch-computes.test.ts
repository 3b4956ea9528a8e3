/** When a function follows computes for clients over WebSocket, and when it ends. The store and the computes are stand-ins. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { News } from "../../../functions/shared/compute-events/compute-watch.ts";
import { watchComputes } from "../../../functions/watcher/watch-computes.ts";
import { settles } from "../../helpers/settles.ts";

const mocks = vi.hoisted(() => ({
  takeWatch: vi.fn(),
  leaveWatch: vi.fn(),
  dropWatch: vi.fn(),
  callWatcher: vi.fn(),
  listConnections: vi.fn(),
  sendToAll: vi.fn(),
  readService: vi.fn(),
  readProjects: vi.fn(),
  listComputesOf: vi.fn(),
  listRealNodes: vi.fn(),
}));
vi.mock("../../../functions/shared/store/sockets/watch.ts", () => mocks);
vi.mock("../../../functions/shared/store/sockets/connection.ts", () => mocks);
vi.mock("../../../functions/shared/store/sockets/deliver.ts", () => mocks);
vi.mock("../../../functions/shared/store/base/service.ts", () => mocks);
vi.mock("../../../functions/shared/store/project/read-projects.ts", () => mocks);
vi.mock("../../../functions/shared/store/lab/real-nodes.ts", () => mocks);

const watch = vi.hoisted(() => ({
  kept: [] as string[][],
  isClosed: false,
  hear: (_news: unknown): void => undefined,
  nodesOn: async (_computeId: string): Promise<object[]> => [],
}));
vi.mock("../../../functions/shared/compute-events/compute-watch.ts", () => ({
  ComputeWatch: class {
    constructor(hear: (news: unknown) => void, nodesOn: (computeId: string) => Promise<object[]>) {
      watch.hear = hear;
      watch.nodesOn = nodesOn;
    }
    keep(ids: ReadonlySet<string>) {
      watch.kept.push([...ids]);
    }
    async close() {
      watch.isClosed = true;
    }
  },
}));

const onService = { channel: "serviceNotifications", params: {} };
const onProject = (project_id: string) => ({ channel: "projectNotifications", params: { project_id } });
const onConsole = { channel: "nodeConsole", params: { project_id: "p1" } };

let connections: object[];
let projects: object[];
/** Calls this before each look for clients. */
let beforeLook: (look: number) => void;
let remainingTimeMs: number;
let looks: number;

beforeEach(() => {
  for (const mock of Object.values(mocks)) mock.mockReset();
  Object.assign(watch, { kept: [], isClosed: false });
  connections = [];
  projects = [];
  beforeLook = () => undefined;
  remainingTimeMs = 300_000;
  looks = 0;
  mocks.takeWatch.mockResolvedValue({ holder: "me", wanted: 1 });
  mocks.leaveWatch.mockResolvedValue(true);
  mocks.sendToAll.mockResolvedValue(undefined);
  mocks.listConnections.mockImplementation(async () => {
    looks += 1;
    beforeLook(looks);
    return connections;
  });
  mocks.readService.mockImplementation(async () => ({
    computes: [{ compute_id: "c1" }, { compute_id: "c2" }],
  }));
  mocks.readProjects.mockImplementation(async (_access, ids: string[]) =>
    projects.filter((each) => ids.includes((each as { project_id: string }).project_id)),
  );
  mocks.listComputesOf.mockImplementation(async () => new Set(["c1"]));
});

const run = () => watchComputes({ id: "me", remainingTimeMs: () => remainingTimeMs, pollMs: 1 });
const leaveAt = (look: number): void => {
  beforeLook = (at) => {
    if (at === look) connections = [];
  };
};

describe("the watcher", () => {
  test("ends at once without clients, or with such as follow no registered compute", async () => {
    expect(await run()).toBe(0);
    connections = [onConsole, onProject("p1"), onProject("gone")];
    projects = [{ project_id: "p1", contents: 3 }];
    expect(await run()).toBe(0);
    expect(watch.kept).toEqual([]);
    expect(mocks.callWatcher).not.toHaveBeenCalled();
  });

  test("leaves the work to the function that has the lease", async () => {
    connections = [onService];
    mocks.takeWatch.mockResolvedValue(undefined);
    expect(await run()).toBeUndefined();
    expect(looks).toBe(0);
  });

  test("follows all computes for a client of the service, until it has left", async () => {
    connections = [onService];
    leaveAt(3);
    expect(await run()).toBe(0);
    expect(watch.kept).toEqual([["c1", "c2"], ["c1", "c2"], []]);
    expect(watch.isClosed).toBe(true);
  });

  test("follows the computes of a client's project, whose nodes it reads again when something was added", async () => {
    connections = [onProject("p1")];
    projects = [{ project_id: "p1", on_computes: true, contents: 1 }];
    beforeLook = (look) => {
      if (look === 3) projects = [{ project_id: "p1", on_computes: true, contents: 2 }];
      if (look === 4) connections = [];
    };
    await run();
    expect(watch.kept).toEqual([["c1"], ["c1"], ["c1"], []]);
    expect(mocks.listComputesOf).toHaveBeenCalledTimes(2);
  });

  test("knows the nodes of its clients' projects on a compute", async () => {
    connections = [onProject("p1"), onProject("p2")];
    projects = ["p1", "p2", "p3"].map((project_id) => ({ project_id, on_computes: true }));
    const nodes = ["c1", "c2"].map((compute_id) => ({ document: { compute_id } }));
    mocks.listRealNodes.mockImplementation(async (id: string) => nodes.map((node) => ({ ...node, id })));
    leaveAt(2);
    let found: object[] = [];
    const before = beforeLook;
    beforeLook = (look) => {
      if (look === 2) void watch.nodesOn("c1").then((all) => (found = all));
      before(look);
    };
    await run();
    expect(found).toEqual(["p1", "p2"].map((id) => ({ document: { compute_id: "c1" }, id })));
  });

  test("looks again if it was wanted before it has let go", async () => {
    mocks.leaveWatch.mockResolvedValueOnce(false);
    beforeLook = (look) => {
      connections = look === 2 ? [onService] : [];
    };
    await run();
    expect(watch.kept).toEqual([["c1", "c2"], []]);
    expect(mocks.leaveWatch).toHaveBeenCalledTimes(2);
  });

  test("calls itself when its time is over", async () => {
    connections = [onService];
    remainingTimeMs = 5_000;
    expect(await run()).toBe(2);
    expect(mocks.dropWatch).toHaveBeenCalledTimes(1);
    expect(mocks.callWatcher).toHaveBeenCalledTimes(1);
    expect(mocks.leaveWatch).not.toHaveBeenCalled();
    expect(watch.isClosed).toBe(true);
  });

  test("lets go after an error, so that the repeated call can go on", async () => {
    mocks.listConnections.mockRejectedValue(new Error("throttled"));
    await expect(run()).rejects.toThrow("throttled");
    expect(mocks.dropWatch).toHaveBeenCalledTimes(1);
  });

  test("sends a log message to a client that has connected since the last look for clients", async () => {
    connections = [onProject("p1")];
    projects = ["p1", "p2"].map((project_id) => ({ project_id, on_computes: true }));
    const slow = watchComputes({ id: "me", remainingTimeMs: () => remainingTimeMs, pollMs: 100_000 });
    await settles(() => expect(watch.kept).toHaveLength(1));
    connections = [onProject("p1"), onProject("p2")];
    watch.hear({ action: "log.error", event: {}, computeId: "c1", projectId: "p2" } satisfies News);
    await settles(() =>
      expect(mocks.sendToAll).toHaveBeenCalledWith("p2", '{"action":"log.error","event":{}}'),
    );
    void slow;
  });

  test("shares a look for clients between log messages that come during another one", async () => {
    connections = [onProject("p1")];
    projects = [{ project_id: "p1", on_computes: true }];
    void watchComputes({ id: "me", remainingTimeMs: () => remainingTimeMs, pollMs: 100_000 });
    await settles(() => expect(watch.kept).toHaveLength(1));
    for (let count = 0; count < 50; count++)
      watch.hear({ action: "log.info", event: { count }, computeId: "c1", projectId: "p1" } satisfies News);
    await settles(() => expect(mocks.sendToAll).toHaveBeenCalledTimes(50));
    expect(looks).toBe(2);
    const counts = mocks.sendToAll.mock.calls.map(([, text]) => JSON.parse(text).event.count);
    expect(counts).toEqual(Array.from({ length: 50 }, (_, count) => count));
  });

  test("ends when the reports have been sent", async () => {
    connections = [onProject("p1")];
    projects = [{ project_id: "p1", on_computes: true }];
    let sent = false;
    mocks.sendToAll.mockImplementation(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      sent = true;
    });
    beforeLook = (look) => {
      if (look === 2)
        watch.hear({ action: "log.info", event: {}, computeId: "c1", projectId: "p1" } satisfies News);
      if (look === 4) connections = [];
    };
    await run();
    expect(sent).toBe(true);
  });

  test("sends each report to the clients that it concerns", async () => {
    connections = [onService, onProject("p1"), onProject("p2")];
    projects = ["p1", "p2"].map((project_id) => ({ project_id, on_computes: true }));
    mocks.listComputesOf.mockImplementation(async (id: string) => new Set([id === "p1" ? "c1" : "c2"]));
    const say = (action: string, computeId: string, projectId?: string): void =>
      watch.hear({ action, event: {}, computeId, projectId } satisfies News);
    beforeLook = (look) => {
      if (look === 2) {
        say("compute.updated", "c1");
        say("log.info", "c1");
        say("log.info", "c2", "p2");
        // A compute that reports about a lab of another one.
        say("log.info", "c2", "p1");
      } else if (look === 5) connections = [];
    };
    await run();
    expect(mocks.sendToAll.mock.calls).toEqual([
      ["", '{"action":"compute.updated","event":{}}'],
      ["p1", '{"action":"log.info","event":{}}'],
      ["p2", '{"action":"log.info","event":{}}'],
    ]);
  });
});
