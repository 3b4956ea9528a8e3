/** Reads the functions that follow the stream of a table. */
import { compilePattern } from "../filter-pattern.ts";
import type { CfnResources } from "../intrinsics.ts";
import { LocalProblem } from "../problem.ts";
import { readFailureQueue } from "./failure-queue.ts";
import { ofType } from "./resources.ts";

/** A function that Lambda calls with the changes of a table. */
export interface StreamDefinition {
  /** Logical id. */
  readonly functionId: string;
  readonly tableName: string;
  readonly batchSize: number;
  /** Lambda's patterns of changes that the function wants. */
  readonly patterns: readonly unknown[];
  /** The patterns, compiled: a change is passed to the function if one of these accepts it. */
  readonly matches: readonly ((change: unknown) => boolean)[];
  /** Whether the function may report the first change that it could not handle. */
  readonly reportsFailures?: boolean;
  /** Whether a failed batch is repeated in halves. */
  readonly bisects?: boolean;
  /** How often a failed batch is repeated; without it, until it succeeds. */
  readonly retries?: number | undefined;
  /** A change that is older is given up; without it, none is. */
  readonly maxAgeMs?: number | undefined;
  /** The logical id of the queue that gets changes which were given up. */
  readonly failureQueueId?: string | undefined;
}

/** Lambda's default for a DynamoDB stream. */
const BATCH_SIZE = 100;

export function readStreams(
  resources: CfnResources,
  names: Readonly<Record<string, string>>,
): StreamDefinition[] {
  const streams = ofType(resources, "AWS::Lambda::EventSourceMapping").map(([id, { Properties = {} }]) => {
    const { FunctionName, EventSourceArn, BatchSize, FilterCriteria, ...rest } = Properties as {
      FunctionName?: { Ref?: string };
      EventSourceArn?: { "Fn::GetAtt"?: [string, string] };
      BatchSize?: number;
      FilterCriteria?: { Filters: { Pattern: string }[] };
      FunctionResponseTypes?: string[];
      BisectBatchOnFunctionError?: boolean;
      MaximumRetryAttempts?: number;
      MaximumRecordAgeInSeconds?: number;
      DestinationConfig?: object;
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
    const patterns = (FilterCriteria?.Filters ?? [{ Pattern: "{}" }]).map(({ Pattern }) =>
      JSON.parse(Pattern),
    );
    return {
      functionId,
      tableName,
      batchSize: Number(BatchSize ?? BATCH_SIZE),
      patterns,
      matches: patterns.map((pattern) => compilePattern(pattern, `${id}.FilterCriteria`)),
      reportsFailures: rest.FunctionResponseTypes?.includes("ReportBatchItemFailures") ?? false,
      bisects: rest.BisectBatchOnFunctionError ?? false,
      retries: limitOf(rest.MaximumRetryAttempts),
      maxAgeMs: limitOf(rest.MaximumRecordAgeInSeconds, 1_000),
      failureQueueId: readFailureQueue(resources, rest.DestinationConfig, id),
    };
  });
  refuseThirdReader(streams);
  return streams;
}

/** Compiles the patterns, which were accepted when the template was read. */
export const withMatches = (stream: Omit<StreamDefinition, "matches">): StreamDefinition => ({
  ...stream,
  matches: stream.patterns.map((pattern) => compilePattern(pattern, stream.functionId)),
});

/** Lambda's -1 is no limit. */
const limitOf = (value = -1, unit = 1): number | undefined => (value < 0 ? undefined : value * unit);

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html */
const MOST_READERS = 2;

function refuseThirdReader(streams: readonly StreamDefinition[]): void {
  for (const [tableName, readers] of Map.groupBy(streams, ({ tableName }) => tableName)) {
    if (readers.length > MOST_READERS)
      throw new LocalProblem(
        `${readers.length} functions read the stream of ${tableName}; DynamoDB serves ${MOST_READERS}`,
      );
  }
}
