/** Nodes as existing clients read and change them: the number of a console, and a router in the form of a container. */
import { describe, expect, test } from "vitest";
import { addLink, addNode, client, end, type Lab, makeLab } from "../helpers/service/lab.ts";

const read = async (lab: Lab, id: string) => (await client.get(`${lab.path}/nodes/${id}`)).json;
const consoleOf = async (lab: Lab, fields: object = {}): Promise<number | null> =>
  (await read(lab, await addNode(lab, { name: "N{0}", ...fields }))).console;
const putNode = (lab: Lab, id: string, body: unknown) => client.put(`${lab.path}/nodes/${id}`, body);

describe("the number of a console", () => {
  test("is the lowest free one from 5000; a deleted node frees its number", async () => {
    const lab = await makeLab();
    const first = await addNode(lab);
    expect([(await read(lab, first)).console, await consoleOf(lab, { node_type: "router" })]).toEqual([
      5000, 5001,
    ]);
    await client.delete(`${lab.path}/nodes/${first}`);
    expect([await consoleOf(lab), await consoleOf(lab)]).toEqual([5000, 5002]);
  });

  test("is the requested one, and a free one when another node has that", async () => {
    const lab = await makeLab();
    expect(await consoleOf(lab, { console: 5001 })).toBe(5001);
    expect(await consoleOf(lab, { console: 5001 })).toBe(5000);
    // The number that belongs to the second PC of a lab is taken.
    expect(await consoleOf(lab)).toBe(5002);
    expect(await consoleOf(lab, { console: 6000 })).toBe(6000);
  });

  test("is null for a node without a console, whatever the request says", async () => {
    const lab = await makeLab();
    expect(await consoleOf(lab, { console_type: "none", console: 5005 })).toBeNull();
    expect(await consoleOf(lab, { node_type: "ethernet_switch", console: 5005 })).toBeNull();
    expect(await consoleOf(lab, { node_type: "ethernet_hub" })).toBeNull();
    expect(await consoleOf(lab, { node_type: "ethernet_switch", console_type: "telnet" })).toBe(5000);
  });

  test("changes with a PUT: a taken one is replaced, null changes nothing, and type none removes it", async () => {
    const lab = await makeLab();
    const [first, second] = [await addNode(lab), await addNode(lab)];
    const changed = async (body: object) => (await putNode(lab, second, body)).json.console;
    expect(await changed({ console: 7000 })).toBe(7000);
    expect(await changed({ console: 5000 })).toBe(5001);
    expect(await changed({ console: null })).toBe(5001);
    expect(await changed({ console_type: "none" })).toBeNull();
    expect((await putNode(lab, first, { console: 5001 })).json.console).toBe(5001);
    expect(await changed({ console_type: "telnet" })).toBe(5000);
  });

  test("concurrently created PCs get different ones", async () => {
    const lab = await makeLab();
    const numbers = await Promise.all(Array.from({ length: 12 }, () => consoleOf(lab, { console: 5003 })));
    expect(new Set(numbers).size).toBe(12);
  });

  test("comes with the host that the client used", async () => {
    const lab = await makeLab();
    const id = await addNode(lab);
    expect((await read(lab, id)).console_host).toBe("127.0.0.1");
    const whole = { ...(await read(lab, id)), console_host: "192.0.2.7" };
    expect((await putNode(lab, id, whole)).json.console_host).toBe("127.0.0.1");
  });

  test("the type of a running PC's console does not change", async () => {
    const lab = await makeLab();
    const id = await addNode(lab);
    await client.post(`${lab.path}/nodes/${id}/start`);
    const { status, json } = await putNode(lab, id, { console_type: "none" });
    expect([status, json.message]).toEqual([409, "Node PC1 must be stopped to change its console type"]);
    expect((await putNode(lab, id, { console_type: "telnet", x: 4 })).status).toBe(200);
  });
});

const ports = [{ ipv4: "10.9.1.1/24" }, { ipv4: "10.9.2.1/24" }];

