/** Consoles over WebSocket and telnet: line editing, runs of the lab, several consoles at once, and how they close. */
import { afterEach, describe, expect, test } from "vitest";
import WebSocket from "ws";
import { consolePath, findService, openSocket } from "../../packages/wirelab/service/service.ts";
import { ConsolePorts } from "../../packages/wirelab/telnet/console-ports.ts";
import { Screen } from "../helpers/engine/screen.ts";
import { ConsoleClient, socketAddress } from "../helpers/service/console-client.ts";
import { addNode, client, makeLab, makePair, type Pair, uuid } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { TelnetClient } from "../helpers/wirelab/telnet-client.ts";

const LEFT = "\x1b[D";
const UP = "\x1b[A";
const ENTER = "\r";
/** A port that no other test of this machine is likely to use; telnet goes to the next free one. */
const PORT = 20_000 + (process.pid % 20_000);

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

/** Two PCs with addresses. */
async function makeConfiguredPair(): Promise<Pair & { nodes: [string, string] }> {
  const pair = await makePair();
  const nodes: [string, string] = [`${pair.path}/nodes/${pair.first}`, `${pair.path}/nodes/${pair.second}`];
  await client.post(`${pair.path}/nodes/start`);
  for (const [index, node] of nodes.entries()) {
    const commands = [`ip 10.0.0.${index + 1}/24`];
    expect((await client.post(`${node}/console`, { commands })).status).toBe(200);
  }
  return { ...pair, nodes };
}

async function openConsole(node: string, prompt = "PC1> "): Promise<ConsoleClient> {
  const console = await ConsoleClient.open(node);
  opened.push(console);
  return console.untilText(`\r\n${prompt}`);
}

describe("a console", () => {
  test("greets with the start-up output and the prompt", async () => {
    const lab = await makeLab();
    const nodeId = await addNode(lab, { properties: { startup_script: "echo booted" } });
    await client.post(`${lab.path}/nodes/${nodeId}/start`);
    const { text } = await openConsole(`${lab.path}/nodes/${nodeId}`);
    expect(text).toContain("Welcome to Virtual PC Simulator");
    expect(text).toContain("Executing the startup file\r\n\r\nbooted");
  });

  test("edits a line, runs the lab when it is entered, and has it in its history", async () => {
    const { nodes, link } = await makeConfiguredPair();
    await client.post(`${link}/start_capture`, { capture_file_name: "ping" });
    const console = await openConsole(nodes[0]);
    await console.type(`pxng 10.0.0.2 -c 2${LEFT.repeat(16)}`).untilText("\b");
    await console.type(`\x7fi${ENTER}`).until(({ text }) => /icmp_seq=2[^\n]*\r\n\r\nPC1> $/.test(text));
    expect(console.text).toMatch(/84 bytes from 10\.0\.0\.2 icmp_seq=1 ttl=64 time=[\d.]+ ms\r\n84 bytes/);
    expect((await client.get(`${link}`)).json.capture_packets ?? 4).toBeGreaterThanOrEqual(4);

    await console.type(UP).untilText("ping 10.0.0.2 -c 2");
    await console.type(`${UP}${UP}`).untilText("ip 10.0.0.1/24");
    await console.type("\x03").untilText("^C\r\nPC1> ");
    await console.type(`show history${ENTER}`).untilText("show history\r\n\r\nPC1> ");
    expect(console.text).toContain("ip 10.0.0.1/24\r\nping 10.0.0.2 -c 2\r\nshow history\r\n");
  });

  test("runs pasted lines, and types the rest", async () => {
    const { nodes } = await makeConfiguredPair();
    const console = await openConsole(nodes[0]);
    await console.type("set pcname ABC\nshow arp\nping").untilText("ABC> ping");
    expect(new Screen().print(`PC1> ${console.text}`).rows).toEqual([
      ...["PC1> set pcname ABC", "", "ABC> show arp", "", "arp table is empty", "", "ABC> ping"],
    ]);
  });

  test("of a router has its prompt and its commands", async () => {
    const lab = await makeLab();
    const nodeId = await addNode(lab, { name: "R1", node_type: "router" });
    await client.post(`${lab.path}/nodes/${nodeId}/start`);
    const console = await openConsole(`${lab.path}/nodes/${nodeId}`, "R1> ");
    await console.type(`shw${LEFT}o${ENTER}`).untilText("\r\n\r\nR1> ");
  });

  test("ends an endless ping after ten minutes of lab time", async () => {
    const { nodes } = await makeConfiguredPair();
    const console = await openConsole(nodes[0]);
    await console
      .type(`ping 10.0.0.2 -t${ENTER}`)
      .untilText("Stopped after 600 seconds of lab time.\r\n\r\nPC1> ");
    expect(console.text).toContain("icmp_seq=599 ");
  });
});

