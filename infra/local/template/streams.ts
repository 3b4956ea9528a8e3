/** Reads the functions that follow the stream of a table. */
import { compilePattern } from "../filter-pattern.ts";
import type { CfnResources } from "../intrinsics.ts";
import { LocalProblem } from "../problem.ts";
import { ofType } from "./resources.ts";

/** A function that Lambda calls with the changes of a table. */
export interface StreamDefinition {
  /** Logical id. */
  readonly functionId: string;
  readonly tableName: string;
  readonly batchSize: number;
  /** A change is passed to the function if one of these accepts it. */
  readonly matches: readonly ((change: unknown) => boolean)[];
}

/** Lambda's default for a DynamoDB stream. */
const BATCH_SIZE = 100;

export function readStreams(
  resources: CfnResources,
  names: Readonly<Record<string, string>>,
): StreamDefinition[] {
  return ofType(resources, "AWS::Lambda::EventSourceMapping").map(([id, { Properties = {} }]) => {
    const { FunctionName, EventSourceArn, BatchSize, FilterCriteria } = Properties as {
      FunctionName?: { Ref?: string };
      EventSourceArn?: { "Fn::GetAtt"?: [string, string] };
      BatchSize?: number;
      FilterCriteria?: { Filters: { Pattern: string }[] };
    };
    const [tableId = "", attribute] = EventSourceArn?.["Fn::GetAtt"] ?? [];
    const tableName = names[tableId];
    if (attribute !== "StreamArn" || tableName === undefined) {
      throw new LocalProblem(`${id}.EventSourceArn: only the stream of a table of this stack runs locally`);
    }
    const functionId = FunctionName?.Ref ?? "";
    if (resources[functionId]?.Type !== "AWS::Lambda::Function") {
      throw new LocalProblem(`${id}.FunctionName names no function of this stack`);
    }
    const patterns = FilterCriteria?.Filters ?? [{ Pattern: "{}" }];
    return {
      functionId,
      tableName,
      batchSize: Number(BatchSize ?? BATCH_SIZE),
      matches: patterns.map(({ Pattern }) => compilePattern(JSON.parse(Pattern), `${id}.FilterCriteria`)),
    };
  });
}