describe("a router", () => {
  test("is a container of our image, with what clients read of one beside its own properties", async () => {
    const lab = await makeLab();
    const id = await addNode(lab, { node_type: "router", name: "R1", properties: { ports } });
    const { node_type, properties, console_type } = await read(lab, id);
    expect([node_type, console_type]).toEqual(["docker", "telnet"]);
    expect(properties).toEqual({
      adapters: 2,
      console_http_path: "/",
      console_http_port: 80,
      console_resolution: "1024x768",
      environment: "",
      extra_hosts: "",
      extra_volumes: [],
      image: "wirelab/router",
      mac_address: "",
      ports,
      start_command: "",
      usage: "",
    });
  });

  test.each(["wirelab/router", "wirelab/router:latest"])(
    "is made of a container of the image %s",
    async (image) => {
      const lab = await makeLab();
      const id = await addNode(lab, {
        node_type: "docker",
        name: "R1",
        properties: { image, adapters: 3, ports },
      });
      expect((await read(lab, id)).ports).toHaveLength(2);
      await client.post(`${lab.path}/nodes/${id}/start`);
      const { json } = await client.post(`${lab.path}/nodes/${id}/console`, { commands: ["show run"] });
      expect(json.output).toContain("10.9.2.1");
    },
  );

  test("has as many ports as adapters when only those are given, and keeps its configuration when they change", async () => {
    const lab = await makeLab();
    const image = "wirelab/router";
    const id = await addNode(lab, { node_type: "docker", name: "R1", properties: { image, adapters: 3 } });
    expect((await read(lab, id)).ports).toHaveLength(3);
    await putNode(lab, id, { properties: { ports } });
    const { json } = await putNode(lab, id, { properties: { adapters: 3 } });
    expect(json.properties).toMatchObject({ adapters: 3, ports: [...ports, {}] });
    expect(json.ports.map((port: { port_number: number }) => port.port_number)).toEqual([0, 1, 2]);
  });

  test("an object that a client received can be put back whole, stopped and running", async () => {
    const lab = await makeLab();
    const id = await addNode(lab, { node_type: "router", name: "R1", properties: { ports, usage: "root" } });
    const stopped = await read(lab, id);
    expect(await putNode(lab, id, stopped)).toMatchObject({ status: 200, json: stopped });
    await client.post(`${lab.path}/nodes/${id}/start`);
    const running = await read(lab, id);
    expect(await putNode(lab, id, running)).toMatchObject({ status: 200, json: running });
  });

  test("keeps settings of the container for the client, also while it runs", async () => {
    const lab = await makeLab();
    const id = await addNode(lab, { node_type: "router", name: "R1", properties: { ports } });
    await client.post(`${lab.path}/nodes/${id}/start`);
    const { json } = await putNode(lab, id, { properties: { usage: "admin", mac_address: null } });
    expect(json.properties).toMatchObject({ usage: "admin", mac_address: "", ports });
  });

  test.each([
    ["image", "alpine"],
    ["adapters", 65],
    ["extra_volumes", [7]],
    ["console_http_port", 0],
    ["volumes", []],
  ])("rejects %s %j", async (key, value) => {
    const lab = await makeLab();
    const id = await addNode(lab, { node_type: "router", name: "R1" });
    const { status, json } = await putNode(lab, id, { properties: { [key]: value } });
    expect([status, json.errors[0].path]).toEqual([400, expect.stringContaining(`body.properties.${key}`)]);
  });

  test("a container of another image cannot run here", async () => {
    const lab = await makeLab();
    const { status, json } = await client.post(`${lab.path}/nodes`, {
      name: "A",
      node_type: "docker",
      compute_id: "local",
      properties: { image: "alpine" },
    });
    expect([status, json.code]).toEqual([409, "node.type-not-runnable"]);
  });
});

describe("a PUT of properties", () => {
  test("keeps those that it does not name, and null removes one", async () => {
    const lab = await makeLab();
    const properties = { startup_script: "ip 10.0.0.1/24", ignore_checksums: true };
    const id = await addNode(lab, { properties });
    expect((await putNode(lab, id, { x: 3, properties: {} })).json.properties).toEqual(properties);
    const { json } = await putNode(lab, id, { properties: { startup_script: null } });
    expect(json.properties).toEqual({ ignore_checksums: true });
  });

  test("without a mapping keeps a switch's ports and their links", async () => {
    const lab = await makeLab();
    const ports_mapping = Array.from({ length: 12 }, (_, port_number) => ({
      name: `e${port_number}`,
      port_number,
      type: "access",
      vlan: 1,
    }));
    const sw = await addNode(lab, {
      node_type: "ethernet_switch",
      name: "SW",
      properties: { ports_mapping },
    });
    await addLink(lab, [end(sw, 11), end(await addNode(lab))]);
    const { status, json } = await putNode(lab, sw, { x: 9, properties: {} });
    expect([status, json.ports.length]).toEqual([200, 12]);
  });
});
