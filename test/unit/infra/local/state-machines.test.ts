import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  SFNClient,
  StartExecutionCommand,
  StateMachineDoesNotExist,
  StopExecutionCommand,
} from "@aws-sdk/client-sfn";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startStateMachines } from "../../../../infra/local/state-machines.ts";
import {
  readStateMachines,
  type StateMachineDefinition,
} from "../../../../infra/local/template/state-machines.ts";
import { settles } from "../../../helpers/settles.ts";

const MACHINE = {
  name: "machine",
  functionId: "Play",
  timeoutMs: 60_000,
  map: {
    maxConcurrency: 8,
    itemsPath: "$.batches",
    itemSelector: { "sweep.$": "$.sweep", "batch.$": "$$.Map.Item.Value" },
  },
};
const DONE = { kind: "buffered", payload: "null" } as const;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Invoke = Parameters<typeof startStateMachines>[2] extends () => infer Pool ? Pool : never;

async function start(
  invoke: Invoke["invoke"],
  machine: StateMachineDefinition = MACHINE,
  wait: (seconds: number, signal: AbortSignal) => Promise<void> = async () => {},
) {
  const server = await startStateMachines("127.0.0.1", [machine], () => ({ invoke }), wait);
  const credentials = { accessKeyId: "a", secretAccessKey: "b" };
  const client = new SFNClient({
    endpoint: server.endpoint,
    region: "us-east-1",
    credentials,
    maxAttempts: 1,
  });
  closers.push(
    () => client.destroy(),
    () => server.stop(),
  );
  const input = JSON.stringify({ sweep: "here", batches: [0, 1, 2] });
  const begin = (name: string) =>
    client.send(new StartExecutionCommand({ stateMachineArn: "machine", name, input }));
  const state = async (executionArn: string | undefined) =>
    (await client.send(new DescribeExecutionCommand({ executionArn }))).status;
  return { client, begin, state };
}

test("the SDK starts an execution, which calls the function with each item, and reads its end", async () => {
  const events: unknown[] = [];
  const { begin, state } = await start(async (functionId, _id, event) => {
    events.push([functionId, JSON.parse(event)]);
    return DONE;
  });
  const { executionArn } = await begin("one");
  expect(executionArn).toBe("machine:one");
  await settles(async () => expect(await state(executionArn)).toBe("SUCCEEDED"));
  expect(events).toEqual([0, 1, 2].map((batch) => ["Play", { sweep: "here", batch }]));
});

test("an execution fails with its function", async () => {
  const { begin, state } = await start(async () => {
    throw new Error("no");
  });
  const { executionArn } = await begin("one");
  await settles(async () => expect(await state(executionArn)).toBe("FAILED"));
});

test("an execution that is stopped begins no further item", async () => {
  const released = Promise.withResolvers<typeof DONE>();
  const invoke = vi.fn(() => released.promise);
  const { client, begin, state } = await start(invoke, {
    ...MACHINE,
    map: { ...MACHINE.map, maxConcurrency: 1 },
  });
  const { executionArn } = await begin("one");
  expect(await state(executionArn)).toBe("RUNNING");
  await client.send(new StopExecutionCommand({ executionArn }));
  expect(await state(executionArn)).toBe("ABORTED");
  released.resolve(DONE);
  await released.promise;
  expect(await state(executionArn)).toBe("ABORTED");
  expect(invoke).toHaveBeenCalledTimes(1);
});

test("an execution that takes too long ends", async () => {
  const { begin, state } = await start(() => new Promise(() => {}), { ...MACHINE, timeoutMs: 0 });
  const { executionArn } = await begin("one");
  await settles(async () => expect(await state(executionArn)).toBe("TIMED_OUT"));
});

