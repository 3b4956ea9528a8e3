/** What links have carried: counters of runs, console calls and replays, and their events. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { gns3Project } from "../helpers/archives/gns3-project.ts";
import { makePcap } from "../helpers/captures/pcap.ts";
import { EventFollower } from "../helpers/service/events.ts";
import { useServiceStores } from "../helpers/service/in-process.ts";
import { addLink, client, end, freshName, makePair, type Pair, uuid } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

const NOTHING = {
  in: { packets: 0, bytes: 0 },
  delivered: { packets: 0, bytes: 0 },
  dropped: { packets: 0, bytes: 0 },
};

let pair: Pair;
beforeEach(async () => {
  pair = await makePair();
});

let store: typeof import("../../functions/shared/store/commit/link-counters.ts");
beforeAll(async () => {
  useServiceStores();
  store = await import("../../functions/shared/store/commit/link-counters.ts");
});

const followers: EventFollower[] = [];
afterEach(() => {
  for (const follower of followers.splice(0)) follower.close();
});
async function follow({ path }: { readonly path: string }): Promise<EventFollower> {
  const follower = await EventFollower.open(`${localStack().baseUrl}${path}/notifications`);
  followers.push(follower);
  return follower;
}

const countersOf = async ({ path }: { readonly path: string } = pair) =>
  (await client.get(`${path}/links/counters`)).json;
const replay = (query = "", packets = 3) =>
  client.call("POST", `${pair.link}/replay${query}`, { raw: makePcap(packets) });
const start = () => client.post(`${pair.path}/nodes/start`, {});
const type = (node: string, ...commands: string[]) =>
  client.post(`${pair.path}/nodes/${node}/console`, { commands });

/** Imports two hubs with 55 PCs each and a link between them, because 222 requests would take twenty seconds. */
async function importStar() {
  const hubs = ["left", "right"].map((name) => ({
    name,
    node_id: uuid(),
    node_type: "ethernet_hub",
    compute_id: "local",
    properties: {
      ports_mapping: Array.from({ length: 61 }, (_, port) => ({ name: `E${port}`, port_number: port })),
    },
  }));
  const [left, right] = hubs.map(({ node_id }) => node_id) as [string, string];
  const pcs = Array.from({ length: 110 }, (_, index) => ({
    name: `PC${index + 1}`,
    node_id: uuid(),
    node_type: "vpcs",
    compute_id: "local",
    properties: {},
  }));
  const ends = [
    [end(left, 60), end(right, 60)],
    ...pcs.map(({ node_id }, index) => [end(node_id), end(index < 55 ? left : right, index % 55)]),
  ];
  const archive = gns3Project((file) => {
    file.topology.nodes = [...hubs, ...pcs];
    file.topology.links = ends.map((nodes) => ({ link_id: uuid(), nodes }));
    file.topology.drawings = [];
    file.auto_start = false;
  });
  const projectId = uuid();
  const path = `/projects/${projectId}`;
  const { status, bytes } = await client.call("POST", `${path}/import?name=${freshName()}`, { raw: archive });
  expect(status, bytes.toString()).toBe(201);
  expect((await client.post(`${path}/open`, {})).status).toBe(201);
  const kept = (await client.get(`${path}/nodes`)).json as { node_id: string; node_type: string }[];
  const nodes = kept.filter(({ node_type }) => node_type === "vpcs").map(({ node_id }) => node_id);
  return { lab: { projectId, path }, nodes };
}

