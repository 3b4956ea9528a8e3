/**
 * Functions that die at a call to a compute: before the compute has got it, or after it has carried it out. The next request, or the sweeper,
 * finishes the work, and then the table and the compute agree: everything has happened, or nothing. A run of the tests draws the calls.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { SERVICE } from "../../functions/shared/edge/access.ts";
import { drawOf } from "../helpers/cases/draw.ts";
import { FakeCompute } from "../helpers/compute/fake-compute.ts";
import { perform, useServiceStores } from "../helpers/service/in-process.ts";
import { addLink, addNode, client, end, freshName, type Lab, makeLab } from "../helpers/service/lab.ts";

const AFTER_THE_LEASE_MS = 60_000;
const MOST_CALLS = 12;

const compute = new FakeCompute();
let compute_id = "";
let lab: Lab;
let operations: Awaited<ReturnType<typeof load>>;
let sweeper: Awaited<ReturnType<typeof loadSweeper>>;

async function load() {
  const [create, update, remove, power, links, change, cut, copy, capture, real, realLinks, read] =
    await Promise.all([
      import("../../functions/nodes/create-node.ts"),
      import("../../functions/nodes/update-node.ts"),
      import("../../functions/nodes/delete-node.ts"),
      import("../../functions/runs/power.ts"),
      import("../../functions/links/create-link.ts"),
      import("../../functions/links/update-link.ts"),
      import("../../functions/links/delete-link.ts"),
      import("../../functions/actions/duplicate-node.ts"),
      import("../../functions/links/capture.ts"),
      import("../../functions/shared/compute/nodes.ts"),
      import("../../functions/shared/compute/links.ts"),
      import("../../functions/shared/store/contents/read.ts"),
    ]);
  return {
    ...create,
    ...update,
    ...remove,
    ...power,
    ...links,
    ...change,
    ...cut,
    ...copy,
    ...capture,
    readSettled: real.readSettled,
    readSettledLink: realLinks.readSettledLink,
    readTopology: read.readTopology,
  };
}

async function loadSweeper() {
  const [{ sweep }, { sweepOneProject }, { getProject }, { readDeedPage }] = await Promise.all([
    import("../../functions/sweeper/sweep.ts"),
    import("../../functions/sweeper/sweep-project.ts"),
    import("../../functions/shared/store/project/project.ts"),
    import("../../functions/shared/store/sweep/left-deeds.ts"),
  ]);
  return { sweep, sweepOneProject, getProject, readDeedPage };
}

beforeAll(async () => {
  useServiceStores();
  vi.stubEnv("COMPUTE_LOOPBACK", "true");
  operations = await load();
  sweeper = await loadSweeper();
  const body = {
    protocol: "http",
    host: "127.0.0.1",
    port: await compute.start(),
    name: freshName("compute"),
  };
  compute_id = (await client.post("/computes", body)).json.compute_id;
});

afterAll(async () => {
  vi.useRealTimers();
  await client.delete(`/computes/${compute_id}`);
  await compute.stop();
});

beforeEach(async () => {
  lab = await makeLab();
});

const pc = (name: string) => addNode(lab, { name, compute_id });

/** Runs an operation whose function dies at the call. @returns false when the operation has no such call. */
async function dieAt(
  call: number,
  when: "before" | "after",
  operation: () => Promise<unknown>,
): Promise<boolean> {
  const died = compute.interrupt(call, when).then(() => true);
  const ended = operation().then(() => false);
  // The function goes on in this process: its call fails later, when another request has taken over.
  ended.catch(() => {});
  return Promise.race([died, ended]);
}

/** Finishes what is left, as the next request for each node and link does when no function can be alive any more. */
async function finish(): Promise<void> {
  compute.accept();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + AFTER_THE_LEASE_MS });
  try {
    const { nodes, links } = await operations.readTopology(SERVICE, lab.projectId, "topology");
    const isGone = (error: { code?: string }) => expect(error.code).toMatch(/not-found$/);
    for (const { node_id } of nodes)
      await operations.readSettled(SERVICE, lab.projectId, node_id).catch(isGone);
    for (const { link_id } of links)
      await operations.readSettledLink(SERVICE, lab.projectId, link_id).catch(isGone);
  } finally {
    vi.useRealTimers();
  }
}

/** Sweeps, when no function can be alive any more. */
async function sweep(): Promise<void> {
  compute.accept();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + AFTER_THE_LEASE_MS });
  try {
    const remainingTimeMs = () => 600_000;
    // Neither projects nor objects.
    await sweeper.sweep({
      nowMs: Date.now(),
      abandonedMs: Number.MAX_VALUE,
      remainingTimeMs,
      maxPages: 0,
    });
  } finally {
    vi.useRealTimers();
  }
}

