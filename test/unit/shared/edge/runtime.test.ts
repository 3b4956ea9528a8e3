/** How responses leave a function under the runtime client that Lambda uses. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Runtime, startRuntime } from "../../../helpers/runtime/runtime.ts";

let folder: string;
let runtime: Runtime;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "wirelab-runtime-"));
  const source = new URL("../../../helpers/runtime/streaming-handler.ts", import.meta.url).href;
  writeFileSync(join(folder, "index.mjs"), `export { handler } from ${JSON.stringify(source)};`);
  runtime = await startRuntime(folder, "index.handler");
});

afterAll(async () => {
  await runtime.stop();
  rmSync(folder, { recursive: true });
});

const get = (query: Record<string, string>) =>
  runtime.invoke({
    httpMethod: "GET",
    resource: "/answers",
    path: "/answers",
    headers: {},
    queryStringParameters: query,
    pathParameters: null,
    body: null,
    requestContext: { requestId: "request-1" },
  });

test.each([0, 1, 40])(
  "a source that fails after %i chunks is reported in the trailer, and the process continues",
  async (chunks) => {
    const broken = await get({ chunks: String(chunks) });
    const next = await get({});

    expect(broken.head?.statusCode).toBe(200);
    expect(broken.body.toString()).toBe("x".repeat(chunks * 65_536));
    expect(broken.error).toMatchObject({ errorType: "Error", errorMessage: "the source failed" });
    expect(next.head?.statusCode).toBe(204);
    expect(next.error).toBeUndefined();
  },
);

test.each(["", "x"])(
  "characters beyond the BMP arrive whole after %j, for any length of the response",
  async (before) => {
    const text = before + "😀".repeat(100_000);

    const { head, body } = await get({ text });

    expect(head?.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(body.toString())).toBe(text);
  },
);

test("a response without a body has its head", async () => {
  const { isStreamed, head, body } = await get({});

  expect([isStreamed, head?.statusCode, body.length]).toEqual([true, 204, 0]);
});
