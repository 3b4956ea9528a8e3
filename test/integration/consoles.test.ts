/** Running labs: consoles, the state that they leave, and concurrent calls. */
import { describe, expect, test } from "vitest";
import { parsePcap } from "../helpers/captures/pcap.ts";
import { addLink, addNode, client, end, makeLab } from "../helpers/service/lab.ts";
import { startLab } from "../helpers/service/running-lab.ts";

const withoutTimes = (text: string): string => text.replaceAll(/time=[\d.]+ ms/g, "time=T ms");

describe("a console", () => {
  test("pings through a link and returns the transcript", async () => {
    const lab = await startLab("pair");
    const answer = await lab.console("PC1", "ping 10.0.0.2 -c 2");
    expect(withoutTimes(answer.output)).toBe(
      [
        "PC1> ping 10.0.0.2 -c 2",
        "",
        "84 bytes from 10.0.0.2 icmp_seq=1 ttl=64 time=T ms",
        "84 bytes from 10.0.0.2 icmp_seq=2 ttl=64 time=T ms",
        "",
        "PC1> ",
      ].join("\n"),
    );
    expect(answer).toMatchObject({ stopped: "idle", limit: null, loop: null });
    expect(answer.elapsed).toBeGreaterThan(2);
    expect(answer.elapsed).toBeLessThan(2.1);
    expect(answer.events).toBeGreaterThan(6);
  });

  test("takes several commands, one after another", async () => {
    const lab = await startLab("pair");
    const output = await lab.type("PC1", "show arp", "ping 10.0.0.2 -c 1", "show arp");
    expect(output.indexOf("arp table is empty")).toBeGreaterThan(0);
    expect(output).toMatch(
      /icmp_seq=1[\s\S]*PC1> show arp\n\n00:50:79:66:68:01 {2}10\.0\.0\.2 expires in \d+ seconds/,
    );
  });

  test("keeps the state of the lab between calls, such as ARP entries", async () => {
    const lab = await startLab("pair");
    await lab.type("PC1", "ping 10.0.0.2 -c 1");
    expect(await lab.type("PC2", "show arp")).toContain("00:50:79:66:68:00  10.0.0.1 expires in");
    expect(await lab.type("PC1", "history")).toContain("ping 10.0.0.2 -c 1");
  });

  test("is rejected for a stopped node, a node without a console, and invalid commands", async () => {
    const lab = await makeLab();
    const pc = await addNode(lab);
    const hub = await addNode(lab, { node_type: "ethernet_hub" });
    const console = (id: string, body: unknown) => client.post(`${lab.path}/nodes/${id}/console`, body);
    expect((await console(pc, { commands: ["show"] })).json.message).toBe(
      "Node PC1 is stopped; start it first",
    );
    expect((await console(hub, { commands: ["show"] })).json.message).toBe(
      "A node of type ethernet_hub has no console",
    );
    expect((await console(pc, { commands: [] })).status).toBe(400);
    expect((await console(pc, { commands: ["a\nb"] })).json.message).toContain("line end");
    expect((await console(pc, {})).status).toBe(400);
    expect((await console(crypto.randomUUID(), { commands: ["show"] })).status).toBe(404);
  });

  test("stops at a limit and reports which", async () => {
    const lab = await startLab("pair");
    const answer = await lab.console("PC1", "sleep 1000000000");
    expect(answer).toMatchObject({ stopped: "limit", limit: "lab_seconds" });
    expect(await lab.type("PC1", "ping 10.0.0.2 -c 1")).toContain("icmp_seq=1");
  });
});

