import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type ProxyServer, startProxy } from "../../../../packages/wirelab/proxy/proxy-server.ts";
import { findService } from "../../../../packages/wirelab/service/service.ts";
import { AUTHORIZATION, FakeService, PASSWORD } from "../../../helpers/wirelab/fake-service.ts";
import { TelnetClient } from "../../../helpers/wirelab/telnet-client.ts";

let service: FakeService;
let proxy: ProxyServer;
const PORT = 40_000 + (process.pid % 20_000);

beforeEach(async () => {
  service = await new FakeService().start();
  proxy = await startProxy(findService({ url: service.url }, { WIRELAB_PASSWORD: PASSWORD }), 0);
});

afterEach(async () => {
  await proxy.stop();
  await service.stop();
});

const url = (path: string): string => `http://127.0.0.1:${proxy.port}/v2${path}`;

async function getJson(path: string, init: RequestInit = {}): Promise<unknown> {
  return (await fetch(url(path), init)).json();
}

describe("HTTP", () => {
  test("requests reach the service with the user's credentials, and answers come back", async () => {
    const response = await fetch(url("/version?x=1"), {
      method: "POST",
      body: "{}",
      headers: { "x-a": "b" },
    });
    expect(response.status).toBe(404);
    expect(service.requests).toEqual(["POST /v2/version?x=1"]);
    expect(service.headers[0]).toMatchObject({ authorization: AUTHORIZATION, "x-a": "b" });
    expect(service.bodies).toEqual(["{}"]);
    expect(await getJson("/version")).toEqual({ version: "1" });
  });

  test("a stack with another path has it below /v2, too", async () => {
    const below = { url: service.url.replace("/v2", "/stage/v2"), sockets: undefined, headers: {} };
    const other = await startProxy(below, 0);
    await fetch(`http://127.0.0.1:${other.port}/v2/version`);
    await other.stop();
    expect(service.requests).toEqual(["GET /stage/v2/version"]);
  });

  test("a service that does not answer is a 502", async () => {
    await service.stop();
    const response = await fetch(url("/version"));
    expect([response.status, await response.json()]).toEqual([
      502,
      { status: 502, message: expect.stringContaining("does not answer") },
    ]);
    service = await new FakeService().start();
  });

  test("listens on the loopback interface only", async () => {
    const { networkInterfaces } = await import("node:os");
    const outer = Object.values(networkInterfaces())
      .flat()
      .find((each) => each?.family === "IPv4" && !each.internal);
    if (outer === undefined) return;
    await expect(fetch(`http://${outer.address}:${proxy.port}/v2/version`)).rejects.toThrow("fetch failed");
  });

  test.each([
    ["a name that is resolved to this machine", { host: "evil.example" }],
    ["a page of another site", { origin: "https://evil.example" }],
    ["a page of another site that sends no origin", { "sec-fetch-site": "cross-site" }],
    ["a page without an origin", { origin: "null" }],
  ])("refuses %s", async (_, headers) => {
    const refused = request(url("/version"), { headers: { host: `127.0.0.1:${proxy.port}`, ...headers } });
    refused.end();
    const [response] = await once(refused, "response");
    expect([response.statusCode, await text(response)]).toEqual([403, expect.stringContaining('"message"')]);
    expect(service.requests).toEqual([]);
  });

  test("accepts a page of this machine, whose origin the service does not see", async () => {
    const origin = `http://localhost:${proxy.port}`;
    expect((await fetch(url("/version"), { headers: { origin } })).status).toBe(200);
    expect(service.headers[0]!.origin).toBeUndefined();
  });
});

