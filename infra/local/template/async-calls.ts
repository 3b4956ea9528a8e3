/** Reads what Lambda does with asynchronous calls of functions. */
import type { CfnResources } from "../intrinsics.ts";
import { LocalProblem } from "../problem.ts";
import { readFailureQueue } from "./failure-queue.ts";
import { ofType } from "./resources.ts";

export interface AsyncCallDefinition {
  /** Logical id. */
  readonly functionId: string;
  /** How often a failed call is repeated. */
  readonly retries: number;
  /** The logical id of the queue that gets calls which were given up. */
  readonly failureQueueId: string | undefined;
}

/** Lambda's default. */
export const ASYNC_RETRIES = 2;

export function readAsyncCalls(resources: CfnResources): AsyncCallDefinition[] {
  return ofType(resources, "AWS::Lambda::EventInvokeConfig").map(([id, { Properties = {} }]) => {
    const { FunctionName, MaximumRetryAttempts = ASYNC_RETRIES } = Properties as {
      FunctionName?: { Ref?: string };
      MaximumRetryAttempts?: number;
    };
    const functionId = FunctionName?.Ref ?? "";
    if (resources[functionId]?.Type !== "AWS::Lambda::Function")
      throw new LocalProblem(`${id}.FunctionName names no function of this stack`);
    return {
      functionId,
      retries: MaximumRetryAttempts,
      failureQueueId: readFailureQueue(resources, Properties.DestinationConfig, id),
    };
  });
}
