import { expect, it } from "vitest";
import { isUnspecified, urlHost } from "../../../../infra/local/free-port.ts";

it.each([
  ["127.0.0.1", "127.0.0.1"],
  ["192.0.2.1", "192.0.2.1"],
  ["::1", "[::1]"],
  ["2001:db8::1", "[2001:db8::1]"],
  ["lab.example", "lab.example"],
])("a server on %s is called at %s", (host, called) => {
  expect(isUnspecified(host)).toBe(false);
  expect(urlHost(host)).toBe(called);
});

it.each([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
  ["0:0:0:0:0:0:0:0", "[::1]"],
])("a server on %s, all addresses, is called at %s", (host, called) => {
  expect(isUnspecified(host)).toBe(true);
  expect(urlHost(host)).toBe(called);
});
