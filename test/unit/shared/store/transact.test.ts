import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  holds,
  holdsAll,
  STALE,
  transact,
  untilFresh,
  untilProcessed,
} from "../../../../functions/shared/store/base/transact.ts";

const { execute } = vi.hoisted(() => ({ execute: vi.fn() }));
vi.mock("dynamodb-toolbox/entity/actions/transactWrite", () => ({ execute }));
/** The test's clock: a pause takes no real time, and half a second on this clock. */
let now = 0;
vi.mock("node:timers/promises", () => ({
  setTimeout: async () => {
    now += 500;
  },
}));
vi.spyOn(performance, "now").mockImplementation(() => now);

const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: "cancelled",
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

beforeEach(() => {
  execute.mockReset();
});

const step = (name: string) => ({ name }) as never;
const [one, two, three] = ["one", "two", "three"].map(step) as [never, never, never];

describe("transact", () => {
  test("performs the steps in order, without those that are absent", async () => {
    execute.mockResolvedValue({});
    expect(await transact({ one, none: undefined, many: [two, three] })).toEqual(new Set());
    expect(execute).toHaveBeenCalledWith(one, two, three);
  });

  test("returns the names of the steps whose conditions failed", async () => {
    execute.mockRejectedValue(cancelled("None", "ConditionalCheckFailed", "None", "ConditionalCheckFailed"));
    const refused = await transact({ one, none: undefined, two, many: [three, one] });
    expect(refused).toEqual(new Set(["two", "many"]));
    expect(execute).toHaveBeenCalledTimes(1);
  });

  test.each(["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"])(
    "retries after %s",
    async (code) => {
      execute.mockRejectedValueOnce(cancelled("None", code)).mockResolvedValueOnce({});
      expect(await transact({ one, two })).toEqual(new Set());
      expect(execute).toHaveBeenCalledTimes(2);
    },
  );

  test("a failed condition takes precedence over a conflict", async () => {
    execute.mockRejectedValue(cancelled("TransactionConflict", "ConditionalCheckFailed"));
    expect(await transact({ one, two })).toEqual(new Set(["two"]));
  });

  test("ends with an error that the client may retry", async () => {
    execute.mockRejectedValue(cancelled("TransactionConflict"));
    await expect(transact({ one, two })).rejects.toMatchObject({ code: "store.busy", status: 503 });
  });

  test.each(["ThrottlingError", "ProvisionedThroughputExceeded"])(
    "is patient for twelve seconds on %s",
    async (code) => {
      execute.mockRejectedValue(cancelled("None", code));
      await expect(transact({ one, two })).rejects.toMatchObject({ code: "store.unavailable", status: 503 });
      // A pause takes half a second on the test's clock.
      expect(execute).toHaveBeenCalledTimes(25);
    },
  );

  test("rethrows unknown errors", async () => {
    execute.mockRejectedValue(cancelled("ValidationError"));
    await expect(transact({ one, two })).rejects.toBeInstanceOf(TransactionCanceledException);
    execute.mockRejectedValue(new Error("network"));
    await expect(transact({ one, two })).rejects.toThrow("network");
  });
});

describe("holdsAll", () => {
  test("returns whether every step was performed", async () => {
    execute.mockResolvedValueOnce({});
    expect(await holdsAll([one, two])).toBe(true);
    execute.mockRejectedValueOnce(cancelled("None", "ConditionalCheckFailed"));
    expect(await holdsAll([one, two])).toBe(false);
  });
});

describe("untilFresh", () => {
  test("repeats while the read data is stale", async () => {
    const attempt = vi
      .fn()
      .mockResolvedValueOnce(STALE)
      .mockResolvedValueOnce(STALE)
      .mockResolvedValueOnce("done");
    expect(await untilFresh(attempt)).toBe("done");
  });

  test("ends with an error that the client may retry", async () => {
    await expect(untilFresh(async () => STALE)).rejects.toMatchObject({ code: "store.busy" });
  });
});

describe("holds", () => {
  const write = () => ({ send: vi.fn().mockResolvedValue({}) });

  test("returns whether the condition held", async () => {
    expect(await holds(write())).toBe(true);
    const refused = new ConditionalCheckFailedException({ message: "", $metadata: {} });
    expect(await holds({ send: () => Promise.reject(refused) })).toBe(false);
  });

  test("waits for a transaction on the same item, which the SDK does not", async () => {
    const { send } = write();
    send.mockRejectedValueOnce(new TransactionConflictException({ message: "", $metadata: {} }));
    expect(await holds({ send })).toBe(true);
    expect(send).toHaveBeenCalledTimes(2);
  });

  test("rethrows errors that are not a failed condition", async () => {
    await expect(holds({ send: () => Promise.reject(new Error("network")) })).rejects.toThrow("network");
  });
});

test("untilProcessed repeats items that the table left unprocessed", async () => {
  const attempt = vi.fn().mockResolvedValueOnce(false).mockResolvedValueOnce(true);
  await untilProcessed(attempt);
  expect(attempt).toHaveBeenCalledTimes(2);
});
