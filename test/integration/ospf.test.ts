/** OSPF between the runs of a project: a lab has booted when routing is quiet, and an adjacency survives any pause. */
import { expect, test } from "vitest";
import { addLink, addNode, client, end, type Lab, makeLab } from "../helpers/service/lab.ts";

const variables = (clock: string) => ({ variables: [{ name: "clock", value: clock }] });

interface Pair extends Lab {
  readonly r1: string;
  readonly r2: string;
  readonly linkId: string;
}

async function makeRouters(): Promise<Pair> {
  const lab = await makeLab(variables("2026-01-01T00:00:00Z"));
  const router = (id: number) =>
    addNode(lab, {
      name: `R${id}`,
      node_type: "router",
      properties: {
        ports: [{ ipv4: `10.${id}.0.1/24` }, { ipv4: `10.0.12.${id}/24` }],
        ospf: { router_id: `${id}.${id}.${id}.${id}`, networks: { "10.0.0.0/8": "0" } },
      },
    });
  const [r1, r2] = [await router(1), await router(2)];
  const linkId = await addLink(lab, [end(r1, 1), end(r2, 1)]);
  return { ...lab, r1, r2, linkId };
}

async function say({ path }: Lab, node: string, command: string): Promise<string> {
  const { status, json } = await client.post(`${path}/nodes/${node}/console`, { commands: [command] });
  expect(status).toBe(200);
  return json.output;
}

test("the start of the nodes lasts until they are neighbours, with the election of a designated router", async () => {
  const lab = await makeRouters();
  expect((await client.post(`${lab.path}/nodes/start`)).status).toBe(204);
  expect(await say(lab, lab.r1, "show ip ospf neighbor")).toMatch(/^2\.2\.2\.2 +1 +Full\/DR /m);
  expect(await say(lab, lab.r2, "show ip route")).toContain("10.1.0.0/24");
});

test("an adjacency survives the pause of a day between two runs, and no router begins anew", async () => {
  const lab = await makeRouters();
  await client.post(`${lab.path}/nodes/start`);
  const run = async (clock: string) => {
    expect((await client.put(lab.path, variables(clock))).status).toBe(200);
    const { json } = await client.post(`${lab.path}/run`, {
      duration: 60,
      consoles: [{ node_id: lab.r1, commands: ["show ip ospf neighbor"], at: 59 }],
    });
    expect(json.started_at).toContain(clock.slice(0, 10));
    return json;
  };
  const [first, second] = [await run("2026-01-02T00:00:00Z"), await run("2026-01-03T00:00:00Z")];
  const upTime = ({ consoles: [{ output }] }: typeof first): number => {
    const [, hours, minutes, seconds] = /Full\/DR +(\d+):(\d+):(\d+) /.exec(output)!;
    return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  };
  // Nothing happens during the pause: the neighbour is up for the lab seconds of the runs, and two more minutes than it was.
  expect(upTime(second) - upTime(first)).toBe(60);
  // A hello every 10 s in each direction, and nothing of an exchange of databases.
  for (const { links } of [first, second])
    for (const { in: sent } of links[0].directions) expect(sent.packets).toBe(6);
  const { json: counters } = await client.get(`${lab.path}/links/counters`);
  expect(counters[0].link_id).toBe(lab.linkId);
});

test("a run without a duration says why it has ended although routing still changed", async () => {
  const lab = await makeRouters();
  await client.post(`${lab.path}/nodes/start`);
  const run = (routing: object) =>
    client.post(`${lab.path}/run`, {
      routing,
      consoles: [{ node_id: lab.r1, commands: ["clear ip ospf neighbor"], at: 0 }],
    });
  expect((await run({})).json.unsettled).toBeUndefined();
  expect((await run({ limit: 1 })).json.unsettled).toMatch(
    /^routing was not quiet after 1 s: at [\d.]+ s, R[12]: /,
  );
  expect((await run({ quiet: -1 })).status).toBe(400);
});