describe("power", () => {
  test("a stopped node loses its state and runs its start-up script again", async () => {
    const lab = await startLab("pair");
    await lab.type("PC1", "ping 10.0.0.2 -c 1", "set mtu 1000");
    const path = `${lab.path}/nodes/${lab.node("PC1")}`;
    expect((await client.post(`${path}/stop`)).json.status).toBe("stopped");
    expect(await lab.type("PC2", "clear arp", "ping 10.0.0.1 -c 1")).toContain(
      "host (10.0.0.1) not reachable",
    );
    expect((await client.post(`${path}/start`)).json.status).toBe("started");
    const output = await lab.type("PC1", "show arp", "show ip");
    expect(output).toContain("arp table is empty");
    expect(output).toContain("IP/MASK     : 10.0.0.1/24");
    expect(output).toContain("MTU         : 1500");
  });

  test("a suspended node is mute and keeps its state", async () => {
    const lab = await startLab("pair");
    await lab.type("PC1", "ping 10.0.0.2 -c 1");
    const path = `${lab.path}/nodes/${lab.node("PC2")}`;
    expect((await client.post(`${path}/suspend`)).json.status).toBe("suspended");
    expect(await lab.type("PC1", "ping 10.0.0.2 -c 1")).toContain("10.0.0.2 icmp_seq=1 timeout");
    await client.post(`${path}/start`);
    expect(await lab.type("PC2", "show arp")).toContain("10.0.0.1 expires in");
  });

  test("the start-up output of a PC is returned", async () => {
    const lab = await startLab("pair");
    const path = `${lab.path}/nodes/${lab.node("PC1")}`;
    const started = (await client.get(`${path}/startup`)).json;
    expect(started).toEqual({
      status: "done",
      output:
        "\nExecuting the startup file\n\nChecking for duplicate address...\nPC1 : 10.0.0.1 255.255.255.0\n",
      remaining: [],
    });
    await lab.type("PC1", "show ip");
    expect((await client.get(`${path}/startup`)).json).toEqual(started);
    await client.post(`${path}/stop`);
    const none = { status: "none", output: "", remaining: [] };
    expect((await client.get(`${path}/startup`)).json).toEqual(none);
    const hub = await addNode(await makeLab(), { node_type: "ethernet_hub" });
    expect((await client.get(`${path.replace(/[^/]+$/, hub)}/startup`)).status).toBe(404);
  });

  test("a start-up script that was cut off continues in the next call", async () => {
    const lab = await startLab("pair");
    const [one, two] = [lab.node("PC1"), lab.node("PC2")];
    const startup_script = "ip 10.0.0.1/24\nping 10.0.0.2 -c 10\nset mtu 1400";
    await client.post(`${lab.path}/nodes/${one}/stop`);
    await client.put(`${lab.path}/nodes/${one}`, { properties: { startup_script } });
    const actions = [{ at: 0, action: "start", node_id: one }];
    const report = await lab.run({ actions, duration: 5 });
    expect(report.startups).toMatchObject([
      {
        node_id: one,
        name: "PC1",
        status: "running",
        remaining: ["ping 10.0.0.2 -c 10", "set mtu 1400"],
      },
    ]);
    expect(report.startups[0]!.output).toMatch(/icmp_seq=2 ttl=64 time=[\d.]+ ms\n$/);
    // A node that the call does not touch is not run.
    await lab.type("PC2", "show ip");
    expect((await client.get(`${lab.path}/nodes/${one}/startup`)).json.status).toBe("running");
    const output = await lab.type("PC1", "show ip");
    expect(output).toMatch(
      /^\nGoing on with the startup file\n[\s\S]*icmp_seq=10 ttl=64[\s\S]*PC1> show ip\n/,
    );
    expect(output).toContain("MTU         : 1400");
    expect((await client.get(`${lab.path}/nodes/${one}/startup`)).json).toMatchObject({
      status: "done",
      remaining: [],
    });
    expect((await client.get(`${lab.path}/nodes/${two}/startup`)).json.status).toBe("done");
    expect((await lab.run({ duration: 1 })).startups).toEqual([]);
  });

  test("a script put after a file was saved takes precedence over the file", async () => {
    const lab = await startLab("pair");
    const path = `${lab.path}/nodes/${lab.node("PC1")}`;
    await lab.type("PC1", "set mtu 1400", "save");
    await client.put(path, { properties: { startup_script: "set mtu 1300" } });
    await client.post(`${path}/reload`);
    expect(await lab.type("PC1", "show ip", "load")).toMatch(
      /IP\/MASK {5}: 0\.0\.0\.0\/0[\s\S]*MTU {9}: 1300\n[\s\S]*Can't open "startup\.vpc"/,
    );
  });

  test("saved settings survive a restart", async () => {
    const lab = await startLab("pair");
    await lab.type("PC1", "set mtu 1400", "save");
    await client.post(`${lab.path}/nodes/${lab.node("PC1")}/reload`);
    expect(await lab.type("PC1", "show ip")).toContain("MTU         : 1400");
  });

  test("a router's saved configuration survives a restart and changes of other properties", async () => {
    const lab = await startLab("routers");
    const path = `${lab.path}/nodes/${lab.node("R1")}`;
    await lab.type("R1", "shutdown Ethernet0", "write", "mtu Ethernet1 1400");
    for (const action of ["stop", "start", "reload"]) await client.post(`${path}/${action}`);
    const shown = await lab.type("R1", "show run");
    expect([shown.includes(" shutdown"), shown.includes("mtu")]).toEqual([true, false]);
    await client.post(`${path}/stop`);
    const { properties } = (await client.get(path)).json;
    await client.put(path, { properties: { ...properties, routes: [] } });
    await client.post(`${path}/start`);
    expect(await lab.type("R1", "show run", "show startup")).toMatch(
      /^(?![\s\S]*shutdown)[\s\S]*Nothing is saved/,
    );
  });

  test("closing a project stops its nodes, and auto_start starts them when it is opened", async () => {
    const lab = await startLab("pair", { auto_start: true });
    await lab.type("PC1", "ping 10.0.0.2 -c 1");
    await client.post(`${lab.path}/close`);
    await client.post(`${lab.path}/open`);
    const output = await lab.type("PC1", "show arp", "show ip");
    expect(output).toContain("arp table is empty");
    expect(output).toContain("IP/MASK     : 10.0.0.1/24");
  });

  test("cloud nodes are stored with ports, and cannot start without a compute", async () => {
    const lab = await makeLab();
    const pc = await addNode(lab);
    const properties = {
      ports_mapping: [{ name: "eth0", interface: "eth0", port_number: 0, type: "ethernet" }],
    };
    const id = await addNode(lab, { name: "cloud", node_type: "cloud", properties });
    const path = `${lab.path}/nodes/${id}`;
    expect((await client.get(path)).json).toMatchObject({ status: "stopped", ports: [{ port_number: 0 }] });
    await addLink(lab, [end(id), end(pc)]);
    const refused = await client.post(`${path}/start`);
    expect(refused.status).toBe(409);
    expect(refused.json.message).toContain("needs a compute");
    expect((await client.post(`${lab.path}/nodes/start`)).status).toBe(204);
  });
});

