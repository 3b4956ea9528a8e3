/** Which work a batch of the table's stream makes, and which records Lambda has to repeat. */
import { marshall } from "@aws-sdk/util-dynamodb";
import type { DynamoDBRecord } from "aws-lambda";
import { beforeEach, expect, test, vi } from "vitest";
import { handler } from "../../../functions/publisher/handler.ts";
import type { ChangeEvents } from "../../../functions/shared/store/events/publish.ts";
import { settles } from "../../helpers/settles.ts";

const mocks = vi.hoisted(() => ({
  publishEvents: vi.fn(),
  deliverToAll: vi.fn(),
  callFunction: vi.fn(),
  closeConsoles: vi.fn(),
  listFollowers: vi.fn(),
  getItems: vi.fn(),
}));
vi.mock("../../../functions/shared/store/events/publish.ts", () => mocks);
vi.mock("../../../functions/shared/store/sockets/deliver.ts", () => mocks);
vi.mock("../../../functions/shared/store/base/call-function.ts", () => mocks);
vi.mock("../../../functions/shared/store/console/close-consoles.ts", () => mocks);
vi.mock("../../../functions/shared/store/sockets/follower.ts", () => mocks);
vi.mock("../../../functions/shared/store/base/get-items.ts", () => mocks);

let published: [stream: string, sources: string[]][];
/** The sources of changes that the store refuses, with all of their stream behind them. */
let refused: Set<string>;

beforeEach(() => {
  for (const mock of Object.values(mocks)) mock.mockReset();
  published = [];
  refused = new Set();
  mocks.listFollowers.mockResolvedValue([]);
  mocks.getItems.mockResolvedValue([undefined]);
  mocks.callFunction.mockResolvedValue(undefined);
  mocks.publishEvents.mockImplementation(
    async (stream: string, changes: readonly ChangeEvents[], stored: Set<string>) => {
      for (const { source } of changes) {
        if (refused.has(source)) throw new Error("the table is throttled");
        stored.add(source);
      }
      published.push([stream, changes.map(({ source }) => source)]);
      return true;
    },
  );
});

interface Images {
  readonly before?: object;
  readonly after?: object;
}

function recordOf(number: number, entity: string, { before, after }: Images, sk = "sk"): DynamoDBRecord {
  const image = (item: object | undefined) =>
    item && marshall({ entity, ...item }, { removeUndefinedValues: true });
  const [NewImage, OldImage] = [image(after), image(before)];
  return {
    eventName: before === undefined ? "INSERT" : after === undefined ? "REMOVE" : "MODIFY",
    dynamodb: {
      SequenceNumber: String(number),
      ApproximateCreationDateTime: 1,
      Keys: { sk: { S: sk } },
      ...(NewImage && { NewImage }),
      ...(OldImage && { OldImage }),
    },
  } as DynamoDBRecord;
}

const drawing = (number: number, project_id: string): DynamoDBRecord =>
  recordOf(number, "drawing", {
    after: {
      project_id,
      drawing_id: "d",
      document: {},
      x: 0,
      y: 0,
      z: 0,
      rotation: 0,
      locked: false,
      svg: "",
    },
  });
const node = (number: number, status: string, now: string | undefined) => {
  const item = (is: string) => ({ project_id: "p1", node_id: "n", name: "PC1", status: is, document: "{}" });
  return recordOf(number, "node", { before: item(status), ...(now && { after: item(now) }) });
};
const connection = (number: number, id: string, channel = "projectNotifications") =>
  recordOf(number, "connection", { after: { connection_id: id, channel } }, id);

const handle = (...Records: DynamoDBRecord[]) => handler({ Records });
const ALL_HANDLED = { batchItemFailures: [] };
const from = (number: number) => ({ batchItemFailures: [{ itemIdentifier: String(number) }] });

test("the events of each project are published in the order of their changes, and delivered", async () => {
  const result = await handle(drawing(1, "p1"), drawing(2, "p2"), drawing(3, "p1"));
  expect(result).toEqual(ALL_HANDLED);
  expect(published.toSorted()).toEqual([
    ["p1", ["1", "3"]],
    ["p2", ["2"]],
  ]);
  expect(mocks.deliverToAll.mock.calls.flat().toSorted()).toEqual(["p1", "p2"]);
});

test("a stream that no client follows is not delivered", async () => {
  mocks.publishEvents.mockResolvedValue(false);
  expect(await handle(drawing(1, "p1"))).toEqual(ALL_HANDLED);
  expect(mocks.deliverToAll).not.toHaveBeenCalled();
});

test("the result names the first change whose events are not stored; other projects get theirs", async () => {
  refused.add("3");
  const result = await handle(drawing(1, "p1"), drawing(2, "p2"), drawing(3, "p1"), drawing(4, "p2"));
  expect(result).toEqual(from(3));
  expect(published).toEqual([["p2", ["2", "4"]]]);
  expect(mocks.deliverToAll.mock.calls.flat().toSorted()).toEqual(["p1", "p2"]);
});

test("of several failures, the earliest record is named", async () => {
  refused.add("2").add("3");
  expect(await handle(drawing(1, "p3"), drawing(2, "p1"), drawing(3, "p2"))).toEqual(from(2));
  expect(await handle(drawing(1, "p3"), drawing(3, "p2"), drawing(2, "p1"))).toEqual(from(3));
});

