/** The console of a router over WebSocket and telnet: help and completion while a line is typed, configuration mode, and what is saved. */
import { afterEach, describe, expect, test } from "vitest";
import { consolePath, findService, openSocket } from "../../packages/wirelab/service/service.ts";
import { ConsolePorts } from "../../packages/wirelab/telnet/console-ports.ts";
import { ConsoleClient } from "../helpers/service/console-client.ts";
import { addNode, client, makeLab } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { TelnetClient } from "../helpers/wirelab/telnet-client.ts";

const ENTER = "\r";
/** A port that no other test of this machine is likely to use; telnet goes to the next free one. */
const PORT = 40_000 + (process.pid % 20_000);

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

interface Node {
  readonly lab: Awaited<ReturnType<typeof makeLab>>;
  readonly path: string;
  readonly nodeId: string;
}

async function startNode(node_type: "router" | "server", name: string): Promise<Node> {
  const lab = await makeLab();
  const nodeId = await addNode(lab, { name, node_type });
  const path = `${lab.path}/nodes/${nodeId}`;
  expect((await client.post(`${path}/start`)).status).toBe(200);
  return { lab, path, nodeId };
}

async function openConsole(path: string, prompt: string): Promise<ConsoleClient> {
  const console = await ConsoleClient.open(path);
  opened.push(console);
  return console.untilText(`\r\n${prompt}`);
}

async function say({ path }: Node, ...commands: readonly string[]): Promise<string> {
  const { status, json } = await client.post(`${path}/console`, { commands });
  expect(status).toBe(200);
  return json.output;
}

describe("the console of a router over a WebSocket", () => {
  test("lists what may follow at `?`, completes at TAB, and runs the line", async () => {
    const { path } = await startNode("router", "R1");
    const console = await openConsole(path, "R1> ");
    await console.type("show ip r?").untilText("\r\nR1> show ip r");
    expect(console.text).toMatch(/\r\n {2}rip {4}\S.*\r\n {2}route {2}\S/);
    await console.type("\t").untilText("rip  route\r\nR1> show ip r");
    await console.type("o\t").untilText("oute ");
    await console.type(ENTER).untilText("\r\nNo routes\r\n\r\nR1> ");
    await console.type(`sh ip r${ENTER}`).untilText("% Ambiguous command: sh ip r\r\n\r\nR1> ");
  });

  test("stays in its mode from line to line, for new consoles too, and help knows the mode", async () => {
    const { path } = await startNode("router", "R1");
    const console = await openConsole(path, "R1> ");
    await console.type(`conf\tt\t${ENTER}`).untilText("R1(config)# ");
    await console.type(`interface lo0 loopback${ENTER}`).untilText("R1(config)# ");
    await console.type("interface l\t").untilText("interface lo0 ");
    await console.type(ENTER).untilText("R1(config-if)# ");
    await console.type("ip ad?").untilText("\r\nR1(config-if)# ip ad");
    expect(console.text).toContain("\r\n  address  ");
    await console.type(`dress 10.255.0.1/32${ENTER}`).untilText("\r\nR1(config-if)# ");
    const second = await openConsole(path, "R1(config-if)# ");
    await second.type(`end${ENTER}`).untilText("\r\nR1> ");
    await second.type(`show run${ENTER}`).untilText("\r\nR1> ");
    expect(second.text).toContain(
      "interface lo0 loopback\r\ninterface lo0\r\n ip address 10.255.0.1/32\r\nexit\r\n",
    );
  });

  test("helps on a server, and not on a PC", async () => {
    const server = await startNode("server", "S1");
    const console = await openConsole(server.path, "S1> ");
    await console.type("show t\t").untilText("show throughput ");
    await console.type("?").untilText("\r\nS1> show throughput ");
    expect(console.text).toContain("\r\n  <cr>\r\n");
    const pc = await addNode(server.lab, { name: "PC1" });
    await client.post(`${server.lab.path}/nodes/${pc}/start`);
    const other = await openConsole(`${server.lab.path}/nodes/${pc}`, "PC1> ");
    await other.type(`sho\tw ?${ENTER}`).until(({ text }) => text.includes("show ?\r\n"));
  });
});

test("the console of a router over telnet has help and completion", async () => {
  const { lab, nodeId } = await startNode("router", "R1");
  const service = findService({ url: localStack().baseUrl }, {});
  const ports = new ConsolePorts(({ project_id, node_id }) =>
    openSocket(service, consolePath(project_id, node_id)),
  );
  opened.push({ close: () => ports.stop() });
  const telnet = new TelnetClient(
    await ports.portOf({ project_id: lab.projectId, node_id: nodeId, console: PORT }),
  );
  opened.push(telnet);
  await telnet.untilText("\r\nR1> ");
  telnet.type("sho\t");
  await telnet.untilText("show ");
  telnet.type("vr?");
  await telnet.until(({ text }) => /\r\n {2}vrf {3}\S.*\r\n {2}vrrp {2}\S.*\r\nR1> show vr$/.test(text));
});

describe("what is configured at the console of a router", () => {
  const CHANGE = ["configure terminal", "interface Ethernet0", "ip address 10.7.0.1/24", "end"];
  const SHOW = "show running-config";
  const LINE = "interface Ethernet0\n ip address 10.7.0.1/24\n";

  test("lasts from run to run, and is lost by a reload without write", async () => {
    const node = await startNode("router", "R1");
    await say(node, ...CHANGE);
    expect(await say(node, SHOW)).toContain(LINE);
    await client.post(`${node.path}/reload`);
    expect(await say(node, SHOW)).not.toContain(LINE);
  });

  test("survives a reload, a stop and a start after write, beside the node's properties", async () => {
    const node = await startNode("router", "R1");
    const before = (await client.get(node.path)).json.properties;
    await say(node, ...CHANGE, "write memory");
    for (const action of ["reload", "stop", "start"]) await client.post(`${node.path}/${action}`);
    expect(await say(node, SHOW)).toContain(LINE);
    expect((await client.get(node.path)).json.properties).toEqual(before);
    const saved = await client.get(`${node.path}/files/startup-config.json`);
    expect(JSON.parse(new TextDecoder().decode(saved.bytes)).ports[0].ipv4).toBe("10.7.0.1/24");
  });

  test("is pasted into another router as it was shown", async () => {
    const [one, other] = [await startNode("router", "R1"), await startNode("router", "R1")];
    await say(
      one,
      ...CHANGE,
      "conf t",
      "ip route 10.9.0.0/16 10.7.0.9 5",
      "router rip",
      "network Ethernet0",
      "end",
    );
    const shown = (await say(one, SHOW)).split("\n").slice(1, -2);
    expect(shown).toHaveLength(8);
    await say(other, "configure terminal", ...shown, "end");
    expect(await say(other, SHOW)).toBe(await say(one, SHOW));
  });

  test("is asked for by whole lines that end in a question mark", async () => {
    const node = await startNode("router", "R1");
    expect(await say(node, "show ip r?")).toMatch(
      /^R1> show ip r\?\n {2}rip {4}\S.*\n {2}route {2}\S.*\n\nR1> $/,
    );
    expect(await say(node, "frobnicate")).toBe("R1> frobnicate\n% Unknown command: frobnicate\n\nR1> ");
  });
});
