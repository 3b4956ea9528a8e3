/** What the switched ports of a router have learned, through the interface. */
import { expect, test } from "vitest";
import { addLink, addNode, client, end, makeLab } from "../helpers/service/lab.ts";

test("a router with switched ports reports what it has learned; one without reports nothing", async () => {
  const lab = await makeLab();
  const pc1 = await addNode(lab, {
    name: "PC1",
    properties: { startup_script: "ip 10.0.10.2/24 10.0.10.1" },
  });
  const pc2 = await addNode(lab, {
    name: "PC2",
    properties: { startup_script: "ip 10.0.20.2/24 10.0.20.1" },
  });
  const core = await addNode(lab, {
    name: "R1",
    node_type: "router",
    properties: {
      ports: [{}, { switchport: { vlan: 10 } }, { switchport: { vlan: 20 } }],
      interfaces: [
        { type: "svi", name: "vlan10", ipv4: "10.0.10.1/24" },
        { type: "svi", name: "vlan20", ipv4: "10.0.20.1/24" },
      ],
    },
  });
  const plain = await addNode(lab, { name: "R2", node_type: "router" });
  await addLink(lab, [end(pc1), end(core, 1)]);
  await addLink(lab, [end(pc2), end(core, 2)]);
  const read = async (node: string) => (await client.get(`${lab.path}/nodes/${node}/mac_table`)).json;
  expect(await read(core)).toEqual([]);

  await client.post(`${lab.path}/nodes/start`);
  const { json } = await client.post(`${lab.path}/nodes/${pc1}/console`, {
    commands: ["ping 10.0.20.2 -c 2"],
  });
  expect(json.output).toContain("84 bytes from 10.0.20.2 icmp_seq=2 ttl=63");
  expect(await read(core)).toMatchObject([
    { vlan: 10, mac: "00:50:79:66:68:00", port_number: 1, port_name: "Ethernet1" },
    { vlan: 20, mac: "00:50:79:66:68:01", port_number: 2, port_name: "Ethernet2" },
  ]);
  expect(await read(plain)).toEqual([]);

  const refused = await client.put(`${lab.path}/nodes/${plain}`, {
    properties: { ports: [{ switchport: { vlan: 5_000 } }] },
  });
  expect([refused.status, JSON.stringify(refused.json)]).toEqual([
    400,
    expect.stringContaining("properties.ports.0.switchport.vlan"),
  ]);
});
