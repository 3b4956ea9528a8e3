/** The API page and its files, from the function's bundle under Lambda's runtime client. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXAMPLES } from "../../../functions/docs/examples.ts";
import { bundle } from "../../../infra/bundle.ts";
import { type Runtime, startRuntime } from "../../helpers/runtime/runtime.ts";
import { makeEvent } from "../../helpers/service/event.ts";

const folder = mkdtempSync(join(tmpdir(), "wirelab-page-"));
let runtime: Runtime;

beforeAll(async () => {
  bundle(fileURLToPath(new URL("../../../functions/docs/handler.ts", import.meta.url)), folder);
  runtime = await startRuntime(folder, "index.handler");
});
afterAll(async () => {
  await runtime.stop();
  rmSync(folder, { recursive: true });
});

async function get(path: string, headers: Record<string, string> = {}) {
  const { head, body } = await runtime.invoke(makeEvent("GET", path, { headers }));
  return { status: head!.statusCode, headers: head!.headers, body };
}

const packaged = (name: string): Buffer =>
  readFileSync(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)));

describe("the page", () => {
  test("lets the browser load scripts and styles of this service only, and has no inline script", async () => {
    const { status, headers, body } = await get("/docs");
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    const policy = headers["content-security-policy"]!.split("; ");
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(policy.join()).not.toMatch(/unsafe|https?:|\*/);
    const html = body.toString();
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\bon\w+=|\bstyle=|\/\//);
    const loaded = [...html.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map(([, url]) => url!);
    expect(loaded.toSorted()).toEqual([
      "docs/favicon.png",
      "docs/first-request.js",
      "docs/start.js",
      "docs/swagger-ui-bundle.js",
      "docs/swagger-ui.css",
    ]);
    for (const url of loaded) expect((await get(`/${url}`)).status, url).toBe(200);
  });

  test("links back to the page of labs, and has a place for the first request before the routes", async () => {
    const html = (await get("/docs")).body.toString();
    expect(html).toContain('href="page"');
    expect(html.indexOf('id="request"')).toBeGreaterThan(0);
    expect(html.indexOf('id="request"')).toBeLessThan(html.indexOf('id="page"'));
  });

  test.each([
    ["swagger-ui-bundle.js", "text/javascript; charset=utf-8"],
    ["swagger-ui.css", "text/css; charset=utf-8"],
  ])("serves %s from the package unchanged, compressed for callers that accept it", async (name, type) => {
    const plain = await get(`/docs/${name}`);
    expect(plain.headers).toMatchObject({ "content-type": type, vary: "accept-encoding" });
    expect(plain.headers).not.toHaveProperty("content-encoding");
    expect(plain.body.equals(packaged(name))).toBe(true);

    const compressed = await get(`/docs/${name}`, { "accept-encoding": "gzip, br" });
    expect(compressed.headers).toMatchObject({ "content-type": type, "content-encoding": "br" });
    expect(compressed.body.length).toBeLessThan(plain.body.length / 3);
    expect(brotliDecompressSync(compressed.body).equals(plain.body)).toBe(true);
    expect(compressed.headers.etag).not.toBe(plain.headers.etag);
  });

  test("does not send a file to a caller that has it", async () => {
    const { headers } = await get("/docs/swagger-ui.css");
    expect(headers["cache-control"]).toBe("public, max-age=300");
    const again = await get("/docs/swagger-ui.css", { "if-none-match": headers.etag! });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  test("serves the files of examples", async () => {
    const urls = Object.values(EXAMPLES.bodies).flatMap((example) =>
      "externalValue" in example ? [example.externalValue] : [],
    );
    expect(urls.length).toBeGreaterThanOrEqual(2);
    for (const url of urls) expect((await get(`/${url}`)).status, url).toBe(200);
  });

  test.each(["index.html", "handler.ts", "..%2Findex.mjs"])("serves no file %s", async (name) => {
    const { status, headers } = await get(`/docs/${name}`);
    expect([status, headers["content-type"], headers["cache-control"]]).toEqual([
      404,
      "application/json",
      "no-store",
    ]);
  });
});
