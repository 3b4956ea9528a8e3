import type { APIGatewayProxyEvent } from "aws-lambda";
import { describe, expect, test, vi } from "vitest";
import { failure } from "../../../../functions/shared/edge/errors.ts";
import {
  type Begun,
  carryOutOnce,
  fingerprintOf,
  newId,
  type Receipt,
  type RequestLedger,
  readKey,
} from "../../../../functions/shared/edge/idempotency.ts";
import { PATH_PARAMETERS } from "../../../../functions/shared/schemas/ids.ts";

const RECEIPT: Receipt = { id: "i", holder: "h", origin: "o", user: "ann" };
const KEYED = { key: "k", user: "u", fingerprint: "f" };

const ledgerOf = (begun: Begun) => ({
  begin: vi.fn(async () => begun),
  keep: vi.fn(async () => undefined),
  release: vi.fn(async () => undefined),
  handBack: vi.fn(async () => undefined),
});

const carryOut = (ledger: RequestLedger, task: () => Promise<never> | Promise<object>, onFault = vi.fn()) =>
  carryOutOnce(ledger, KEYED, () => undefined, task as never, onFault);

const event = (changes: Partial<APIGatewayProxyEvent>): APIGatewayProxyEvent =>
  ({ httpMethod: "POST", path: "/a", headers: {}, body: null, isBase64Encoded: false, ...changes }) as never;

describe("a request with a key", () => {
  test("runs under its receipt, and its response is stored", async () => {
    const ledger = ledgerOf({ state: "begun", receipt: RECEIPT });
    const task = vi.fn(async (_receipt?: Receipt) => ({
      status: 201,
      body: { a: 1 },
      headers: { "x-a": "b" },
    }));
    expect(await carryOut(ledger, task)).toMatchObject({ status: 201, body: { a: 1 } });
    expect(task).toHaveBeenCalledExactlyOnceWith(RECEIPT);
    expect(ledger.keep).toHaveBeenCalledExactlyOnceWith(RECEIPT, {
      status: 201,
      headers: { "x-a": "b" },
      contentType: "application/json",
      body: Buffer.from('{"a":1}'),
    });
  });

  test("that has a response gets it again, and does not run", async () => {
    const answer = { status: 201, headers: { "x-a": "b" }, contentType: "text/x", body: Buffer.from("hi") };
    const task = vi.fn();
    expect(await carryOut(ledgerOf({ state: "answered", answer }), task)).toEqual({
      status: 201,
      headers: { "x-a": "b", "idempotency-replayed": "true" },
      contentType: "text/x",
      body: Buffer.from("hi"),
    });
    expect(task).not.toHaveBeenCalled();
  });

  test.each([
    ["other-request", "idempotency.key-reused", 422],
    ["in-progress", "idempotency.in-progress", 409],
    ["carried-out", "idempotency.answer-not-kept", 409],
  ] as const)("that is %s is refused", async (state, code, status) => {
    const task = vi.fn();
    await expect(carryOut(ledgerOf({ state }), task)).rejects.toMatchObject({ code, status });
    expect(task).not.toHaveBeenCalled();
  });

  test("that is rejected frees its key", async () => {
    const ledger = ledgerOf({ state: "begun", receipt: RECEIPT });
    const task = () => Promise.reject(failure("node.not-found", { node_id: "n" }));
    await expect(carryOut(ledger, task)).rejects.toMatchObject({ code: "node.not-found" });
    expect(ledger.release).toHaveBeenCalledExactlyOnceWith(RECEIPT);
    expect(ledger.handBack).not.toHaveBeenCalled();
  });

  test.each([failure("store.busy"), new Error("socket hang up")])(
    "that failed with %s, and may have taken effect, keeps its key for the retry",
    async (error) => {
      const ledger = ledgerOf({ state: "begun", receipt: RECEIPT });
      await expect(carryOut(ledger, () => Promise.reject(error))).rejects.toBe(error);
      expect(ledger.handBack).toHaveBeenCalledExactlyOnceWith(RECEIPT);
      expect(ledger.release).not.toHaveBeenCalled();
    },
  );

  test("returns its response even if it cannot be stored, and reports the fault", async () => {
    const [ledger, onFault] = [ledgerOf({ state: "begun", receipt: RECEIPT }), vi.fn()];
    const lost = new Error("table is away");
    ledger.keep.mockRejectedValueOnce(lost);
    expect(await carryOut(ledger, async () => ({ status: 200, body: {} }), onFault)).toMatchObject({
      status: 200,
    });
    expect(onFault).toHaveBeenCalledExactlyOnceWith(lost);
  });
});

describe("the fingerprint of a request", () => {
  const base = { path: "/a", body: "x", multiValueQueryStringParameters: { q: ["1"], r: ["2"] } };

  test("is the same for any encoding of the body and any order of the query", () => {
    const encoded = { ...base, body: Buffer.from("x").toString("base64"), isBase64Encoded: true };
    const reordered = { ...base, multiValueQueryStringParameters: { r: ["2"], q: ["1"] } };
    expect(fingerprintOf(event(encoded))).toBe(fingerprintOf(event(base)));
    expect(fingerprintOf(event(reordered))).toBe(fingerprintOf(event(base)));
  });

  test.each([
    { path: "/b" },
    { body: "y" },
    { multiValueQueryStringParameters: { q: ["1"] } },
    { multiValueQueryStringParameters: { q: ["1"], r: ["2", "3"] } },
    { headers: { accept: "application/json" } },
  ])("differs with %j", (change) => {
    expect(fingerprintOf(event({ ...base, ...change }))).not.toBe(fingerprintOf(event(base)));
  });
});

describe("a new id", () => {
  test("differs each time without a receipt", () => {
    expect(newId({}, "node")).not.toBe(newId({}, "node"));
  });

  test("is a UUID that depends only on the receipt's origin and the purpose", () => {
    const id = newId({ receipt: RECEIPT }, "node");
    expect(PATH_PARAMETERS.node_id.safeParse(id).success).toBe(true);
    expect(id).toMatch(/^.{8}-.{4}-8.{3}-[89ab].{3}-.{12}$/);
    expect(newId({ receipt: { ...RECEIPT, holder: "other" } }, "node")).toBe(id);
    expect(newId({ receipt: RECEIPT }, "link")).not.toBe(id);
    expect(newId({ receipt: { ...RECEIPT, origin: "other" } }, "node")).not.toBe(id);
  });
});

describe("a key in a header", () => {
  test.each([
    ["abc", "abc"],
    [' "abc" ', "abc"],
    ["x".repeat(255), "x".repeat(255)],
  ])("of %j is read", (given, key) => {
    expect(readKey({ "idempotency-key": given })).toBe(key);
  });

  test("that is absent is undefined", () => {
    expect(readKey({})).toBeNull();
  });

  test.each(["", '""', "a b", "x".repeat(256), "\u0007", "\u00e9"])("of %j is refused", (given) => {
    expect(() => readKey({ "idempotency-key": given })).toThrow(/headers.idempotency-key/);
  });
});