/** Expects the nodes, their settings and their connected ports to be the same in the table and on the compute. */
async function expectAgreement(): Promise<void> {
  const { nodes, links } = await operations.readTopology(SERVICE, lab.projectId, "topology");
  expect([...nodes, ...links].filter(({ doing }) => doing !== undefined)).toEqual([]);
  const own = [...compute.nodes].filter(([, { project }]) => project === lab.projectId);
  expect(own.map(([id]) => id).toSorted()).toEqual(nodes.map(({ node_id }) => node_id).toSorted());
  for (const node of nodes) {
    const there = compute.nodes.get(node.node_id)!;
    expect([node.name, node.status]).toEqual([there.settings.name, there.status]);
    if (nodes.some((each) => compute.nodes.get(each.node_id)!.files === "saved"))
      expect(there.files).toBe("saved");
    expect(Object.keys(node.links).map((port) => port.replace("_", "/"))).toEqual([...there.nios.keys()]);
  }
  for (const { document, tunnel } of links) {
    const nios = document.nodes.map(({ node_id }) => compute.nio(node_id)!);
    expect(nios).toMatchObject([...tunnel!]);
    expect(nios[0]!.filters).toEqual(document.filters);
  }
  const isOwn = (port: string) => nodes.some(({ node_id }) => port.startsWith(node_id));
  const capturing = links.flatMap(({ capture }) =>
    capture ? [`${capture.at!.node_id}/adapters/0/ports/0`] : [],
  );
  expect(compute.captures.running.filter(isOwn)).toEqual(capturing);
  for (const { link_id } of links) await expectPackets(`${lab.path}/links/${link_id}`);
}

/** Expects each capture of a link to have all packets, when it is stopped. */
async function expectPackets(link: string): Promise<void> {
  expect((await client.post(`${link}/stop_capture`)).status).toBe(201);
  for (const { packets, status } of (await client.get(`${link}/captures`)).json)
    expect([status, packets]).toEqual(["stopped", recorded]);
}

interface Scenario {
  /** Prepares the lab and returns what the dying function does. */
  readonly make: () => Promise<() => Promise<unknown>>;
}

/** How many packets are recorded before a function dies. */
let recorded = 0;

/** Makes two nodes with a link, and a capture with packets on the first one. */
async function makeCapture() {
  const [first, second] = [await pc("PC1"), await pc("PC2")];
  await client.post(`${lab.path}/nodes/${first}/start`);
  const link_id = await addLink(lab, [end(first), end(second)]);
  await client.post(`${lab.path}/links/${link_id}/start_capture`, {});
  const packet = { seconds: 1, nanoseconds: 0, data: new Uint8Array(60), originalLength: 60 };
  compute.captures.record(first, [packet, packet]);
  recorded = 2;
  return { node_id: first, link_id };
}

const firstCapture = async (linkId: string): Promise<string> =>
  (await client.get(`${lab.path}/links/${linkId}/captures`)).json[0].capture_id;

const inProject = () => ({ project_id: lab.projectId });

const SCENARIOS: Readonly<Record<string, Scenario["make"]>> = {
  "creates the first node": async () => () =>
    perform(operations.createNode, {
      params: inProject(),
      body: { name: "PC1", node_type: "vpcs", compute_id },
    }),
  "duplicates a node": async () => {
    const node_id = await pc("PC1");
    compute.nodes.get(node_id)!.files = "saved";
    return () =>
      perform(operations.duplicateNode, { params: { ...inProject(), node_id }, body: { x: 0, y: 0 } });
  },
  "starts a node": async () => {
    const node_id = await pc("PC1");
    return () => perform(operations.startNode, { params: { ...inProject(), node_id } });
  },
  "reloads a node": async () => {
    const node_id = await pc("PC1");
    await client.post(`${lab.path}/nodes/${node_id}/start`);
    return () => perform(operations.reloadNode, { params: { ...inProject(), node_id } });
  },
  "renames a node": async () => {
    const node_id = await pc("PC1");
    return () =>
      perform(operations.updateNode, { params: { ...inProject(), node_id }, body: { name: "OTHER" } });
  },
  "deletes a node with a link": async () => {
    const ids = [await pc("PC1"), await pc("PC2")];
    await addLink(
      lab,
      ids.map((id) => end(id)),
    );
    return () => perform(operations.deleteNode, { params: { ...inProject(), node_id: ids[0] } });
  },
  "creates a link": async () => {
    const ids = [await pc("PC1"), await pc("PC2")];
    const body = { nodes: ids.map((id) => end(id)), filters: { delay: [30] } };
    return () => perform(operations.createLink, { params: inProject(), body });
  },
  "changes filters": async () => {
    const ids = [await pc("PC1"), await pc("PC2")];
    const ends = ids.map((id) => end(id));
    const link_id = await addLink(lab, ends, { filters: { delay: [30] } });
    return () =>
      perform(operations.updateLink, {
        params: { ...inProject(), link_id },
        body: { filters: { packet_loss: [50] } },
      });
  },
  "deletes a link": async () => {
    const ids = [await pc("PC1"), await pc("PC2")];
    const link_id = await addLink(
      lab,
      ids.map((id) => end(id)),
    );
    return () => perform(operations.deleteLink, { params: { ...inProject(), link_id } });
  },
  "starts a capture": async () => {
    const { link_id } = await makeCapture();
    await client.post(`${lab.path}/links/${link_id}/stop_capture`);
    await client.delete(`${lab.path}/links/${link_id}/captures/${await firstCapture(link_id)}`);
    recorded = 0;
    return () => perform(operations.startCapture, { params: { ...inProject(), link_id }, body: {} });
  },
  "starts a capture where an earlier one runs": async () => {
    const { node_id, link_id } = await makeCapture();
    await client.post(`${lab.path}/links/${link_id}/stop_capture`);
    await client.delete(`${lab.path}/links/${link_id}/captures/${await firstCapture(link_id)}`);
    compute.captures.start(`${node_id}/adapters/0/ports/0`, "left.pcap");
    recorded = 0;
    return () => perform(operations.startCapture, { params: { ...inProject(), link_id }, body: {} });
  },
  "stops a capture": async () => {
    const { link_id } = await makeCapture();
    return () => perform(operations.stopCapture, { params: { ...inProject(), link_id } });
  },
  "stops a node that captures": async () => {
    const { node_id } = await makeCapture();
    return () => perform(operations.stopNode, { params: { ...inProject(), node_id } });
  },
  "deletes a link that captures": async () => {
    const { link_id } = await makeCapture();
    return () => perform(operations.deleteLink, { params: { ...inProject(), link_id } });
  },
};