test("a batch whose first record fails throws, so that Lambda halves it", async () => {
  refused.add("1");
  await expect(handle(drawing(1, "p1"), drawing(2, "p2"))).rejects.toThrow("the table is throttled");
  await expect(handle(drawing(1, "p1"))).rejects.toThrow("the table is throttled");
});

test("a stream that cannot be delivered is repeated from its last change", async () => {
  mocks.deliverToAll.mockImplementation(async (stream: string) => {
    if (stream === "p1") throw new Error("the table is throttled");
  });
  expect(await handle(drawing(1, "p1"), drawing(2, "p1"), drawing(3, "p2"))).toEqual(from(2));
});

test("no events are made behind a change whose settings cannot be read", async () => {
  mocks.getItems.mockRejectedValue(new Error("the table is throttled"));
  const project = recordOf(2, "project", {
    after: {
      project_id: "p1",
      name: "lab",
      status: "opened",
      settings_revision: 1,
      owner: "u",
      created_us: 1,
    },
  });
  expect(await handle(drawing(1, "p1"), project, drawing(3, "p1"), drawing(4, "p2"))).toEqual(from(2));
  expect(published).toEqual([["p1", ["1"]]]);
});

test("changes that cannot be read are left out, and the others are handled", async () => {
  const noDocument = recordOf(1, "node", { after: { project_id: "p1" } });
  const noJson = recordOf(2, "node", { after: { project_id: "p1", document: "{" } });
  expect(await handle(noDocument, noJson, drawing(3, "p1"))).toEqual(ALL_HANDLED);
  expect(published).toEqual([["p1", ["3"]]]);
});

test("consoles of a node that stops are closed, but not for a change that is repeated", async () => {
  expect(await handle(node(1, "started", "stopped"))).toEqual(ALL_HANDLED);
  expect(mocks.closeConsoles).toHaveBeenCalledExactlyOnceWith("p1", "n", "Node PC1 is stopped");
  mocks.closeConsoles.mockReset();
  refused.add("2");
  expect(await handle(drawing(1, "p2"), drawing(2, "p2"), node(3, "started", undefined))).toEqual(from(2));
  expect(mocks.closeConsoles).not.toHaveBeenCalled();
});

test("consoles that cannot be closed are closed again", async () => {
  mocks.closeConsoles.mockRejectedValue(new Error("no answer"));
  expect(await handle(drawing(1, "p2"), node(2, "started", "stopped"), drawing(3, "p2"))).toEqual(from(2));
});

test("one call of the WebSockets' function gets all new connections, and one of the watcher follows", async () => {
  const opened = recordOf(3, "connection", { before: { channel: "a" }, after: { channel: "a" } }, "changed");
  expect(await handle(connection(1, "c1"), connection(2, "c2", "nodeConsole"), opened)).toEqual(ALL_HANDLED);
  expect(mocks.callFunction.mock.calls.toSorted()).toEqual([
    ["SOCKETS_FUNCTION", { opened: ["c1", "c2"] }],
    ["WATCHER_FUNCTION", {}],
  ]);
});

test("a console calls no watcher; the item that the watcher leaves does, and nothing else", async () => {
  await handle(connection(1, "c1", "nodeConsole"));
  expect(mocks.callFunction.mock.calls).toEqual([["SOCKETS_FUNCTION", { opened: ["c1"] }]]);
  mocks.callFunction.mockClear();
  await handle(recordOf(1, "watch-call", { after: { id: "one" } }));
  expect(mocks.callFunction.mock.calls).toEqual([["WATCHER_FUNCTION", {}]]);
});

test("a call that Lambda does not accept is made again with its first connection; events are not held back", async () => {
  mocks.callFunction.mockImplementation(async (variable: string) => {
    if (variable === "SOCKETS_FUNCTION") throw new Error("too many requests");
  });
  const result = await handle(drawing(1, "p1"), connection(2, "c1"), connection(3, "c2"), drawing(4, "p1"));
  expect(result).toEqual(from(2));
  expect(published).toEqual([["p1", ["1", "4"]]]);
});

test("a console's first message does not wait for the events of the batch", async () => {
  const released = Promise.withResolvers<void>();
  mocks.publishEvents.mockReturnValue(released.promise.then(() => true));
  const handling = handle(drawing(1, "p1"), connection(2, "c1"));
  await settles(() =>
    expect(mocks.callFunction).toHaveBeenCalledWith("SOCKETS_FUNCTION", { opened: ["c1"] }),
  );
  released.resolve();
  expect(await handling).toEqual(ALL_HANDLED);
});

test("a compute that a follower is interested in calls the watcher", async () => {
  const compute = recordOf(1, "compute", { after: { compute_id: "c", name: "c", host: "h", port: 1 } });
  await handle(compute);
  expect(mocks.callFunction).not.toHaveBeenCalled();
  mocks.listFollowers.mockResolvedValue([{}]);
  await handle(compute);
  expect(mocks.callFunction).toHaveBeenCalledExactlyOnceWith("WATCHER_FUNCTION", {});
});