test("a name is used once; unknown machines and executions are reported", async () => {
  const { client, begin, state } = await start(async () => DONE);
  const { executionArn } = await begin("one");
  await settles(async () => expect(await state(executionArn)).toBe("SUCCEEDED"));
  await expect(begin("one")).rejects.toThrow(ExecutionAlreadyExists);
  await expect(state("machine:two")).rejects.toThrow(ExecutionDoesNotExist);
  await expect(client.send(new StartExecutionCommand({ stateMachineArn: "other" }))).rejects.toThrow(
    StateMachineDoesNotExist,
  );
});

test("a machine without a map calls its function once, with the input", async () => {
  const events: unknown[] = [];
  const invoke: Invoke["invoke"] = async (functionId, _id, event) => {
    events.push([functionId, JSON.parse(event)]);
    return DONE;
  };
  const { begin, state } = await start(invoke, { name: "machine", functionId: "Run", timeoutMs: 60_000 });
  const { executionArn } = await begin("one");
  await settles(async () => expect(await state(executionArn)).toBe("SUCCEEDED"));
  expect(events).toEqual([["Run", { sweep: "here", batches: [0, 1, 2] }]]);
});

test("a machine with a choice calls the other function when the input has the name", async () => {
  const events: unknown[] = [];
  const invoke: Invoke["invoke"] = async (functionId, _id, event) => {
    events.push([functionId, JSON.parse(event)]);
    return DONE;
  };
  const choosing = (presentName: string) => ({
    ...MACHINE,
    choice: { presentName, call: { functionId: "Guests", map: MACHINE.map } },
  });
  for (const name of ["sweep", "absent"]) {
    const { begin, state } = await start(invoke, choosing(name));
    const { executionArn } = await begin(name);
    await settles(async () => expect(await state(executionArn)).toBe("SUCCEEDED"));
  }
  const played = [0, 1, 2].map((batch) => ({ sweep: "here", batch }));
  expect(events).toEqual(["Guests", "Play"].flatMap((name) => played.map((each) => [name, each])));
});

test("a function that fails is called again with the error, and the execution has failed", async () => {
  const events: unknown[] = [];
  const { begin, state } = await start(
    async (_functionId, _id, event) => {
      events.push(JSON.parse(event));
      if (events.length === 1) throw new Error("no memory");
      return DONE;
    },
    { name: "machine", functionId: "Run", timeoutMs: 60_000, failureName: "failure" },
  );
  const { executionArn } = await begin("one");
  await settles(async () => expect(await state(executionArn)).toBe("FAILED"));
  const input = { sweep: "here", batches: [0, 1, 2] };
  expect(events).toEqual([input, { ...input, failure: { Error: "Error", Cause: "no memory" } }]);
});

const readMachine = (definition: object) =>
  readStateMachines(
    {
      Machine: {
        Type: "AWS::StepFunctions::StateMachine",
        Properties: { DefinitionString: JSON.stringify({ TimeoutSeconds: 60, ...definition }) },
      },
    },
    { Machine: "machine", Play: "play" },
    (value) => value,
  );
const mapOf = (name: string) => ({
  Type: "Map",
  End: true,
  ItemsPath: "$.batches",
  ItemSelector: {},
  MaxConcurrency: 1,
  ItemProcessor: { StartAt: name, States: { [name]: { Type: "Task", Resource: "arn:play", End: true } } },
});
const choiceOf = (first: string, second: string) => ({
  StartAt: "Kind",
  States: {
    Kind: {
      Type: "Choice",
      Choices: [{ Variable: "$.guests", IsPresent: true, Next: "Others" }],
      Default: "Usual",
    },
    Usual: mapOf(first),
    Others: mapOf(second),
  },
});

test("a machine whose maps have states of the same name is refused, as by Step Functions", () => {
  expect(readMachine(choiceOf("Play", "PlayGuests"))).toMatchObject([{ functionId: "Play" }]);
  for (const name of ["Play", "Usual", "Kind"])
    expect(() => readMachine(choiceOf("Play", name))).toThrow(
      `Machine.DefinitionString: two states have the name ${name}`,
    );
});

