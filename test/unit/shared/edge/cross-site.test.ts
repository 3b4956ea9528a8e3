import { expect, test } from "vitest";
import { refuseCrossSite } from "../../../../functions/shared/edge/cross-site.ts";

const HOST = "api.example:8443";
const judge = (httpMethod: string, headers: Record<string, string>) => () =>
  refuseCrossSite({ httpMethod, headers: { host: HOST, ...headers } });

test.each([
  ["a page of another site", { origin: "https://evil.example" }],
  ["a page of another port", { origin: "https://api.example" }],
  ["a page without an origin", { origin: "null" }],
  ["a page that says it is another's", { origin: "https://evil.example", "sec-fetch-site": "same-site" }],
])("%s cannot change anything", (_name, headers) => {
  for (const method of ["POST", "PUT", "DELETE"]) {
    expect(judge(method, headers)).toThrow("Pages of other sites may change nothing here");
  }
});

test.each([
  ["a client that is no browser", "POST", {}],
  ["a page of the service itself", "POST", { origin: `https://${HOST}` }],
  [
    "a page of the service behind a proxy",
    "POST",
    { origin: "https://proxy.example", "sec-fetch-site": "same-origin" },
  ],
  ["a page that reads, whose browser hides the response", "GET", { origin: "https://evil.example" }],
  ["a page that requests headers, whose browser hides them", "HEAD", { origin: "https://evil.example" }],
])("%s is allowed", (_name, method, headers) => {
  expect(judge(method, headers as Record<string, string>)).not.toThrow();
});