const draw = drawOf(6);

describe.each(Object.entries(SCENARIOS))(`a function that %s${draw.note}`, (_title, make) => {
  test.each(["before", "after"] as const)("may die %s each call", async (when) => {
    let deaths = 0;
    for (let call = 1; call <= MOST_CALLS; call++) {
      // The first call always exists.
      if (call > 1 && !draw.takes(call)) continue;
      lab = await makeLab();
      const isDead = await dieAt(call, when, await make());
      await finish();
      await expectAgreement();
      if (!isDead) break;
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(0);
    expect(deaths).toBeLessThan(MOST_CALLS);
  });
});

describe("the sweeper", () => {
  const deedsOfLab = async () =>
    (await sweeper.readDeedPage(1_000)).deeds.filter(({ projectId }) => projectId === lab.projectId);

  test.each(Object.entries(SCENARIOS))(
    "finishes what is left when a function that %s has died",
    async (_title, make) => {
      await dieAt(1, "after", await make());
      expect(await deedsOfLab()).toHaveLength(1);
      await sweep();
      await expectAgreement();
      expect(await deedsOfLab()).toEqual([]);
    },
  );

  test("leaves what a function may still be doing", async () => {
    await dieAt(1, "before", await SCENARIOS["starts a node"]!());
    compute.accept();
    const before = compute.calls.length;
    const options = { nowMs: Date.now(), abandonedMs: Number.MAX_VALUE, remainingTimeMs: () => 600_000 };
    await sweeper.sweep({ ...options, maxPages: 0 });
    expect(compute.calls.slice(before)).toEqual([]);
    expect(await deedsOfLab()).toHaveLength(1);
  });

  test("leaves the work in a closed project until the project is opened", async () => {
    await dieAt(1, "before", await SCENARIOS["starts a node"]!());
    compute.accept();
    await client.post(`${lab.path}/close`);
    await sweep();
    expect(await deedsOfLab()).toHaveLength(1);
    await client.post(`${lab.path}/open`);
    await sweep();
    expect(await deedsOfLab()).toEqual([]);
  });

  test("removes an expired project from its computes first", async () => {
    await pc("PC1");
    expect(compute.projects).toContain(lab.projectId);
    await client.put(lab.path, { expires_at: new Date(Date.now() + 1_000).toISOString() });
    const listed = (await sweeper.getProject(SERVICE, lab.projectId))!;
    const limits = { nowMs: Date.now() + AFTER_THE_LEASE_MS, abandonedMs: Number.MAX_VALUE };

    compute.refuse(/^DELETE/, 503, "busy");
    await expect(sweeper.sweepOneProject(listed, limits)).rejects.toThrow("does not answer");
    expect((await client.get(lab.path)).status).toBe(200);

    compute.accept();
    await sweeper.sweepOneProject(listed, limits);
    expect(compute.projects).not.toContain(lab.projectId);
    expect((await client.get(lab.path)).status).toBe(404);
  });
});

describe("a project", () => {
  test("is deleted without a look at its nodes if it has none on computes", async () => {
    await addNode(lab, { name: "PC1" });
    expect(await sweeper.getProject(SERVICE, lab.projectId)).not.toHaveProperty("on_computes");
    await pc("PC2");
    expect(await sweeper.getProject(SERVICE, lab.projectId)).toMatchObject({ on_computes: true });
    expect((await client.delete(lab.path)).status).toBe(204);
    expect(compute.projects).not.toContain(lab.projectId);
  });
});