describe("nodes", () => {
  const port = (node: unknown): number => (node as { console: number }).console;

  test("have a telnet port of this machine, which leads to their console", async () => {
    service.add("PC1-id", PORT);
    const [node] = (await getJson("/projects/lab-id/nodes")) as [object];
    expect(node).toMatchObject({ name: "PC1", console_host: "127.0.0.1" });
    const client = new TelnetClient(port(node));
    await client.untilText("PC1> ");
    client.type("show\r");
    await client.untilText("<show>\r\n\r\nPC1> ");
    client.close();
    expect(service.headers.at(-1)!.authorization).toBe(AUTHORIZATION);
  });

  test("have the same port in every answer and event; two with one number have two", async () => {
    const [one, other] = [service.add("PC1-id", PORT), service.add("PC2-id", PORT)];
    const nodes = (await getJson("/projects/lab-id/nodes")) as [object, object];
    expect(port(nodes[0])).not.toBe(port(nodes[1]));
    const started = await getJson("/projects/lab-id/nodes/PC1-id/start", { method: "POST" });
    expect(port(started)).toBe(port(nodes[0]));

    const follower = new WebSocket(`${url("/projects/lab-id/notifications/ws").replace("http", "ws")}`);
    await once(follower, "open");
    const received = once(follower, "message");
    service.followers[0]!.send(JSON.stringify({ action: "node.updated", event: other }));
    const { event } = JSON.parse(String((await received)[0]));
    expect(event).toMatchObject({ node_id: "PC2-id", console: port(nodes[1]), console_host: "127.0.0.1" });
    expect(one.console_host).toBe("10.9.9.9");
    follower.terminate();
  });

  test("of a closed project, or without a console, are unchanged", async () => {
    service.add("PC1-id", PORT, "shut-id");
    service.add("SW1-id", null);
    const none = { ...service.add("SW2-id", PORT), console_type: "none" };
    service.nodes.splice(-1, 1, none);
    expect(await getJson("/projects/shut-id/nodes")).toEqual([service.nodes[0]]);
    expect(await getJson("/projects/lab-id/nodes")).toEqual(service.nodes.slice(1));
  });

  test.each([
    ["the project is closed", "POST", "/projects/lab-id/close"],
    ["the project is deleted", "DELETE", "/projects/lab-id"],
    ["the node is deleted", "DELETE", "/projects/lab-id/nodes/PC1-id"],
  ])("lose their port when %s", async (_, method, path) => {
    service.add("PC1-id", PORT);
    const [node] = (await getJson("/projects/lab-id/nodes")) as [object];
    expect((await fetch(url(path), { method })).ok).toBe(true);
    const client = new TelnetClient(port(node));
    await client.until(({ isEnded }) => isEnded);
    expect(client.received).toHaveLength(0);
  });

  test("get their ports again when the project is opened", async () => {
    service.add("PC1-id", PORT);
    await getJson("/projects/lab-id/close", { method: "POST" });
    expect(await getJson("/projects/lab-id/nodes")).toEqual(service.nodes);
    await getJson("/projects/lab-id/open", { method: "POST" });
    expect(await getJson("/projects/lab-id/nodes")).toMatchObject([{ console_host: "127.0.0.1" }]);
  });

  test("of all opened projects get their ports at the start", async () => {
    service.add("PC1-id", PORT);
    service.add("PC2-id", PORT, "shut-id");
    expect(await proxy.nodePorts.openAll()).toMatchObject([{ name: "PC1", console_host: "127.0.0.1" }]);
  });
});

describe("streams", () => {
  test("of events arrive line by line, with the ports of nodes, in their order", async () => {
    const node = service.add("PC1-id", PORT);
    const response = await fetch(url("/projects/lab-id/notifications"));
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const [stream] = service.streams;
    const line = `${JSON.stringify({ action: "node.created", event: node })}\n`;
    stream!.write(line.slice(0, 30));
    stream!.write(line.slice(30));
    stream!.write('{"action": "ping", "event": {}}\n');
    let received = "";
    while (received.split("\n").length < 3) received += (await reader.read()).value;
    const events = received
      .trim()
      .split("\n")
      .map((each) => JSON.parse(each));
    expect(events).toMatchObject([
      { action: "node.created", event: { console_host: "127.0.0.1" } },
      { action: "ping" },
    ]);
    await reader.cancel();
    await once(stream!, "close");
  });

  const follow = async (path = "/notifications/ws"): Promise<WebSocket> => {
    const client = new WebSocket(url(path).replace("http", "ws"));
    await once(client, "open");
    return client;
  };

  test("of WebSockets pass messages both ways, with the query of the client", async () => {
    const client = await follow("/projects/lab-id/nodes/PC1-id/console/ws?a=b");
    client.send("show\r");
    let screen = "";
    while (!screen.includes("<show>")) screen += String((await once(client, "message"))[0]);
    expect(service.requests).toEqual(["WS /v2/projects/lab-id/nodes/PC1-id/console/ws?a=b"]);
    client.close();
    await once(service.consoles[0]!, "close");
  });

  test.each([
    [1000, 1000],
    [4001, 4001],
    [1001, 1006],
  ])("close code %i of the service is %i for the client", async (code, expected) => {
    const client = await follow();
    service.followers[0]!.close(code);
    expect((await once(client, "close"))[0]).toBe(expected);
  });

  test("that the service refuses are refused with its status", async () => {
    const client = new WebSocket(url("/projects/lab-id/nodes/unknown/console/ws").replace("http", "ws"));
    expect(((await once(client, "error"))[0] as Error).message).toBe("Unexpected server response: 404");
  });

  test("that a page of another site opens are refused", async () => {
    const client = new WebSocket(url("/notifications/ws").replace("http", "ws"), {
      origin: "https://evil.example",
    });
    expect(((await once(client, "error"))[0] as Error).message).toBe("Unexpected server response: 403");
    expect(service.requests).toEqual([]);
  });
});
