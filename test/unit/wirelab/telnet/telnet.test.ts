import { createServer } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { consolePath, findService, openSocket } from "../../../../packages/wirelab/service/service.ts";
import { GREETING } from "../../../../packages/wirelab/telnet/codec.ts";
import { ConsolePorts } from "../../../../packages/wirelab/telnet/console-ports.ts";
import { FakeService, PASSWORD } from "../../../helpers/wirelab/fake-service.ts";
import { TelnetClient } from "../../../helpers/wirelab/telnet-client.ts";

let service: FakeService;
let ports: ConsolePorts;
const clients: TelnetClient[] = [];
/** Ports that no other test of this machine is likely to use. */
const PORT = 20_000 + (process.pid % 20_000);

beforeEach(async () => {
  service = await new FakeService().start();
  const found = findService({ url: service.url }, { WIRELAB_PASSWORD: PASSWORD });
  ports = new ConsolePorts(({ project_id, node_id }) => openSocket(found, consolePath(project_id, node_id)));
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  ports.stop();
  await service.stop();
});

function telnet(port: number): TelnetClient {
  const client = new TelnetClient(port);
  clients.push(client);
  return client;
}

const claim = (nodeId: string, console = PORT) =>
  ports.portOf({ project_id: "lab-id", node_id: nodeId, console });

test("a telnet client types on the console of its node", async () => {
  const client = telnet(await claim("a"));
  await client.untilText("PC1> ");
  expect([...client.received.subarray(0, GREETING.length)]).toEqual([...GREETING]);
  client.type("shw\x1b[Do\r\n");
  await client.untilText("<show>\r\n\r\nPC1> ");
  client.type("x\r\0y\r\0");
  await client.untilText("<y>\r\n\r\nPC1> ");
  expect(client.text).toContain("<x>");
  expect(service.requests).toEqual(["WS /v2/projects/lab-id/nodes/a/console/ws"]);
});

test("keys typed before the console is open are not lost", async () => {
  const client = telnet(await claim("a"));
  client.type("early\r");
  await client.untilText("<early>\r\n\r\nPC1> ");
});

test("each connection is a console of its own", async () => {
  const port = await claim("a");
  const [one, other] = [telnet(port), telnet(port)];
  await Promise.all([one.untilText("PC1> "), other.untilText("PC1> ")]);
  one.type("ab\r");
  other.type("cd\r");
  await Promise.all([one.untilText("<ab>\r\n\r\nPC1> "), other.untilText("<cd>\r\n\r\nPC1> ")]);
  expect(service.consoles).toHaveLength(2);
});

test("keys that follow each other closely are one message", async () => {
  const client = telnet(await claim("a"));
  await client.untilText("PC1> ");
  client.type("x".repeat(25_000));
  client.type("\x15ok\r");
  await client.untilText("<ok>\r\n\r\nPC1> ");
  expect(service.typed.every((text) => text.length <= 10_000)).toBe(true);
  expect(service.typed.join("")).toBe(`${"x".repeat(25_000)}\x15ok\r`);
});

test("a console that closes ends the telnet connection, and the other way round", async () => {
  const client = telnet(await claim("a"));
  await client.untilText("PC1> ");
  client.type("halt\r");
  await client.until(({ isEnded }) => isEnded);
  const other = telnet(await claim("a"));
  await other.untilText("PC1> ");
  const closed = new Promise((resolve) => service.consoles[1]!.once("close", resolve));
  other.close();
  await closed;
});

test("a refused console is reported", async () => {
  const client = telnet(await ports.portOf({ project_id: "lab-id", node_id: "unknown", console: PORT }));
  await client.until(({ isEnded }) => isEnded);
  expect(client.text).toBe("Wirelab: the console cannot be opened: Unexpected server response: 404\r\n");
});

test("a node keeps its port; another that wants the same one gets another", async () => {
  const first = await claim("a");
  const second = await claim("b");
  expect(second).not.toBe(first);
  expect([await claim("a"), await claim("b")]).toEqual([first, second]);
});

test("a port that another program has is passed over", async () => {
  const blocker = createServer();
  const taken = await new Promise<number>((resolve) =>
    blocker.listen(0, "127.0.0.1", () => resolve((blocker.address() as { port: number }).port)),
  );
  expect(await claim("a", taken)).not.toBe(taken);
  await new Promise((resolve) => blocker.close(resolve));
});

test("a node whose number changes moves, and a released one no longer listens", async () => {
  const first = await claim("a");
  const moved = await claim("a", first + 1);
  expect(moved).toBeGreaterThan(first);
  ports.keepOnly("lab-id");
  const client = telnet(moved);
  await client.until(({ isEnded }) => isEnded);
  expect(client.received).toHaveLength(0);
});

test("ports of other projects and of named nodes stay", async () => {
  const port = await claim("a");
  ports.keepOnly("another-id");
  ports.keepOnly("lab-id", new Set(["a"]));
  await telnet(port).untilText("PC1> ");
});