describe("concurrent calls", () => {
  test("twenty consoles of one lab all succeed, and every packet is captured once", async () => {
    const lab = await startLab("star");
    const capture = await lab.startCapture("SW1-HUB1");
    const names = ["PC1", "PC2", "PC3", "PC4"];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => lab.console(names[i % 4]!, `ping 10.0.0.${5 + (i % 4)} -c 2`)),
    );
    for (const { output } of answers) expect(output.match(/bytes from/g)).toHaveLength(2);
    const echoes = parsePcap(await lab.download(capture)).filter(
      ({ data }) => data[12] === 8 && data[13] === 0,
    );
    expect(echoes).toHaveLength(20 * 4);
    const times = answers.map(({ started_at }) => started_at);
    expect(new Set(times).size).toBe(20);
  });
});

test("a switch returns the addresses that it has learned", async () => {
  const lab = await startLab("star");
  await lab.type("PC1", "ping 10.0.0.5 -c 1");
  const { json } = await client.get(`${lab.path}/nodes/${lab.node("SW1")}/mac_table`);
  expect(json).toContainEqual(
    expect.objectContaining({ vlan: 1, mac: "00:50:79:66:68:00", port_number: 0, port_name: "Ethernet0" }),
  );
  expect(json).toContainEqual(expect.objectContaining({ mac: "00:50:79:66:68:04", port_number: 7 }));
  const refused = await client.get(`${lab.path}/nodes/${lab.node("PC1")}/mac_table`);
  expect(refused.json.message).toBe("A node of type vpcs has no MAC table");
});
