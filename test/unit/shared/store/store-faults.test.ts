/** Calls a local server that responds like a failing store. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, describe, expect, test, vi } from "vitest";
import { countInto, type Measured } from "../../../../functions/shared/edge/metrics.ts";
import { clientSettings } from "../../../../functions/shared/store/base/client-settings.ts";
import { reportFaults } from "../../../../functions/shared/store/base/store-faults.ts";

let server: Server | undefined;
afterEach(() => {
  vi.unstubAllEnvs();
  server?.closeAllConnections();
  return new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
});

const SILENT = "silent";
const CUT = "cut";
/** A status, an error's name and its message. */
type Answer = readonly [number, string?, string?] | typeof SILENT | typeof CUT;

/** Returns the outcome of a call when the server gives these responses in order. */
async function call(...answers: Answer[]): Promise<{ counts: Measured; error: unknown; attempts: number }> {
  const left = [...answers];
  server = createServer((_request, response) => {
    const answer = left.shift()!;
    if (answer === SILENT) return;
    if (answer === CUT) {
      response.destroy();
      return;
    }
    const [status, name, message] = answer;
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0", connection: "close" });
    response.end(
      name ? JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message }) : "{}",
    );
  });
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  const client = reportFaults(
    new DynamoDBClient({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: "us-east-1",
      credentials: { accessKeyId: "a", secretAccessKey: "b" },
      ...clientSettings(3_000),
    }),
    "TableErrors",
  );
  const counts: Measured = {};
  const get = new GetItemCommand({ TableName: "t", Key: { pk: { S: "a" } } });
  const error = await countInto(counts, () => client.send(get)).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  client.destroy();
  return { counts, error, attempts: answers.length - left.length };
}

const THROTTLE = [400, "ProvisionedThroughputExceededException"] as const;
const BROKEN = [500, "InternalServerError"] as const;

describe("a call", () => {
  test("that is served counts nothing", async () => {
    expect(await call([200])).toEqual({ counts: {}, error: undefined, attempts: 1 });
  });

  test.each([
    ["throttled", THROTTLE],
    ["broken", BROKEN],
    ["cut off", CUT],
  ] as const)("that is %s once is made again, and counted", async (_what, fault) => {
    expect(await call(fault, [200])).toEqual({ counts: { TableErrors: 1 }, error: undefined, attempts: 2 });
  });

  test("without a response is repeated", async () => {
    vi.stubEnv("STORE_TIMEOUT_MS", "1000");
    expect(await call(SILENT, [200])).toEqual({ counts: { TableErrors: 1 }, error: undefined, attempts: 2 });
  });

  test("that is throttled in all attempts of the SDK is made again", async () => {
    vi.stubEnv("AWS_MAX_ATTEMPTS", "1");
    const { counts, error, attempts } = await call(THROTTLE, THROTTLE, THROTTLE, [200]);
    expect([counts, error, attempts]).toEqual([{ TableErrors: 3 }, undefined, 4]);
  });

  test("that is throttled for longer than twelve seconds throws a retryable error", async () => {
    vi.stubEnv("AWS_MAX_ATTEMPTS", "1");
    let nowMs = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 5_000));
    const { error, attempts } = await call(THROTTLE, THROTTLE, THROTTLE, [200]).finally(() =>
      clock.mockRestore(),
    );
    expect(error).toMatchObject({ code: "store.unavailable", status: 503, cause: expect.any(Error) });
    expect(attempts).toBeLessThan(4);
  });

  test.each([
    ["broken", BROKEN],
    ["cut off", CUT],
    ["unanswered", SILENT],
  ] as const)("that is %s each time throws a retryable error with its cause", async (_what, fault) => {
    vi.stubEnv("STORE_TIMEOUT_MS", "50");
    const { counts, error, attempts } = await call(fault, fault, fault, [200]);
    expect(error).toMatchObject({ code: "store.unavailable", status: 503, cause: expect.any(Error) });
    expect(attempts).toBe(3);
    expect(counts).toEqual({ TableErrors: 3 });
  });

  test("is attempted as often as the SDK's standard variable states", async () => {
    vi.stubEnv("AWS_MAX_ATTEMPTS", "1");
    const { error, attempts } = await call(BROKEN, [200]);
    expect([attempts, (error as { code: string }).code]).toEqual([1, "store.unavailable"]);
  });

  test("is not lost when the thread is busy for more than a second while it connects", async () => {
    vi.stubEnv("AWS_MAX_ATTEMPTS", "1");
    const compute = () =>
      process.nextTick(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200));
    subscribe("net.client.socket", compute);
    const { error } = await call([200]).finally(() => unsubscribe("net.client.socket", compute));
    expect(error).toBeUndefined();
  });

  test("on a table that does not exist names it", async () => {
    vi.stubEnv("TABLE_NAME", "wirelab-state");
    const { counts, error } = await call([400, "ResourceNotFoundException"]);
    expect(error).toMatchObject({
      code: "store.missing",
      status: 503,
      message: expect.stringContaining("The DynamoDB table wirelab-state does not exist"),
    });
    expect(counts).toEqual({ TableErrors: 1 });
  });

  test("on a damaged database throws an error that is not retryable", async () => {
    const damaged = [500, "InternalServerError", "backend: database disk image is malformed"] as const;
    const { error } = await call(damaged, damaged, damaged);
    expect(error).toMatchObject({ code: "store.damaged", status: 500, cause: expect.any(Error) });
    expect((error as Error).message).toContain("database disk image is malformed");
    expect((error as Error).message).not.toContain("try again");
  });

  test("that fails its condition does not count as a fault", async () => {
    const { counts, error, attempts } = await call([400, "ConditionalCheckFailedException"], [200]);
    expect(error).toMatchObject({ name: "ConditionalCheckFailedException" });
    expect([counts, attempts]).toEqual([{}, 1]);
  });
});
