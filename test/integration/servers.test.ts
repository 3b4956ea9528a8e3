/** Servers: their properties, and transfers over the links of a lab. */
import { describe, expect, test } from "vitest";
import { addLink, addNode, client, end, type Lab, makeLab } from "../helpers/service/lab.ts";

const http = { files: { "/": "a body" } };
const addServer = (lab: Lab, host: number, more: object = {}): Promise<string> =>
  addNode(lab, {
    node_type: "server",
    name: `S${host}`,
    properties: { ipv4: `10.0.0.${host}/24`, ...more },
  });

async function say(lab: Lab, id: string, ...commands: string[]): Promise<string> {
  const { status, json } = await client.post(`${lab.path}/nodes/${id}/console`, { commands });
  expect(status).toBe(200);
  return json.output;
}

describe("servers", () => {
  test("are shown as containers, with one port and a console", async () => {
    const lab = await makeLab();
    const id = await addServer(lab, 1, { http });
    expect((await client.get(`${lab.path}/nodes/${id}`)).json).toMatchObject({
      node_type: "docker",
      console_type: "telnet",
      console: 5000,
      ports: [{ name: "Ethernet0", port_number: 0 }],
      properties: { image: "wirelab/server", adapters: 1, ipv4: "10.0.0.1/24", http },
    });
  });

  test("are made of a container of the image wirelab/server", async () => {
    const lab = await makeLab();
    const properties = { image: "wirelab/server:latest", adapters: 1, ipv4: "10.0.0.1/24" };
    const id = await addNode(lab, { node_type: "docker", name: "S1", properties });
    await client.post(`${lab.path}/nodes/${id}/start`);
    expect(await say(lab, id, "show ip")).toContain("IPv4      10.0.0.1/24, gateway none");
  });

  test.each([
    [{ ipv4: "10.0.0.1" }, "body.properties.ipv4"],
    [{ gateway: "10.9.9.9" }, "body.properties.gateway"],
    [{ tcp: { congestion: "vegas" } }, "body.properties.tcp.congestion"],
    [{ adapters: 2 }, "body.properties.adapters"],
    [{ image: "wirelab/router" }, "body.properties.image"],
  ])("are refused with %j", async (properties, path) => {
    const lab = await makeLab();
    const body = { name: "S1", node_type: "server", compute_id: "local", properties };
    const { status, json } = await client.post(`${lab.path}/nodes`, body);
    expect([status, json.errors[0].path]).toEqual([400, path]);
  });

  test("transfer data over a link, and keep their connections between runs", async () => {
    const lab = await makeLab();
    const [a, b] = [await addServer(lab, 1), await addServer(lab, 2, { http })];
    await addLink(lab, [end(a), end(b)], { filters: { delay: [10, 0] } });
    for (const id of [a, b]) await client.post(`${lab.path}/nodes/${id}/start`);
    expect(await say(lab, a, "http get 10.0.0.2")).toContain("a body\n6 bytes in");
    expect(await say(lab, a, "send 10.0.0.2 -n 500k")).toMatch(/sent to 10\.0\.0\.2 port 5001: 500000 bytes/);
    expect(await say(lab, b, "show connections", "show throughput")).toMatch(
      /CLOSE|LAST|received from 10\.0\.0\.1 at port 5001: 500000 bytes/,
    );
    expect(await say(lab, a, "show connections")).toContain("TIME-WAIT");
  });

  test("keep their properties while they run, because they have connections", async () => {
    const lab = await makeLab();
    const id = await addServer(lab, 1);
    await client.post(`${lab.path}/nodes/${id}/start`);
    const { status, json } = await client.put(`${lab.path}/nodes/${id}`, { properties: { ntp: true } });
    expect([status, json.code]).toEqual([409, "node.must-be-stopped"]);
  });
});
