/** The WebSocket API of the local gateway, with functions of this test, and the endpoint with which they send. */
import { once } from "node:events";
import { rmSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GetConnectionCommand,
  GoneException,
  PostToConnectionCommand,
} from "@aws-sdk/client-apigatewaymanagementapi";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { startConnectionsEndpoint } from "../../../../infra/local/connections-endpoint.ts";
import type { EmbeddedServer } from "../../../../infra/local/embedded-server.ts";
import { type Gateway, startGateway } from "../../../../infra/local/gateway.ts";
import { type LambdaPool, makeLambdaPool } from "../../../../infra/local/lambda-pool.ts";
import { SocketConnections } from "../../../../infra/local/socket-connections.ts";
import { readTemplate } from "../../../../infra/local/template/template.ts";
import { settles } from "../../../helpers/settles.ts";
import { makeSocketsApi, writeAssembly } from "./assembly.ts";

/** Logs each event as a line, refuses what the query asks for, and fails on request. */
const LOGGING = `
  export const handler = async (event) => {
    console.log(JSON.stringify(event));
    if (event.body === "fail") throw new Error("thrown on purpose");
    const { answer } = event.queryStringParameters ?? {};
    if (answer === "fail") throw new Error("thrown on purpose");
    return answer === undefined
      ? { statusCode: 200 }
      : { statusCode: Number(answer), headers: { "content-type": "application/json" }, body: '{"code":"refused"}' };
  };`;

const JUDGE = `
  export const handler = async ({ headers, methodArn }) => {
    const [, name] = headers.Authorization.split(" ");
    if (name === "throw") throw new Error("thrown on purpose");
    const Statement = [{ Action: "execute-api:Invoke", Effect: name === "alice" ? "Allow" : "Deny", Resource: methodArn }];
    return { principalId: name, policyDocument: { Version: "2012-10-17", Statement }, context: { user: name, role: "editor" } };
  };`;

const ALICE = { headers: { Authorization: "Token alice" } };

interface Service {
  readonly connections: SocketConnections;
  readonly endpoint: EmbeddedServer;
  readonly gateway: Gateway;
  readonly client: ApiGatewayManagementApiClient;
  readonly url: string;
  /** The events that the function got, oldest first. */
  readonly events: Json[];
  stop(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: events are JSON of any shape.
type Json = Record<string, any>;

async function startService(judge?: string, limits = {}, options = {}): Promise<Service> {
  const folder = writeAssembly({
    functions: { Logging: { code: LOGGING }, ...(judge && { [judge]: { code: JUDGE } }) },
    methods: [{ path: "/plain", method: "GET", target: "Logging" }],
    extra: makeSocketsApi("Logging", judge),
  });
  const template = readTemplate(folder);
  const events: Json[] = [];
  const connections = new SocketConnections(limits);
  const endpoint = await startConnectionsEndpoint("127.0.0.1", "v2", connections);
  const pool: LambdaPool = makeLambdaPool(template.functions, {}, (_level, line) => {
    if (line.startsWith("{")) events.push(JSON.parse(line));
  });
  const gateway = await startGateway(template, pool, {
    host: "127.0.0.1",
    port: 0,
    sockets: connections,
    ...options,
  });
  const client = new ApiGatewayManagementApiClient({
    region: "us-east-1",
    endpoint: endpoint.endpoint,
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
  });
  return {
    connections,
    endpoint,
    gateway,
    client,
    events,
    url: `ws://127.0.0.1:${gateway.port}`,
    async stop() {
      await gateway.stop();
      await pool.stop();
      await endpoint.stop();
      client.destroy();
      rmSync(folder, { recursive: true });
    },
  };
}

const opened: WebSocket[] = [];

async function open(url: string, options: WebSocket.ClientOptions = {}): Promise<WebSocket> {
  const socket = new WebSocket(url, options);
  opened.push(socket);
  await once(socket, "open");
  return socket;
}

/** @returns the status and the JSON body of a refused handshake. */
function refused(
  url: string,
  options: WebSocket.ClientOptions = {},
): Promise<{ status?: number; body: Json }> {
  const socket = new WebSocket(url, options);
  return new Promise((resolve, reject) => {
    socket.once("open", () => reject(new Error("the handshake succeeded")));
    socket.once("error", reject);
    socket.once("unexpected-response", async (_request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode!, body: JSON.parse(Buffer.concat(chunks).toString()) });
    });
  });
}

