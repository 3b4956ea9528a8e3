/** The event `ping` over WebSockets, and the figures that it shares with NDJSON streams and with /statistics. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { SERVICE } from "../../../functions/shared/edge/access.ts";
import { pingText } from "../../../functions/shared/edge/ping.ts";

const sent: string[] = [];
vi.mock("../../../functions/shared/store/sockets/send.ts", () => ({
  send: async (_connection: string, text: string) => sent.push(text) > 0,
}));
vi.mock("../../../functions/shared/store/sockets/follower.ts", () => ({
  lastSent: async () => 5,
  openFollower: async () => true,
}));
vi.mock("../../../functions/shared/store/sockets/deliver.ts", () => ({ deliver: async () => {} }));
vi.mock("../../../functions/shared/store/events/read-events.ts", () => ({}));
vi.mock("../../../functions/shared/store/project/project.ts", () => ({}));
vi.mock("../../../functions/shared/store/sockets/connection.ts", () => ({}));
vi.mock("node:os", async (original) => ({
  ...(await original<typeof import("node:os")>()),
  loadavg: () => [1, 0, 0],
  availableParallelism: () => 4,
  totalmem: () => 1000,
  freemem: () => 900,
}));

const { serviceNotifications } = await import("../../../functions/sockets/notifications.ts");
const { readMachine } = await import("../../../functions/statistics/machine.ts");

const connection = { connection_id: "c", params: {}, query: {}, caller: {} } as never;
const event = { cpu_usage_percent: 25, memory_usage_percent: 10 };

beforeEach(() => void sent.splice(0));

describe("a ping", () => {
  test.each([
    // The client continues after this number.
    ["open", { seq: 5 }, () => serviceNotifications.open(SERVICE, connection)],
    ["keepAlive", {}, () => serviceNotifications.keepAlive(connection)],
  ] as const)("over a WebSocket, at %s, has the machine's load", async (_when, position, act) => {
    await act();
    expect(sent.map((text) => JSON.parse(text))).toEqual([{ action: "ping", event, ...position }]);
  });

  test("in a stream has the same figures, and the number after which the stream continues", () => {
    expect(JSON.parse(pingText(7))).toEqual({ action: "ping", event, seq: 7 });
  });

  test("has the figures of /statistics", async () => {
    expect(await readMachine()).toMatchObject(event);
  });
});
