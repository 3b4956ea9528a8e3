/** Redundant switches through the interface: the property `rstp`, a run that converges, and a tree that continues in the next run. */
import { expect, test } from "vitest";
import { addLink, addNode, client, end, makeLab } from "../helpers/service/lab.ts";

test("three switches in a triangle carry a ping, and go on when a cable is pulled", async () => {
  const lab = await makeLab();
  const [pc1, pc2] = await Promise.all(
    [1, 2].map((number) =>
      addNode(lab, { name: `PC${number}`, properties: { startup_script: `ip 10.0.0.${number}/24` } }),
    ),
  );
  const switches: string[] = [];
  for (const [index, rstp] of [{ priority: 4096 }, { priority: 8192 }, true].entries()) {
    switches.push(
      await addNode(lab, { name: `SW${index + 1}`, node_type: "ethernet_switch", properties: { rstp } }),
    );
  }
  const [sw1, sw2, sw3] = switches;
  await addLink(lab, [end(pc1!, 0), end(sw2!, 0)]);
  await addLink(lab, [end(pc2!, 0), end(sw3!, 0)]);
  await addLink(lab, [end(sw1!, 1), end(sw2!, 1)]);
  const right = await addLink(lab, [end(sw1!, 2), end(sw3!, 1)]);
  await addLink(lab, [end(sw2!, 2), end(sw3!, 2)]);
  await client.post(`${lab.path}/nodes/start`);

  const pings = async (): Promise<string> => {
    const { json } = await client.post(`${lab.path}/nodes/${pc1}/console`, {
      commands: ["ping 10.0.0.2 -c 2"],
    });
    return json.output;
  };
  expect(await pings()).toContain("84 bytes from 10.0.0.2");
  const learned = async (): Promise<number> =>
    (await client.get(`${lab.path}/nodes/${sw1}/mac_table`)).json.length;
  expect(await learned()).toBe(2);

  const cut = await client.put(`${lab.path}/links/${right}/impairments`, { carrier: "down" });
  expect(cut.status).toBe(200);
  // The switches notice it when the first frames of the next run reach them; the lab stands still until then.
  expect(await pings()).toContain("84 bytes from 10.0.0.2 icmp_seq=2");
});

test("a value that is out of bounds is refused with its path, and no node is stored", async () => {
  const lab = await makeLab();
  const { status, json } = await client.post(`${lab.path}/nodes`, {
    name: "SW1",
    node_type: "ethernet_switch",
    compute_id: "local",
    properties: { rstp: { priority: 5, ports: { 8: {} } } },
  });
  expect(status).toBe(400);
  expect(json.message).toContain("body.properties.rstp.priority");
  expect(json.message).toContain("body.properties.rstp.ports.8");
  expect((await client.get(`${lab.path}/nodes`)).json).toEqual([]);
});