const closed = async (socket: WebSocket): Promise<[code: number, reason: string]> => {
  const [code, reason] = await once(socket, "close");
  return [code, String(reason)];
};

describe("without an authorizer", () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  afterEach(() => {
    for (const socket of opened.splice(0)) socket.terminate();
  });

  const eventsAt = (path: string): Json[] =>
    service.events.filter(({ queryStringParameters }) => queryStringParameters?.path === path);

  /** The function's log arrives later than its answer. */
  const connectedAt = (path: string): Promise<Json> =>
    settles(() => {
      const [event] = eventsAt(path);
      if (event === undefined) throw new Error(`no connection at ${path}`);
      return event;
    });

  let count = 0;
  /** Opens a connection at a path of its own. */
  async function openOwn() {
    const path = `/v2/${count++}/ws`;
    const socket = await open(service.url + path);
    const { requestContext } = await connectedAt(path);
    const id: string = requestContext.connectionId;
    const eventsOf = (type: string): Json[] =>
      service.events.filter(
        ({ requestContext: { connectionId, eventType } }) => connectionId === id && eventType === type,
      );
    const awaitEvent = (type: string): Promise<Json> =>
      settles(() => {
        const [event] = eventsOf(type);
        if (event === undefined) throw new Error(`no ${type}`);
        return event;
      });
    return { socket, id, eventsOf, awaitEvent };
  }

  it("calls the function for a connection, with its query and the path", async () => {
    const path = "/v2/notifications/ws";
    await open(`${service.url}${path}?since=5&path=/elsewhere`, { headers: { "User-Agent": "test" } });
    const connected = await connectedAt(path);
    expect(connected).toMatchObject({
      headers: { Upgrade: "websocket", "User-Agent": "test", "X-Forwarded-For": "127.0.0.1" },
      multiValueHeaders: { "Sec-WebSocket-Version": ["13"] },
      queryStringParameters: { since: "5", path },
      multiValueQueryStringParameters: { path: [path] },
      isBase64Encoded: false,
      requestContext: {
        routeKey: "$connect",
        eventType: "CONNECT",
        messageDirection: "IN",
        stage: "v2",
        identity: { sourceIp: "127.0.0.1", userAgent: "test" },
        connectionId: expect.stringMatching(/=$/),
      },
    });
    expect(connected.requestContext).not.toHaveProperty("authorizer");
  });

  it("calls the function for the messages of a connection and its end", async () => {
    const { socket, awaitEvent } = await openOwn();
    socket.send("hello");
    expect(await awaitEvent("MESSAGE")).toMatchObject({
      body: "hello",
      requestContext: { routeKey: "$default", messageId: expect.any(String) },
    });
    socket.close(1000, "done");
    expect(await awaitEvent("DISCONNECT")).toMatchObject({
      requestContext: {
        routeKey: "$disconnect",
        disconnectStatusCode: 1000,
        disconnectReason: "done",
      },
    });
  });

  it("gives messages of the same millisecond times in the order of their arrival", async () => {
    const { socket, eventsOf } = await openOwn();
    const texts = ["a", "b", "c", "d", "e"];
    for (const text of texts) socket.send(text);
    await settles(() => expect(eventsOf("MESSAGE")).toHaveLength(texts.length));
    const times = new Map(
      eventsOf("MESSAGE").map((event) => [event.body, event.requestContext.requestTimeEpoch]),
    );
    expect(texts.toSorted((one, other) => times.get(one) - times.get(other))).toEqual(texts);
    expect(new Set(times.values()).size).toBe(texts.length);
  });

  it("takes the path from the query at the path of the stage", async () => {
    const path = "/v2/at-the-stage/ws";
    await open(`${service.url}/v2?path=${path}`);
    expect((await connectedAt(path)).queryStringParameters).toEqual({ path });
  });

  it.each([404, 403, 503])("answers a handshake with the function's status %i", async (status) => {
    expect(await refused(`${service.url}/v2/a/ws?answer=${status}`)).toEqual({
      status,
      body: { code: "refused" },
    });
  });

  it("answers a handshake with 502 if the function fails", async () => {
    const { status, body } = await refused(`${service.url}/v2/a/ws?answer=fail`);
    expect(status).toBe(502);
    expect(body).toEqual({
      message: "Internal server error",
      connectionId: expect.any(String),
      requestId: expect.any(String),
    });
  });

  it("has no WebSockets outside of the stage", async () => {
    expect((await refused(`${service.url}/other/ws`)).status).toBe(403);
    expect(eventsAt("/other/ws")).toEqual([]);
  });

  it.each([
    ["a key that is none", { "Sec-WebSocket-Key": "x" }],
    ["another version", { "Sec-WebSocket-Version": "7" }],
  ])("rejects a handshake with %s before the function is called", async (_case, headers) => {
    const sent = request({
      port: service.gateway.port,
      path: "/v2/malformed/ws",
      headers: {
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version": "13",
        ...headers,
      },
    }).end();
    const [response] = await once(sent, "response");
    expect(response.statusCode).toBe(400);
    response.resume();
    expect(eventsAt("/v2/malformed/ws")).toEqual([]);
  });

  it("ignores a request to upgrade to another protocol", async () => {
    const headers = { Connection: "Upgrade", Upgrade: "h2c" };
    const sent = request({ port: service.gateway.port, path: "/v2/plain", headers }).end();
    const [response] = await once(sent, "response");
    expect(response.statusCode).toBe(200);
    response.resume();
  });

  it("sends the message of a failed function to the client", async () => {
    const socket = await open(`${service.url}/v2/a/ws`);
    socket.send("fail");
    const [data] = await once(socket, "message");
    expect(JSON.parse(String(data))).toEqual({
      message: "Internal server error",
      connectionId: expect.any(String),
      requestId: expect.any(String),
    });
  });

  it("delivers what functions post, in order, and describes the connection", async () => {
    const { socket, id: ConnectionId } = await openOwn();
    const received: string[] = [];
    socket.on("message", (data) => received.push(String(data)));
    for (const text of ["one", "two", "three"])
      await service.client.send(new PostToConnectionCommand({ ConnectionId, Data: Buffer.from(text) }));
    await settles(() => expect(received).toEqual(["one", "two", "three"]));
    const found = await service.client.send(new GetConnectionCommand({ ConnectionId }));
    expect(found.Identity).toEqual({ SourceIp: "127.0.0.1", UserAgent: "" });
    expect(found.ConnectedAt!.getTime()).toBeLessThanOrEqual(found.LastActiveAt!.getTime());
  });

  it("closes a connection for a function, and then knows it no more", async () => {
    const { socket, id: ConnectionId, awaitEvent } = await openOwn();
    const ending = closed(socket);
    await service.client.send(new DeleteConnectionCommand({ ConnectionId }));
    expect(await ending).toEqual([1000, "Connection Closed Normally"]);
    await awaitEvent("DISCONNECT");
    for (const command of [
      new PostToConnectionCommand({ ConnectionId, Data: Buffer.from("late") }),
      new GetConnectionCommand({ ConnectionId }),
      new DeleteConnectionCommand({ ConnectionId }),
    ])
      await expect(service.client.send(command as PostToConnectionCommand)).rejects.toThrow(GoneException);
  });

  it("rejects a posted message of more than 128 KiB", async () => {
    const { id: ConnectionId } = await openOwn();
    const Data = Buffer.alloc(128 * 1024 + 1, "x");
    await expect(
      service.client.send(new PostToConnectionCommand({ ConnectionId, Data })),
    ).rejects.toMatchObject({ name: "PayloadTooLargeException" });
  });

  it("closes a connection that sends a binary message with 1003", async () => {
    const { socket, awaitEvent, eventsOf } = await openOwn();
    socket.send(Buffer.from("bytes"));
    expect((await closed(socket))[0]).toBe(1003);
    expect((await awaitEvent("DISCONNECT")).requestContext).toMatchObject({ disconnectStatusCode: 1003 });
    expect(eventsOf("MESSAGE")).toEqual([]);
  });

  it("closes a connection that sends a frame of more than 32 KiB with 1009; smaller frames may make a message of 128 KiB", async () => {
    const { socket, eventsOf, awaitEvent } = await openOwn();
    const part = "x".repeat(32 * 1024);
    for (const fin of [false, false, false, true]) socket.send(part, { fin });
    expect((await awaitEvent("MESSAGE")).body).toHaveLength(128 * 1024);
    socket.send(`${part}y`);
    expect((await closed(socket))[0]).toBe(1009);
    expect(eventsOf("MESSAGE")).toHaveLength(1);
  });

  it("closes a connection whose message is longer than 128 KiB with 1009", async () => {
    const { socket, eventsOf } = await openOwn();
    const part = "x".repeat(32 * 1024);
    for (const fin of [false, false, false, false, true]) socket.send(part, { fin });
    expect((await closed(socket))[0]).toBe(1009);
    expect(eventsOf("MESSAGE")).toEqual([]);
  });

  it("reports a client that leaves without a close frame as 1006", async () => {
    const { socket, awaitEvent } = await openOwn();
    socket.terminate();
    expect((await awaitEvent("DISCONNECT")).requestContext).toMatchObject({ disconnectStatusCode: 1006 });
  });

  it("survives a client that leaves during the handshake", async () => {
    const socket = connect(service.gateway.port, "127.0.0.1");
    await once(socket, "connect");
    const lines = [
      "GET /v2/a/ws HTTP/1.1",
      "Host: 127.0.0.1",
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Version: 13",
    ];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    socket.resetAndDestroy();
    await open(`${service.url}/v2/a/ws`);
  });
});