describe("several consoles", () => {
  test("of one lab work at the same time", async () => {
    const { nodes } = await makeConfiguredPair();
    const [one, other] = await Promise.all([openConsole(nodes[0]), openConsole(nodes[1], "PC2> ")]);
    one.type(`ping 10.0.0.2 -c 2${ENTER}`);
    other.type(`ping 10.0.0.1 -c 2${ENTER}`);
    await Promise.all([one.untilText("\r\n\r\nPC1> "), other.untilText("\r\n\r\nPC2> ")]);
    expect([one, other].map(({ text }) => text.match(/icmp_seq=2 ttl=64/g)?.length)).toEqual([1, 1]);
  });

  test("of one node show each other's commands above the line that is being typed", async () => {
    const { nodes } = await makeConfiguredPair();
    const [one, other] = await Promise.all([openConsole(nodes[0]), openConsole(nodes[0])]);
    await other.type("half").untilText("half");
    one.type(`show arp${ENTER}`);
    await other.untilText("\r\n\r\nPC1> half");
    const screen = new Screen().print(`PC1> ${other.text}`);
    expect(screen.rows.slice(0, 3)).toEqual(["PC1> show arp", "", "arp table is empty"]);
    expect(screen.line).toBe("PC1> half|");
  });
});

describe("a console closes", () => {
  test("at once if the node is stopped, with the reason", async () => {
    const { path, first } = await makePair();
    const console = await ConsoleClient.open(`${path}/nodes/${first}`);
    await console.untilClosed();
    expect([console.text, console.code]).toEqual(["Node PC1 is stopped; start it first\r\n", 1000]);
  });

  test("at once for a node without a console", async () => {
    const lab = await makeLab();
    const nodeId = await addNode(lab, { name: "SW1", node_type: "ethernet_switch" });
    const console = await ConsoleClient.open(`${lab.path}/nodes/${nodeId}`);
    await console.untilClosed();
    expect(console.text).toBe("A node of type ethernet_switch has no console\r\n");
  });

  test.each([
    ["stopped", (node: string) => client.post(`${node}/stop`)],
    ["suspended", (node: string) => client.post(`${node}/suspend`)],
    ["deleted", (node: string) => client.delete(node)],
  ])("when its node is %s, with the reason", async (status, act) => {
    const { nodes } = await makeConfiguredPair();
    const consoles = await Promise.all([openConsole(nodes[0]), openConsole(nodes[0])]);
    await act(nodes[0]);
    for (const console of consoles) {
      await console.untilClosed();
      expect(console.text).toMatch(new RegExp(`\r\nNode PC1 is ${status}\r\n$`));
    }
  });

  test("when its project is closed", async () => {
    const { nodes, path } = await makeConfiguredPair();
    const console = await openConsole(nodes[0]);
    await client.post(`${path}/close`);
    await console.untilClosed();
  });
});

test("unknown nodes and closed projects have no console", async () => {
  const { path, first, projectId } = await makePair();
  const statusOf = (node: string): Promise<number | undefined> =>
    new Promise((resolve) => {
      const socket = new WebSocket(socketAddress(`${path}/nodes/${node}/console/ws`));
      socket.on("error", () => {});
      socket.once("unexpected-response", (_request, response) => resolve(response.statusCode));
    });
  expect(await statusOf(uuid())).toBe(404);
  await client.post(`/projects/${projectId}/close`);
  expect(await statusOf(first)).toBe(403);
});

test("a telnet client types on a console", async () => {
  const { projectId, first } = await makeConfiguredPair();
  const service = findService({ url: localStack().baseUrl }, {});
  const ports = new ConsolePorts(({ project_id, node_id }) =>
    openSocket(service, consolePath(project_id, node_id)),
  );
  opened.push({ close: () => ports.stop() });
  const port = await ports.portOf({ project_id: projectId, node_id: first, console: PORT });
  const [telnet, other] = [new TelnetClient(port), new TelnetClient(port)];
  opened.push(telnet, other);
  await Promise.all([telnet.untilText("\r\nPC1> "), other.untilText("\r\nPC1> ")]);
  telnet.type(`pxng 10.0.0.2 -c 1${LEFT.repeat(16)}\x7fi\r\n`);
  await telnet.until(({ text }) => /icmp_seq=1 ttl=64[^\n]*\r\n\r\nPC1> $/.test(text));
  await other.until(({ text }) => /icmp_seq=1 ttl=64[^\n]*\r\n\r\nPC1> $/.test(text));
  telnet.type(UP);
  await telnet.untilText("ping 10.0.0.2 -c 1");
  telnet.type(Uint8Array.of(255, 244));
  await telnet.untilText("^C\r\nPC1> ");
});
