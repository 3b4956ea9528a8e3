import { PassThrough } from "node:stream";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { SymbolItem } from "../../../../functions/shared/store/symbol/symbol.ts";
import { makeEvent } from "../../../helpers/service/event.ts";

const { objects, reads } = vi.hoisted(() => ({
  objects: new Map<string, Uint8Array>(),
  reads: [] as string[],
}));
vi.mock("../../../../functions/shared/store/base/objects.ts", () => ({
  readObject: async (key: string) => {
    reads.push(key);
    return objects.get(key);
  },
}));

let readSymbol: typeof import("../../../../functions/shared/store/symbol/symbol.ts").readSymbol;
let handler: typeof import("../../../../functions/symbols/handler.ts").handler;

beforeAll(async () => {
  Object.assign(process.env, { AWS_REGION: "eu-west-1", TABLE_NAME: "table" });
  vi.stubGlobal("awslambda", {
    streamifyResponse: (streaming: unknown) => streaming,
    HttpResponseStream: { from: (stream: PassThrough) => stream },
  });
  ({ handler } = await import("../../../../functions/symbols/handler.ts"));
  ({ readSymbol } = await import("../../../../functions/shared/store/symbol/symbol.ts"));
});

afterEach(() => {
  vi.restoreAllMocks();
  objects.clear();
  reads.length = 0;
});

const versionOf = (object_key: string): SymbolItem => ({
  symbol_id: "a.svg",
  object_key,
  content_type: "image/svg+xml",
  etag: `"${object_key}"`,
  size_bytes: 3,
});

/** The item that the table returns at each read, in order. */
function tableHas(...items: (SymbolItem | undefined)[]) {
  const answers = items.values();
  return vi.spyOn(DynamoDBDocumentClient.prototype, "send").mockImplementation(async () => {
    const { value: Item, done } = answers.next();
    if (done) throw new Error("the item was read once more");
    return { Item } as never;
  });
}

const BYTES = Buffer.from("abc");

describe("reading a symbol", () => {
  test("reads the item and its object once", async () => {
    const send = tableHas(versionOf("one"));
    objects.set("one", BYTES);
    expect(await readSymbol("a.svg")).toEqual({ symbol: versionOf("one"), bytes: BYTES });
    expect(send.mock.calls[0]![0].input).toMatchObject({
      Key: { pk: "SYMBOLS", sk: "SYMBOL#a.svg" },
      ConsistentRead: true,
    });
  });

  test("does not read bytes that the caller has", async () => {
    tableHas(versionOf("one"));
    const wants = vi.fn(() => false);
    expect(await readSymbol("a.svg", wants)).toEqual({ symbol: versionOf("one") });
    expect(wants).toHaveBeenCalledWith(versionOf("one"));
    expect(reads).toEqual([]);
  });

  test("returns nothing for an unknown symbol", async () => {
    tableHas(undefined);
    expect(await readSymbol("a.svg")).toBeUndefined();
  });

  test.each([1, 2, 7])("follows %i replacements to the version whose object exists", async (count) => {
    const replaced = Array.from({ length: count }, (_, index) => `old-${index}`);
    const last = `last-of-${count}`;
    tableHas(...replaced.map(versionOf), versionOf(last));
    objects.set(last, BYTES);
    expect(await readSymbol("a.svg")).toEqual({ symbol: versionOf(last), bytes: BYTES });
    expect(reads).toEqual([...replaced, last]);
  });

  test("compares the caller's tag with the version that replaced another", async () => {
    tableHas(versionOf("old"), versionOf("theirs"));
    const read = await readSymbol("a.svg", ({ object_key }) => object_key !== "theirs");
    expect(read).toEqual({ symbol: versionOf("theirs") });
    expect(reads).toEqual(["old"]);
  });

  test("reads an object once, and the item each time", async () => {
    const send = tableHas(versionOf("kept"), versionOf("kept"));
    objects.set("kept", BYTES);
    for (let count = 0; count < 2; count++) expect((await readSymbol("a.svg"))?.bytes).toEqual(BYTES);
    expect(reads).toEqual(["kept"]);
    expect(send).toHaveBeenCalledTimes(2);
  });

  test("returns nothing when the symbol was deleted between its item and its object", async () => {
    tableHas(versionOf("deleted"), undefined);
    expect(await readSymbol("a.svg")).toBeUndefined();
  });

  test("fails when the object of a symbol that was not replaced is missing", async () => {
    tableHas(versionOf("old"), versionOf("gone"), versionOf("gone"));
    await expect(readSymbol("a.svg")).rejects.toThrow("The bytes of symbol a.svg are missing");
    expect(reads).toEqual(["old", "gone"]);
  });

  test("answers 500 without internals when its object is missing, and logs the fault once", async () => {
    tableHas(versionOf("gone"), versionOf("gone"));
    const lines: string[] = [];
    for (const output of [process.stdout, process.stderr]) {
      vi.spyOn(output, "write").mockImplementation((line) => lines.push(String(line)) > 0);
    }
    const event = makeEvent("GET", "/symbols/a.svg/raw", {});
    const stream = new PassThrough();
    await handler(event as never, stream as never, { getRemainingTimeInMillis: () => 5000 } as never);
    const { requestId } = event.requestContext;
    expect(JSON.parse(Buffer.concat(await stream.toArray()).toString())).toEqual({
      code: "internal",
      message: "Internal server error",
      status: 500,
      request_id: requestId,
    });
    const faults = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === "fault");
    expect(faults).toMatchObject([
      {
        correlation_id: requestId,
        route: "symbols.getSymbolRaw",
        error: { message: "The bytes of symbol a.svg are missing" },
      },
    ]);
  });
});
