import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { corsHeaders, isAllowedOrigin, variesByOrigin } from "../../../../functions/shared/edge/cors.ts";
import { refuseCrossSite } from "../../../../functions/shared/edge/cross-site.ts";

const LAB = "https://lab.example";

beforeEach(() => vi.stubEnv("CORS_ORIGINS", `${LAB},http://localhost:4200`));
afterEach(() => vi.unstubAllEnvs());

test("a listed origin may read the response, its headers and send credentials", () => {
  expect(corsHeaders(LAB, { "content-type": "application/json", "x-seed": "1" })).toEqual({
    "access-control-allow-origin": LAB,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": "content-type, x-seed",
  });
  expect(variesByOrigin()).toBe(true);
});

test.each([
  undefined,
  "null",
  "",
  "http://lab.example",
  "https://lab.example:8443",
  "https://lab.example.evil.example",
  "https://evil-lab.example",
  "https://LAB.example",
  `${LAB},http://localhost:4200`,
])("the origin %j is not listed", (origin) => {
  expect([isAllowedOrigin(origin), corsHeaders(origin, {})]).toEqual([false, {}]);
});

test("without the setting no origin is listed, not even an empty one", () => {
  vi.stubEnv("CORS_ORIGINS", "");
  expect([isAllowedOrigin(""), isAllowedOrigin(LAB), variesByOrigin()]).toEqual([false, false, false]);
});

test("pages of listed origins may change something, others may not", () => {
  const post = (origin: string) => () =>
    refuseCrossSite({ httpMethod: "POST", headers: { host: "api.example", origin } });
  expect(post(LAB)).not.toThrow();
  expect(post("https://evil.example")).toThrow("Pages of other sites may change nothing here");
});