describe("with an authorizer", () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService("Judge");
  });
  afterAll(() => service.stop());

  it("passes the authorizer's context with every event", async () => {
    const socket = await open(`${service.url}/v2/a/ws`, ALICE);
    socket.send("hello");
    await settles(() => expect(service.events).toHaveLength(2));
    for (const { requestContext } of service.events)
      expect(requestContext.authorizer).toEqual({
        principalId: "alice",
        user: "alice",
        role: "editor",
      });
  });

  it.each([
    ["without credentials", {}, 401, "Unauthorized"],
    ["that the authorizer denies", { headers: { Authorization: "Token mallory" } }, 403, "Forbidden"],
    ["if the authorizer fails", { headers: { Authorization: "Token throw" } }, 500, "Internal server error"],
  ])("answers a handshake %s as AWS does", async (_case, options, status, message) => {
    const before = service.events.length;
    expect(await refused(`${service.url}/v2/a/ws`, options)).toEqual({
      status,
      body: { message, connectionId: expect.any(String), requestId: expect.any(String) },
    });
    expect(service.events).toHaveLength(before);
  });
});

it("closes idle connections with 1001, as AWS does, and cuts old ones, so that the desktop client comes back", async () => {
  const idle = await startService(undefined, { idleMs: 30 });
  expect(await closed(await open(`${idle.url}/v2/a/ws`))).toEqual([1001, "Going away"]);
  await idle.stop();
  const old = await startService(undefined, { lifetimeMs: 30 });
  const socket = await open(`${old.url}/v2/a/ws`);
  expect((await closed(socket))[0]).toBe(1006);
  await old.stop();
});

it("closes connections with 1012 when it stops, and calls the function first", async () => {
  const service = await startService();
  const socket = await open(`${service.url}/v2/a/ws`);
  const ending = closed(socket);
  await service.gateway.stop();
  expect(await ending).toEqual([1012, "Service restart"]);
  await settles(() =>
    expect(service.events.at(-1)).toMatchObject({ requestContext: { disconnectStatusCode: 1012 } }),
  );
  await service.stop();
});

it("accepts only names of this machine where the REST API does", async () => {
  const service = await startService(undefined, {}, { ownNamesOnly: true });
  const { status, body } = await refused(`${service.url}/v2/a/ws`, { headers: { Host: "evil.example" } });
  expect(status).toBe(403);
  expect(body).toMatchObject({ code: "access.foreign-host" });
  await open(`${service.url}/v2/a/ws`, { headers: { Host: "localhost:3080" } });
  await service.stop();
});
