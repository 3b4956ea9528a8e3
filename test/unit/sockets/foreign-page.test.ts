import { afterEach, expect, test, vi } from "vitest";
import { refuseForeignPage } from "../../../functions/sockets/foreign-page.ts";

test.each([
  ["a client that is no browser", { Host: "lab.example" }],
  ["a page of the service", { Host: "lab.example:3080", Origin: "http://lab.example:3080" }],
  ["a page of the service in other spelling", { host: "LAB.example", origin: "https://lab.example" }],
  [
    "a page of the service behind CloudFront",
    { Host: "api.example", Origin: "https://lab.example", "X-Forwarded-Host": "lab.example" },
  ],
])("admits %s", (_who, headers) => expect(() => refuseForeignPage(headers)).not.toThrow());

test.each([
  ["another site", { Host: "lab.example", Origin: "https://evil.example" }],
  ["another port", { Host: "127.0.0.1:3080", Origin: "http://127.0.0.1:8000" }],
  ["no origin", { Host: "lab.example", Origin: "null" }],
  [
    "another site behind CloudFront",
    { Host: "a", Origin: "https://evil", "x-forwarded-host": "lab.example" },
  ],
])("rejects a page of %s", (_who, headers) =>
  expect(() => refuseForeignPage(headers)).toThrow("Pages of other sites may change nothing here"),
);

afterEach(() => vi.unstubAllEnvs());

test("admits a page of an origin that the setting lists", () => {
  const headers = { Host: "lab.example", Origin: "https://pages.example" };
  vi.stubEnv("CORS_ORIGINS", "https://other.example,https://pages.example");
  expect(() => refuseForeignPage(headers)).not.toThrow();
  vi.stubEnv("CORS_ORIGINS", "https://other.example");
  expect(() => refuseForeignPage(headers)).toThrow("Pages of other sites");
});

test("admits a page of any origin that offers its user's token, which no browser adds by itself", () => {
  const headers = { Host: "sockets.example", Origin: "https://lab.example" };
  const offering = { ...headers, "Sec-WebSocket-Protocol": "wirelab, wirelab.token.a.b.c" };
  expect(() => refuseForeignPage(offering)).not.toThrow();
  expect(() => refuseForeignPage({ ...headers, "Sec-WebSocket-Protocol": "wirelab" })).toThrow();
});

test("admits the page of the REST API, whose host is another one than that of the WebSocket API", () => {
  const headers = { Host: "sockets.example", Origin: "https://rest.example" };
  vi.stubEnv("PAGE_HOST", "rest.example");
  expect(() => refuseForeignPage(headers)).not.toThrow();
  vi.stubEnv("PAGE_HOST", "");
  expect(() => refuseForeignPage(headers)).toThrow("Pages of other sites");
});
