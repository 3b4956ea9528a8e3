/** What switches know, through the interface: neighbours, bundles, groups, the mirror and storm control, after a run and before one. */
import { expect, test } from "vitest";
import { addLink, addNode, client, end, makeLab } from "../helpers/service/lab.ts";

const addSwitch = (lab: Awaited<ReturnType<typeof makeLab>>, name: string, properties: object) =>
  addNode(lab, { name, node_type: "ethernet_switch", properties });

test("two switches with a bundle between them report it, each other, and the tree over it", async () => {
  const lab = await makeLab();
  const pc1 = await addNode(lab, { name: "PC1", properties: { startup_script: "ip 10.0.0.1/24" } });
  const pc2 = await addNode(lab, { name: "PC2", properties: { startup_script: "ip 10.0.0.2/24" } });
  const shared = { bundles: [{ ports: [1, 2] }], lldp: true };
  const sw1 = await addSwitch(lab, "SW1", {
    ...shared,
    rstp: { priority: 4096 },
    igmp_snooping: { querier: { address: "10.0.0.254" } },
    mld_snooping: { querier: { address: "fe80::fe" } },
    static_macs: [{ mac: "02:00:00:00:00:01", port: 5 }],
    mirror: { destination: 7, sources: { 0: "rx" } },
    storm_control: { 0: { broadcast: 10 } },
  });
  const sw2 = await addSwitch(lab, "SW2", { ...shared, rstp: true });
  await addLink(lab, [end(pc1), end(sw1, 0)]);
  await addLink(lab, [end(pc2), end(sw2, 0)]);
  for (const port of [1, 2]) await addLink(lab, [end(sw1, port), end(sw2, port)]);
  const read = async (node: string) => (await client.get(`${lab.path}/nodes/${node}/state`)).json;

  expect((await read(sw1)).bundles).toMatchObject([{ port: 1, is_up: false }]);
  await client.post(`${lab.path}/nodes/start`);
  const { json } = await client.post(`${lab.path}/nodes/${pc1}/console`, {
    commands: ["ping 10.0.0.2 -c 2"],
  });
  expect(json.output).toContain("84 bytes from 10.0.0.2");

  const state = await read(sw1);
  expect(state).toMatchObject({
    rstp: { root: expect.stringMatching(/^4096\.02:/), root_path_cost: 0 },
    bundles: [
      {
        port: 1,
        mode: "active",
        is_up: true,
        members: [
          { port: 1, is_used: true, mux: "distributing", receive: "current" },
          { port: 2, is_used: true },
        ],
      },
    ],
    igmp_snooping: { groups: [], queriers: [{ vlan: 1, address: "10.0.0.254", is_own: true }] },
    mld_snooping: { queriers: [{ vlan: 1, address: "fe80::fe", is_own: true }] },
    mirror: { destination: 7, sources: [{ port: 0, direction: "rx" }] },
    storm_control: [{ port: 0, kind: "broadcast", limit: 10, drops: 0 }],
    static_macs: [{ vlan: 1, mac: "02:00:00:00:00:01", port: 5 }],
  });
  expect(
    state.lldp_neighbours.map((each: { port: number; system_name: string }) => [each.port, each.system_name]),
  ).toEqual([
    [1, "SW2"],
    [2, "SW2"],
  ]);
  expect((await read(sw2)).rstp).toMatchObject({
    root_port: 1,
    ports: [{ port: 0 }, { port: 1, role: "root" }],
  });
  const table = await client.get(`${lab.path}/nodes/${sw1}/mac_table`);
  expect(table.json.map((each: { port_number: number }) => each.port_number).toSorted()).toEqual([0, 1]);
});

test("a switch without properties reports nothing, and a PC is refused", async () => {
  const lab = await makeLab();
  const sw = await addSwitch(lab, "SW1", {});
  expect((await client.get(`${lab.path}/nodes/${sw}/state`)).json).toEqual({
    rstp: null,
    bundles: [],
    lldp_neighbours: [],
    igmp_snooping: null,
    mld_snooping: null,
    mirror: null,
    storm_control: [],
    static_macs: [],
  });
  const pc = await addNode(lab);
  const refused = await client.get(`${lab.path}/nodes/${pc}/state`);
  expect([refused.status, refused.json.message]).toEqual([
    409,
    expect.stringContaining("A node of type vpcs reports no state"),
  ]);
});

