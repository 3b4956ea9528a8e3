/** A console that the function `guests` carries on with, and what it prints there after it has failed. */
import { beforeEach, expect, test, vi } from "vitest";

const mocks = vi.hoisted(() => ({
  passConsole: vi.fn(),
  print: vi.fn(),
  handleInput: vi.fn(),
  readRequest: vi.fn(),
}));
vi.mock("../../../functions/shared/store/console/console.ts", () => mocks);
vi.mock("../../../functions/shared/console/print.ts", () => mocks);
vi.mock("../../../functions/shared/console/held-console.ts", () => ({
  ...mocks,
  GENERAL_FAULT: "It failed.",
}));
vi.mock("../../../functions/shared/run/stored-run.ts", () => ({
  readRequest: mocks.readRequest,
  saveOutcome: async () => {},
  saveProgress: async () => {},
}));

const { handler } = await import("../../../functions/runs/guests.ts");

const entered = { lines: [{ line: "ls", screen: "" }], screen: "", begun: [], seen: [] };
const ITEM = { connection_id: "c", prompt: "a# " };
const context = { getRemainingTimeInMillis: () => 900_000 } as Parameters<typeof handler>[1];

beforeEach(() => {
  for (const mock of Object.values(mocks)) mock.mockReset();
  mocks.passConsole.mockResolvedValue(ITEM);
  mocks.readRequest.mockResolvedValue({
    operation: "typeOnConsole",
    params: { project_id: "p", node_id: "n" },
    body: { run_id: "r", connection_id: "c", holder: "h", entered },
    access: {},
  });
});

test("takes the hold of the console, and runs the lines", async () => {
  await handler({ run: "runs/r" }, context);
  const key = { project_id: "p", node_id: "n", connection_id: "c" };
  expect(mocks.passConsole).toHaveBeenCalledExactlyOnceWith(key, "h", {
    holder: "r",
    untilMs: expect.any(Number),
  });
  expect(mocks.handleInput).toHaveBeenCalledExactlyOnceWith(
    ITEM,
    expect.objectContaining({ pace: "once", labSeconds: expect.any(Function) }),
    entered,
  );
});

test("does nothing for a console that was closed", async () => {
  mocks.passConsole.mockResolvedValue(undefined);
  await handler({ run: "runs/r" }, context);
  await handler({ run: "runs/r", failure: { Error: "Lambda.Unknown" } }, context);
  expect(mocks.handleInput).not.toHaveBeenCalled();
  expect(mocks.print).not.toHaveBeenCalled();
});

test("after a failure, says so on the console, runs no line again, and handles what was typed meanwhile", async () => {
  await handler({ run: "runs/r", failure: { Error: "Lambda.Unknown" } }, context);
  expect(mocks.print).toHaveBeenCalledExactlyOnceWith("c", "\r\x1b[KIt failed.\r\n\r\na# ");
  expect(mocks.handleInput.mock.calls).toEqual([[ITEM, expect.anything()]]);
});

test("after the failure of another run, does nothing: its client reads that it has failed", async () => {
  mocks.readRequest.mockResolvedValue({
    operation: "runLab",
    params: { project_id: "p" },
    body: {},
    access: {},
  });
  await handler({ run: "runs/r", failure: { Error: "Lambda.Unknown" } }, context);
  expect(mocks.passConsole).not.toHaveBeenCalled();
});

test("a run without a request fails", async () => {
  mocks.readRequest.mockResolvedValue(undefined);
  await expect(handler({ run: "runs/r" }, context)).rejects.toThrow("There is no request at runs/r");
});
