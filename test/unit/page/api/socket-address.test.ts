import { expect, test } from "vitest";
import { socketAddress, subprotocols } from "../../../../page/src/api/socket-address.ts";

const PATH = "/projects/1/notifications/ws?since=7";

test("the address is the page's own, or that of the WebSocket API with the path as its query", () => {
  expect(socketAddress("https://lab.example", undefined, PATH)).toBe(`wss://lab.example/v2${PATH}`);
  expect(socketAddress("http://127.0.0.1:3080", undefined, PATH)).toBe(`ws://127.0.0.1:3080/v2${PATH}`);
  expect(socketAddress("https://rest.example", "wss://id.example/v2", PATH)).toBe(
    "wss://id.example/v2?path=%2Fv2%2Fprojects%2F1%2Fnotifications%2Fws&since=7",
  );
});

test("a token is offered as a subprotocol, and nothing else is", () => {
  expect(subprotocols("Bearer a.b.c")).toEqual(["wirelab", "wirelab.token.a.b.c"]);
  expect(subprotocols("Basic YTpi")).toEqual([]);
  expect(subprotocols(null)).toEqual([]);
});