test("routers with a VXLAN segment report what they have learned, with and without a run", async () => {
  const lab = await makeLab();
  const addRouter = async (name: string, own: number, remote: number): Promise<string> =>
    addNode(lab, {
      name,
      node_type: "router",
      properties: {
        ports: [{ ipv4: `192.0.2.${own}/24` }, {}],
        interfaces: [
          {
            type: "vxlan",
            name: "vxlan10",
            vni: 10,
            local: `192.0.2.${own}`,
            remotes: [`192.0.2.${remote}`],
            members: ["Ethernet1"],
          },
        ],
      },
    });
  const r1 = await addRouter("R1", 1, 2);
  const r2 = await addRouter("R2", 2, 1);
  const pc1 = await addNode(lab, { name: "PC1", properties: { startup_script: "ip 10.0.0.1/24" } });
  const pc2 = await addNode(lab, { name: "PC2", properties: { startup_script: "ip 10.0.0.2/24" } });
  await addLink(lab, [end(r1, 0), end(r2, 0)]);
  await addLink(lab, [end(pc1), end(r1, 1)]);
  await addLink(lab, [end(pc2), end(r2, 1)]);
  const read = async (): Promise<unknown> => (await client.get(`${lab.path}/nodes/${r1}/state`)).json;
  const segment = {
    name: "vxlan10",
    vni: 10,
    local: "192.0.2.1",
    remotes: ["192.0.2.2"],
    members: ["Ethernet1"],
  };
  expect(await read()).toEqual({ vxlan: [{ ...segment, macs: [] }] });
  await client.post(`${lab.path}/nodes/start`);
  const { json } = await client.post(`${lab.path}/nodes/${pc1}/console`, {
    commands: ["ping 10.0.0.2 -c 1"],
  });
  expect(json.output).toContain("84 bytes from 10.0.0.2");
  const macs = [
    { mac: "00:50:79:66:68:02", interface: "Ethernet1", age: expect.any(Number) },
    { mac: "00:50:79:66:68:03", remote: "192.0.2.2", age: expect.any(Number) },
  ];
  expect(await read()).toEqual({ vxlan: [{ ...segment, macs: expect.arrayContaining(macs) }] });

  // A snapshot has what the segments have learned.
  const { snapshot_id } = (await client.post(`${lab.path}/snapshots`, { name: "learned" })).json;
  await client.post(`${lab.path}/nodes/${r1}/stop`);
  expect(await read()).toEqual({ vxlan: [{ ...segment, macs: [] }] });
  await client.post(`${lab.path}/snapshots/${snapshot_id}/restore`, {});
  expect(await read()).toEqual({ vxlan: [{ ...segment, macs: expect.arrayContaining(macs) }] });
});

test("a bundle of ports with different EtherTypes is refused when it is made", async () => {
  const lab = await makeLab();
  const port = (port_number: number, ethertype: string) => ({
    name: `p${port_number}`,
    port_number,
    type: "qinq",
    vlan: 5,
    ethertype,
  });
  const properties = {
    ports_mapping: [port(0, "0x8100"), port(1, "0x88A8")],
    bundles: [{ ports: [0, 1] }],
  };
  const body = { name: "SW1", node_type: "ethernet_switch", compute_id: "local", properties };
  const { status, json } = await client.post(`${lab.path}/nodes`, body);
  expect([status, json.errors[0].path]).toEqual([400, "body.properties.bundles.0.ports.1"]);
});

test("values that are out of bounds or contradict each other are refused with their paths", async () => {
  const lab = await makeLab();
  const properties = {
    ageing_time: 1,
    bundles: [{ ports: [1, 2] }],
    isolated_ports: [2],
    mirror: { destination: 3, sources: { 3: "rx" } },
  };
  const body = { name: "SW1", node_type: "ethernet_switch", compute_id: "local", properties };
  const { status, json } = await client.post(`${lab.path}/nodes`, body);
  expect(status).toBe(400);
  for (const part of [
    "body.properties.ageing_time: must be 10 to 1000000, not 1",
    "body.properties.isolated_ports.0: port 2 is in the bundle of port 1; name that port",
    "body.properties.mirror.sources.3: is the destination, which cannot be a source",
  ])
    expect(json.message).toContain(part);
  expect((await client.get(`${lab.path}/nodes`)).json).toEqual([]);
});
