/** NAT nodes: a simulated internet for the labs of the service. */
import { expect, test } from "vitest";
import { addLink, addNode, client, end, makeLab } from "../helpers/service/lab.ts";

const INTERNET = [
  { name: "www.example.com", files: { "/": "hello" } },
  { name: "ns.example.net", address: "9.9.9.9" },
];

async function labWith(properties: object) {
  const lab = await makeLab();
  const nat = await addNode(lab, { name: "NAT1", node_type: "nat", properties });
  const pc = await addNode(lab, { name: "PC1", properties: { startup_script: "ip dhcp" } });
  await addLink(lab, [end(nat), end(pc)]);
  await client.post(`${lab.path}/nodes/start`);
  const type = async (...commands: string[]): Promise<string> =>
    (await client.post(`${lab.path}/nodes/${pc}/console`, { commands })).json.output;
  return { lab, nat, path: `${lab.path}/nodes/${nat}`, type };
}

test("a PC gets an address, names and the hosts that the node declares", async () => {
  const { path, type } = await labWith({ internet: INTERNET });
  const { json } = await client.get(path);
  expect(json).toMatchObject({
    node_type: "nat",
    status: "started",
    ports: [{ name: "nat0", port_number: 0 }],
  });
  expect(json.properties.internet[0]).toEqual({ ...INTERNET[0], address: "203.0.113.1" });
  const output = await type("show ip", "ping www.example.com -c 1", "ping 9.9.9.9 -c 1", "ping 8.8.8.8 -c 1");
  expect(output).toMatch(/IP\/MASK +: 192\.168\.122\.\d+\/24/);
  expect(output).toMatch(/GATEWAY +: 192\.168\.122\.1/);
  expect(output).toContain("84 bytes from 203.0.113.1");
  expect(output).toContain("84 bytes from 9.9.9.9");
  expect(output).toContain("8.8.8.8 icmp_seq=1 timeout");
});

test("the gateway answers without any host, and a stopped node does not", async () => {
  const { path, type } = await labWith({});
  expect(await type("ping 192.168.122.1 -c 1")).toContain("84 bytes from 192.168.122.1");
  expect((await client.post(`${path}/stop`)).json.status).toBe("stopped");
  expect(await type("ping 192.168.122.1 -c 1")).not.toContain("84 bytes");
  expect((await client.post(`${path}/start`)).json.status).toBe("started");
  expect(await type("ping 192.168.122.1 -c 1")).toContain("84 bytes from 192.168.122.1");
});

test("hosts are changed, and wrong ones are refused with their path", async () => {
  const { path, type } = await labWith({ internet: INTERNET });
  const put = (internet: unknown) => client.put(path, { properties: { internet } });
  for (const [internet, at] of [
    [[{ name: "no name" }], "body.properties.internet.0.name"],
    [[{ name: "a.b", address: "1.2.3" }], "body.properties.internet.0.address"],
    [[{ name: "a.b", address: "192.168.122.9" }], "body.properties.internet.0.address"],
    [[{ name: "a.b" }, { name: "A.b" }], "body.properties.internet.1.name"],
    [[{ name: "a.b", page: "x" }], "body.properties.internet.0.page"],
    ["www.example.com", "body.properties.internet"],
  ] as const) {
    const { status, json } = await put(internet);
    expect([status, json.errors?.[0].path]).toEqual([400, at]);
  }
  expect((await put([{ name: "new.example.com" }])).status).toBe(200);
  expect(await type("ping new.example.com -c 1", "ping www.example.com -c 1")).toMatch(
    /84 bytes from 203\.0\.113\.1[\s\S]*Cannot resolve www\.example\.com/,
  );
});
