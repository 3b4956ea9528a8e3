import { beforeEach, expect, test, vi } from "vitest";
import { closeConsolesOfStopped } from "../../../functions/publisher/stopped-nodes.ts";

const mocks = vi.hoisted(() => ({
  listConsoles: vi.fn(),
  removeConsole: vi.fn(),
  send: vi.fn(),
  disconnect: vi.fn(),
}));
vi.mock("../../../functions/shared/store/console/console.ts", () => mocks);
vi.mock("../../../functions/shared/store/sockets/send.ts", () => mocks);

const node = (status: string) => ({ project_id: "p", node_id: "n", name: "PC1", status });
const change = (before: unknown, after: unknown, source = "node") =>
  ({ source, sequenceNumber: "1", changedS: 1, before, after }) as never;

beforeEach(() => {
  for (const mock of Object.values(mocks)) mock.mockReset();
  mocks.listConsoles.mockResolvedValue([{ connection_id: "one" }, { connection_id: "other" }]);
});

test.each([
  [node("stopped"), "stopped"],
  [node("suspended"), "suspended"],
  [undefined, "deleted"],
])("a started node that is %j then loses its consoles", async (after, status) => {
  await closeConsolesOfStopped(change(node("started"), after));
  expect(mocks.listConsoles).toHaveBeenCalledExactlyOnceWith("p", "n");
  expect(mocks.send.mock.calls).toEqual([
    ["one", `\r\nNode PC1 is ${status}\r\n`],
    ["other", `\r\nNode PC1 is ${status}\r\n`],
  ]);
  expect(mocks.disconnect.mock.calls).toEqual([["one"], ["other"]]);
  expect(mocks.removeConsole).toHaveBeenCalledTimes(2);
});

test.each([
  ["a node that stays on", change(node("started"), node("started"))],
  ["a node that was off", change(node("stopped"), node("started"))],
  ["a new node", change(undefined, node("started"))],
  ["a change of another item", change(node("started"), undefined, "link")],
])("%s keeps its consoles", async (_, each) => {
  await closeConsolesOfStopped(each);
  expect(mocks.listConsoles).not.toHaveBeenCalled();
});
