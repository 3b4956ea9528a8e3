/** Reads where Lambda sends what it gives up. */
import type { CfnResources } from "../intrinsics.ts";
import { LocalProblem } from "../problem.ts";

/** @returns the logical id of a queue; undefined without a destination. */
export function readFailureQueue(
  resources: CfnResources,
  destinationConfig: unknown,
  where: string,
): string | undefined {
  const { OnFailure, OnSuccess } = (destinationConfig ?? {}) as {
    OnFailure?: { Destination: { "Fn::GetAtt"?: [string, string] } };
    OnSuccess?: unknown;
  };
  if (OnSuccess !== undefined) throw new LocalProblem(`${where}: OnSuccess is not supported locally`);
  if (OnFailure === undefined) return undefined;
  const [queueId = "", attribute] = OnFailure.Destination["Fn::GetAtt"] ?? [];
  if (attribute !== "Arn" || resources[queueId]?.Type !== "AWS::SQS::Queue")
    throw new LocalProblem(`${where}: only a queue of this stack gets failures locally`);
  return queueId;
}