describe("a machine that repeats calls that were not started", () => {
  const retry = [
    {
      ErrorEquals: ["Lambda.TooManyRequestsException"],
      IntervalSeconds: 1,
      BackoffRate: 2,
      MaxDelaySeconds: 3,
      MaxAttempts: 4,
    },
  ];
  const machine = { name: "machine", functionId: "Run", timeoutMs: 60_000, failureName: "failure", retry };
  const busy = () => Object.assign(new Error("Rate exceeded"), { name: "Lambda.TooManyRequestsException" });

  test("plays the run once when the account is no longer busy, after longer and longer waits", async () => {
    const waits: number[] = [];
    const invoke = vi.fn<Invoke["invoke"]>(async () => DONE);
    for (let refused = 0; refused < 4; refused++) invoke.mockRejectedValueOnce(busy());
    const { begin, state } = await start(invoke, machine, async (seconds) => void waits.push(seconds));
    const { executionArn } = await begin("one");
    await settles(async () => expect(await state(executionArn)).toBe("SUCCEEDED"));
    expect(invoke).toHaveBeenCalledTimes(5);
    expect(waits).toEqual([1, 2, 3, 3]);
    expect(invoke.mock.calls.every(([, , event]) => !("failure" in JSON.parse(event)))).toBe(true);
  });

  test("waits for a random part of the time with jitter", async () => {
    const waits: number[] = [];
    const invoke = vi.fn<Invoke["invoke"]>(async () => DONE).mockRejectedValueOnce(busy());
    vi.spyOn(Math, "random").mockReturnValue(0.25);
    const jittered = { ...machine, retry: [{ ...retry[0]!, JitterStrategy: "FULL" as const }] };
    const { begin, state } = await start(invoke, jittered, async (seconds) => void waits.push(seconds));
    const { executionArn } = await begin("one");
    await settles(async () => expect(await state(executionArn)).toBe("SUCCEEDED"));
    vi.restoreAllMocks();
    expect(waits).toEqual([0.25]);
  });

  test("reports a failure when its patience has ended", async () => {
    const invoke = vi.fn<Invoke["invoke"]>(async (_functionId, _id, event) => {
      if ("failure" in JSON.parse(event)) return DONE;
      throw busy();
    });
    const { begin, state } = await start(invoke, machine);
    const { executionArn } = await begin("one");
    await settles(async () => expect(await state(executionArn)).toBe("FAILED"));
    expect(invoke).toHaveBeenCalledTimes(1 + 4 + 1);
    expect(JSON.parse(invoke.mock.lastCall![2])).toMatchObject({
      failure: { Error: "Lambda.TooManyRequestsException" },
    });
  });

  test("calls a function that has failed once, for it may have committed its run", async () => {
    const events: object[] = [];
    const { begin, state } = await start(async (_functionId, _id, event) => {
      events.push(JSON.parse(event));
      if (events.length === 1) throw new Error("no memory");
      return DONE;
    }, machine);
    const { executionArn } = await begin("one");
    await settles(async () => expect(await state(executionArn)).toBe("FAILED"));
    expect(events.map((event) => "failure" in event)).toEqual([false, true]);
  });

  test("stops waiting when the execution is stopped", async () => {
    const waiting = Promise.withResolvers<AbortSignal>();
    const invoke = vi.fn<Invoke["invoke"]>().mockRejectedValue(busy());
    const { client, begin, state } = await start(invoke, machine, (_seconds, signal) => {
      waiting.resolve(signal);
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    });
    const { executionArn } = await begin("one");
    const signal = await waiting.promise;
    await client.send(new StopExecutionCommand({ executionArn }));
    expect(await state(executionArn)).toBe("ABORTED");
    expect(signal.aborted).toBe(true);
    expect(invoke).toHaveBeenCalledTimes(1);
  });
});
