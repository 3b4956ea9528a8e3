import { expect, test } from "vitest";
import { findService, socketUrl } from "../../../packages/wirelab/service/service.ts";

test.each([
  [{}, {}, "http://127.0.0.1:3080/v2"],
  [{}, { WIRELAB_URL: "https://lab.example/v2/" }, "https://lab.example/v2"],
  [{ url: "http://localhost:3081" }, { WIRELAB_URL: "https://lab.example/v2" }, "http://localhost:3081/v2"],
])("the address by %j and %j", (options, environment, url) => {
  expect(findService(options, environment).url).toBe(url);
});

test.each([
  [{}, undefined],
  [{ WIRELAB_PASSWORD: "p w" }, "admin:p w"],
  [{ WIRELAB_USER: "eva", WIRELAB_PASSWORD: "é" }, "eva:é"],
])("the credentials of %j", (environment, expected) => {
  const { authorization } = findService({}, environment).headers;
  expect(authorization && Buffer.from(authorization.slice("Basic ".length), "base64").toString()).toBe(
    expected,
  );
});

test("the credentials in the address, and a token", () => {
  const inUrl = findService({ url: "http://eva:p%20w@localhost/v2" }, { WIRELAB_TOKEN: "t" });
  expect(inUrl.url).toBe("http://localhost/v2");
  expect(inUrl.headers.authorization).toBe(`Basic ${btoa("eva:p w")}`);
  expect(findService({}, { WIRELAB_TOKEN: "t" }).headers).toEqual({ authorization: "Bearer t" });
});

test.each([
  [{ url: "lab.example" }, '"lab.example" is no URL that begins with http:// or https://'],
  [{ sockets: "https://x" }, '"https://x" is no URL that begins with ws:// or wss://'],
])("refuses %j", (options, message) => {
  expect(() => findService(options, {})).toThrow(message);
});

test("WebSockets are at the same address, or have their path as a query", () => {
  expect(socketUrl(findService({ url: "https://lab.example/v2" }, {}), "/notifications/ws?since=7")).toBe(
    "wss://lab.example/v2/notifications/ws?since=7",
  );
  const own = findService({ sockets: "wss://id.execute-api.example/v2" }, {});
  const url = new URL(socketUrl(own, "/projects/p/notifications/ws?since=7"));
  expect(`${url.origin}${url.pathname}`).toBe("wss://id.execute-api.example/v2");
  expect(Object.fromEntries(url.searchParams)).toEqual({
    path: "/v2/projects/p/notifications/ws",
    since: "7",
  });
});
