/** The function that runs labs with Linux nodes, and its state machine. */
import { expect, test } from "vitest";
import { HOLD_MS } from "../../../functions/sockets/console/hand-over.ts";
import { ACCESS } from "../../../infra/access.ts";
import { PATIENCE_SECONDS } from "../../../infra/guest-runs.ts";
import { templateOf } from "../../helpers/stack/stack.ts";

interface Task {
  readonly Retry?: readonly { ErrorEquals: string[]; JitterStrategy?: string }[];
  readonly Catch?: readonly object[];
}

const template = templateOf({});

function readMachine(): { TimeoutSeconds: number; States: Record<string, Task> } {
  const machines = Object.entries(template.findResources("AWS::StepFunctions::StateMachine"));
  const [, { Properties }] = machines.find(([id]) => id.startsWith("guests"))!;
  const [, parts] = Properties.DefinitionString["Fn::Join"] as [string, (string | object)[]];
  return JSON.parse(parts.map((part) => (typeof part === "string" ? part : "function")).join(""));
}

test("a run is repeated only after errors with which its function has not started", () => {
  const { Run } = readMachine().States;
  expect(Run!.Retry!.flatMap(({ ErrorEquals }) => ErrorEquals)).toEqual([
    "Lambda.TooManyRequestsException",
    "Lambda.EC2ThrottledException",
    "Lambda.ENILimitReachedException",
    "Lambda.SubnetIPAddressLimitReachedException",
    "Lambda.ResourceNotReadyException",
  ]);
  expect(Run!.Retry!.map(({ JitterStrategy }) => JitterStrategy)).toEqual(["FULL"]);
  expect(Run!.Catch).toMatchObject([{ ErrorEquals: ["States.ALL"], Next: "Report" }]);
});

test("the machine outlives its patience and a run of the longest time, and a console is held for longer", () => {
  const { TimeoutSeconds } = readMachine();
  expect(PATIENCE_SECONDS).toBeGreaterThanOrEqual(ACCESS.guests!.timeoutSeconds);
  expect(TimeoutSeconds).toBeGreaterThan(PATIENCE_SECONDS + ACCESS.guests!.timeoutSeconds);
  expect(HOLD_MS).toBeGreaterThan(TimeoutSeconds * 1000);
});

test("the memory of the function is a setting", () => {
  const memoryWith = (context: Record<string, string>) => {
    const functions = Object.entries(templateOf(context).findResources("AWS::Lambda::Function"));
    return functions.find(([id]) => id.startsWith("guestsFunction"))![1].Properties.MemorySize;
  };
  expect(memoryWith({})).toBe(3008);
  expect(memoryWith({ linux_function_memory_mb: "6144" })).toBe(6144);
  for (const wrong of ["512", "10241", "many"])
    expect(() => memoryWith({ linux_function_memory_mb: wrong })).toThrow("linux_function_memory_mb");
});