describe("the counters of a link", () => {
  test("are zero at first", async () => {
    expect(await countersOf()).toEqual([{ link_id: pair.linkId, a_to_b: NOTHING, b_to_a: NOTHING }]);
  });

  test("add what each run reports", async () => {
    await start();
    const run = {
      consoles: [{ node_id: pair.first, commands: ["ip 10.0.0.1/24", "ping 10.0.0.2 -c 3"] }],
    };
    await type(pair.second, "ip 10.0.0.2/24");
    const [before] = await countersOf();
    const { links } = (await client.post(`${pair.path}/run`, run)).json;
    const [forth, back] = links[0].directions;
    expect([forth.from, back.from]).toEqual([pair.first, pair.second]);
    const [after] = await countersOf();
    for (const [direction, reported] of [
      ["a_to_b", forth],
      ["b_to_a", back],
    ] as const)
      for (const what of ["in", "delivered", "dropped"] as const)
        for (const unit of ["packets", "bytes"] as const)
          expect(after[direction][what][unit] - before[direction][what][unit]).toBe(reported[what][unit]);
    expect(forth.in.packets).toBeGreaterThanOrEqual(3);
  });

  test("add console calls, and what filters drop", async () => {
    await start();
    await type(pair.first, "ip 10.0.0.1/24");
    await type(pair.second, "ip 10.0.0.2/24");
    await type(pair.first, "ping 10.0.0.2 -c 1");
    const [clean] = await countersOf();
    expect(clean.a_to_b.in).toEqual(clean.a_to_b.delivered);
    await client.put(pair.link, { filters: { packet_loss: [100] } });
    await type(pair.first, "ping 10.0.0.2 -c 2");
    const [lossy] = await countersOf();
    expect(lossy.a_to_b.delivered).toEqual(clean.a_to_b.delivered);
    expect(lossy.a_to_b.dropped.packets).toBe(2);
    expect(lossy.a_to_b.in.packets).toBe(clean.a_to_b.in.packets + 2);
    expect(lossy.b_to_a).toEqual(clean.b_to_a);
  });

  test("add replays, with and without a capture, in the direction of their packets", async () => {
    await replay();
    await replay(`?from=${pair.second}`, 2);
    await client.post(`${pair.link}/start_capture`, {});
    await replay("", 4);
    const [{ a_to_b, b_to_a }] = await countersOf();
    expect([a_to_b.in.packets, a_to_b.delivered.packets, b_to_a.in.packets]).toEqual([7, 7, 2]);
  });

  test("add each of many replays at once", async () => {
    await Promise.all(Array.from({ length: 8 }, () => replay()));
    expect((await countersOf())[0].a_to_b.in.packets).toBe(24);
  });

  test("count nothing of a run that is refused", async () => {
    await start();
    const actions = [{ at: 0, action: "suspend_link", link_id: uuid() }];
    const commands = ["ping 10.0.0.2 -c 1"];
    const run = { actions, consoles: [{ node_id: pair.first, commands }] };
    const before = await countersOf();
    expect((await client.post(`${pair.path}/run`, run)).status).toBe(404);
    expect(await countersOf()).toEqual(before);
  });

  test("begin anew with a link that gets the id of a deleted one", async () => {
    await replay();
    await client.delete(pair.link);
    expect(await countersOf()).toEqual([]);
    await addLink(pair, [end(pair.first), end(pair.second)], { link_id: pair.linkId });
    expect((await countersOf())[0].a_to_b).toEqual(NOTHING);
    await replay("", 1);
    expect((await countersOf())[0].a_to_b.in.packets).toBe(1);
  });

  test("are no part of a duplicate, and begin anew when a snapshot is restored", async () => {
    await replay();
    const snapshot = (await client.post(`${pair.path}/snapshots`, { name: "s" })).json.snapshot_id;
    const copy = (await client.post(`${pair.path}/duplicate`, { name: `${pair.projectId}-copy` })).json;
    expect((await countersOf({ path: `/projects/${copy.project_id}` }))[0].a_to_b).toEqual(NOTHING);
    await client.post(`${pair.path}/snapshots/${snapshot}/restore`, {});
    expect((await countersOf())[0].a_to_b).toEqual(NOTHING);
  });

  test("forget deleted links when they are most of what there is", async () => {
    for (let link = 0; link < 6; link++) {
      await replay("", 1);
      await client.delete(pair.link);
      const linkId = await addLink(pair, [end(pair.first), end(pair.second)]);
      pair = { ...pair, linkId, link: `${pair.path}/links/${linkId}` };
    }
    await replay("", 1);
    const parts = await store.readCounters(pair.projectId);
    expect(parts.flatMap(({ links }) => Object.keys(links)).length).toBeLessThanOrEqual(4);
    expect((await countersOf())[0].a_to_b.in.packets).toBe(1);
  });

  test("of a run that is larger than a transaction count all its links", async () => {
    const { lab, nodes } = await importStar();
    await client.post(`${lab.path}/nodes/start`, {});
    const before = await countersOf(lab);
    const commands = ["ip 10.0.0.1/24", "ping 10.0.0.99 -c 1"];
    const consoles = [{ node_id: nodes[0], commands }];
    const { json } = await client.post(`${lab.path}/run`, { consoles });
    expect(json.links).toHaveLength(111);
    const sum = (counters: { a_to_b: typeof NOTHING; b_to_a: typeof NOTHING }[]) =>
      counters.reduce((all, { a_to_b, b_to_a }) => all + a_to_b.in.packets + b_to_a.in.packets, 0);
    const reported = json.links
      .flatMap(({ directions }: { directions: (typeof NOTHING)[] }) => directions)
      .reduce((all: number, direction: typeof NOTHING) => all + direction.in.packets, 0);
    expect(sum(await countersOf(lab)) - sum(before)).toBe(reported);
  });

  test("can be read while the project is closed, and need a project", async () => {
    await replay();
    await client.post(`${pair.path}/close`);
    expect((await countersOf())[0].a_to_b.in.packets).toBe(3);
    expect((await client.get(`/projects/${uuid()}/links/counters`)).status).toBe(404);
  });
});

describe("the event links.counters", () => {
  test("has the counters that moved, as the route returns them", async () => {
    const stream = await follow(pair);
    await replay();
    const events = await stream.until(({ action }) => action === "links.counters");
    const { project_id, links } = events.at(-1)!.event;
    expect(project_id).toBe(pair.projectId);
    expect(links).toEqual(await countersOf());
  });
});

describe("impairments of all links", () => {
  const impairments = { both: { delay: "5ms" } };

  test("are listed for the links that have any", async () => {
    const list = `${pair.path}/links/impairments`;
    expect((await client.get(list)).json).toEqual([]);
    await client.put(`${pair.link}/impairments`, impairments);
    expect((await client.get(list)).json).toEqual([{ link_id: pair.linkId, impairments }]);
    await client.delete(`${pair.link}/impairments`);
    expect((await client.get(list)).json).toEqual([]);
    expect((await client.get(`/projects/${uuid()}/links/impairments`)).status).toBe(404);
  });

  test("make an event with each change, also by a run", async () => {
    const stream = await follow(pair);
    const { projectId: project_id, linkId: link_id } = pair;
    await client.put(`${pair.link}/impairments`, impairments);
    await client.put(`${pair.link}/impairments`, impairments);
    await client.delete(`${pair.link}/impairments`);
    const action = { at: 0, action: "set_impairments", link_id, impairments: { carrier: "down" } };
    await client.post(`${pair.path}/run`, { actions: [action], duration: 1 });
    const isPulled = ({ event }: { event: Record<string, unknown> }) =>
      JSON.stringify(event.impairments) === '{"carrier":"down"}';
    const events = (await stream.until(isPulled)).filter(({ action }) => action === "links.impairments");
    expect(events.map(({ event }) => event)).toEqual([
      { project_id, link_id, impairments },
      { project_id, link_id, impairments: {} },
      { project_id, link_id, impairments: { carrier: "down" } },
    ]);
  });
});
