import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TelnetPorts } from "../../../../infra/local/telnet-ports.ts";
import { findService } from "../../../../packages/wirelab/service/service.ts";
import { settles } from "../../../helpers/settles.ts";
import { FakeService, PASSWORD } from "../../../helpers/wirelab/fake-service.ts";
import { TelnetClient } from "../../../helpers/wirelab/telnet-client.ts";

let service: FakeService;
let ports: TelnetPorts;
const report = vi.fn();
/** Ports that no other test of this machine is likely to use, below those that Linux gives to clients. */
const PORT = 20_000 + (process.pid % 10_000);
const NODES = "/projects/lab-id/nodes";

beforeEach(async () => {
  report.mockReset();
  service = await new FakeService().start();
  ports = new TelnetPorts(findService({ url: service.url }, { WIRELAB_PASSWORD: PASSWORD }), report);
});

afterEach(async () => {
  await ports.stop();
  await service.stop();
});

/** Whether a console answers at the port. */
async function answers(port: number): Promise<boolean> {
  const client = new TelnetClient(port);
  await client.until(({ isEnded, text }) => isEnded || text.endsWith("PC1> "));
  client.close();
  return !client.isEnded;
}

/** The service has been asked for the nodes so often. */
const untilAsked = (times: number): Promise<void> =>
  settles(() => expect(service.requests.filter((line) => line === `GET /v2${NODES}`).length).toBe(times));

function block(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

test("nodes of opened projects listen on the port of their number", async () => {
  service.add("PC1-id", PORT);
  service.add("PC2-id", PORT + 1, "shut-id");
  service.add("SW1-id", PORT + 2).console_type = "none";
  await ports.openAll();
  expect(await Promise.all([PORT, PORT + 1, PORT + 2].map(answers))).toEqual([true, false, false]);
});

test("a node whose port another program has gets another number, which is stored", async () => {
  const blocker = await block(PORT);
  const node = service.add("PC1-id", PORT);
  await ports.openAll();
  expect(node.console).toBeGreaterThan(PORT);
  expect(await answers(node.console!)).toBe(true);
  expect(service.requests).toContain("PUT /v2/projects/lab-id/nodes/PC1-id");
  // The change is one of those that the gateway reports.
  const { console } = node;
  ports.noteRequest("PUT", `${NODES}/PC1-id`);
  await untilAsked(2);
  await new Promise((resolve) => blocker.close(resolve));
  expect([node.console, await answers(console!)]).toEqual([console, true]);
});

test("two projects that want one port both get one", async () => {
  service.projects[1]!.status = "opened";
  const [one, other] = [service.add("PC1-id", PORT), service.add("PC2-id", PORT, "shut-id")];
  await ports.openAll();
  expect(one.console).toBe(PORT);
  expect(other.console).not.toBe(PORT);
  expect(await Promise.all([answers(one.console!), answers(other.console!)])).toEqual([true, true]);
});

test("changes of nodes are followed, several at once, and without requests for anything else", async () => {
  await ports.openAll();
  await untilAsked(1);
  const nodes = [service.add("PC1-id", PORT), service.add("PC2-id", PORT + 1)];
  for (const path of [NODES, NODES, `${NODES}/PC1-id`]) ports.noteRequest("POST", path);
  for (const path of [`${NODES}/PC1-id/console`, `${NODES}/start`, `${NODES}/PC1-id/start`, "/projects"])
    ports.noteRequest("POST", path);
  ports.noteRequest("GET", NODES);
  await untilAsked(2);
  await settles(async () =>
    expect(await Promise.all(nodes.map(({ console }) => answers(console!)))).toEqual([true, true]),
  );
});

test("the ports close with their project, and open with it", async () => {
  service.add("PC1-id", PORT);
  await ports.openAll();
  service.projects[0]!.status = "closed";
  ports.noteRequest("POST", "/projects/lab-id/close");
  await settles(async () => expect(await answers(PORT)).toBe(false));
  service.projects[0]!.status = "opened";
  ports.noteRequest("POST", "/projects/lab-id/open");
  await settles(async () => expect(await answers(PORT)).toBe(true));
});

test("what prevents a port is reported, and the service goes on", async () => {
  service.add("PC1-id", -1);
  await ports.openAll();
  expect(report.mock.calls).toEqual([[expect.stringContaining("Telnet ports of the project lab-id: ")]]);
});

/** A service with many opened projects, which answers the first so many requests. */
async function slowService(projects: number, answered: number) {
  let requests = 0;
  const server = createHttpServer((_request, response) => {
    requests += 1;
    const list = Array.from({ length: projects }, (_, id) => ({ project_id: `p${id}`, status: "opened" }));
    if (requests <= answered) response.end(JSON.stringify(requests === 1 ? list : []));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    many: new TelnetPorts({ url: `http://127.0.0.1:${port}/v2`, sockets: undefined, headers: {} }, report),
    requests: () => requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("a stop waits neither for an answer nor for the projects that are left", async () => {
  const { many, requests, stop } = await slowService(5_000, 3);
  void many.openAll();
  await settles(() => expect(requests()).toBe(4));
  await many.stop();
  expect(requests()).toBe(4);
  expect(report).not.toHaveBeenCalled();
  await stop();
});

test("the list of projects is read once for all of them", async () => {
  const { many, requests, stop } = await slowService(20, 1_000);
  await many.openAll();
  expect(requests()).toBe(1 + 20);
  await many.stop();
  await stop();
});
