import { describe, expect, it } from "vitest";
import { buildProxyEvent, type ReceivedRequest } from "../../../../infra/local/proxy-event.ts";

const MATCH = {
  route: { resourcePath: "/a", method: "GET", functionId: "Echo", streaming: false, timeoutMs: 1 },
  pathParameters: {},
};

function build(request: Partial<ReceivedRequest>, binaryBodies = true) {
  const complete: ReceivedRequest = {
    requestId: "id-1",
    method: "GET",
    fullPath: "/v2/a",
    path: "/a",
    query: "",
    rawHeaders: [],
    body: Buffer.alloc(0),
    sourceIp: "192.0.2.1",
    protocol: "http",
    port: 3080,
    receivedAtMs: Date.UTC(2026, 3, 9, 12, 34, 56, 789),
    ...request,
  };
  return buildProxyEvent(complete, MATCH, "v2", binaryBodies);
}

describe("the event's query", () => {
  it.each([
    ["a=1&b=2&a=3", { a: "3", b: "2" }, { a: ["1", "3"], b: ["2"] }],
    ["a", { a: "" }, { a: [""] }],
    ["a=b=c", { a: "b=c" }, { a: ["b=c"] }],
    ["&&a=1&", { a: "1" }, { a: ["1"] }],
    ["%C3%A9=%2B+x", { é: "+ x" }, { é: ["+ x"] }],
    ["A=1&a=2", { A: "1", a: "2" }, { A: ["1"], a: ["2"] }],
  ])("%s is decoded", (query, last, all) => {
    expect(build({ query })).toMatchObject({
      queryStringParameters: last,
      multiValueQueryStringParameters: all,
    });
  });

  it("may have the names of object properties", () => {
    const event = build({ query: "__proto__=1&constructor=2" });

    expect(JSON.stringify(event?.queryStringParameters)).toBe('{"__proto__":"1","constructor":"2"}');
  });

  it.each(["a=%", "a=%4", "%zz=1", "a=%FF", "a=%C3%28"])("%s is rejected", (query) => {
    expect(build({ query })).toBeNull();
  });
});

describe("the event's headers", () => {
  it("keep their case and order, and `headers` has the last value of each", () => {
    const event = build({ rawHeaders: ["X-Up", "1", "x-low", "2", "X-UP", "3"] });

    expect(event?.headers).toMatchObject({ "X-Up": "3", "x-low": "2" });
    expect(event?.multiValueHeaders).toMatchObject({ "X-Up": ["1", "3"], "x-low": ["2"] });
  });

  it("contain the client's real address, port and protocol, whatever it claims", () => {
    const rawHeaders = [
      "x-forwarded-for",
      "10.1.1.1",
      "X-FORWARDED-PROTO",
      "https",
      "x-forwarded-port",
      "443",
    ];

    const event = build({ rawHeaders });

    expect(event?.headers).toEqual({
      "X-Forwarded-For": "10.1.1.1, 192.0.2.1",
      "X-Forwarded-Port": "3080",
      "X-Forwarded-Proto": "http",
    });
  });

  it("do not include headers of the connection", () => {
    const rawHeaders = ["Connection", "close", "Transfer-Encoding", "chunked", "Expect", "100-continue"];

    expect(Object.keys(build({ rawHeaders })?.headers ?? {}).sort()).toEqual([
      "X-Forwarded-For",
      "X-Forwarded-Port",
      "X-Forwarded-Proto",
    ]);
  });
});

describe("the event's body", () => {
  it.each([
    [true, "AAH/", true],
    [false, "\u0000\u0001\ufffd", false],
  ])("with binary bodies %s is %j", (binary, body, isBase64Encoded) => {
    expect(build({ body: Buffer.from([0, 1, 255]) }, binary)).toMatchObject({ body, isBase64Encoded });
  });
});

it("formats the time of the event's context in the common log format", () => {
  expect(build({})?.requestContext).toMatchObject({
    requestTime: "09/Apr/2026:12:34:56 +0000",
    requestTimeEpoch: Date.UTC(2026, 3, 9, 12, 34, 56, 789),
    identity: { sourceIp: "192.0.2.1" },
  });
});
