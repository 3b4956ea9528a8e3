/** The table with all state. `bind` gives a function the table's name and its permissions. */
import { type CfnElement, Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import {
  EventSourceMapping,
  FilterCriteria,
  type Function as LambdaFunction,
  StartingPosition,
} from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import type { Settings } from "./chosen-settings.ts";
import { customerKeyOf, grantKey } from "./customer-key.ts";
import { failuresOf } from "./failure-queue.ts";
import type { KeyActions, TableAccess, TableAction } from "./permissions.ts";
import { STREAMS } from "./wildcards.ts";

/** As in functions/shared/store/base/table.ts, which this module does not import because it creates clients. */
const PROJECTS_INDEX = "project-keys";
/** The index of earlier releases, which had whole projects. */
const EARLIER_INDEX = "projects";
const SEEN_INDEX = "seen";

/** A change that the function has not handled after this time is skipped: events live as long (functions/shared/store/events). */
const OLDEST_CHANGE = Duration.hours(1);

/**
 * How often a change is repeated that fails each time. Lambda pauses longer and longer between two attempts, and does not count those for
 * which the function could not start.
 */
const CHANGE_ATTEMPTS = 10;

/** Expires what is kept for a while only, such as the counts of runs in a minute: functions/shared/store/limits/pace.ts. */
const TIME_TO_LIVE = "expires_s";

interface FedEntities {
  readonly changed: readonly string[];
  readonly added: readonly string[];
}

export class StateTable extends Construct {
  readonly #table: Table;
  /**
   * True in the first of the two deployments of an upgrade: DynamoDB creates or deletes one index at a time, and rejects queries
   * of an index while it creates the index. See docs/operations.md.
   */
  readonly #readsEarlierIndex: boolean;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const ephemeral = settings.get("ephemeral");
    const encryptionKey = customerKeyOf(this);
    this.#table = new Table(this, "State", {
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: TIME_TO_LIVE,
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      ...(encryptionKey && { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey }),
      pointInTimeRecoverySpecification: ephemeral
        ? { pointInTimeRecoveryEnabled: false }
        : { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: settings.get("restore_days") },
      deletionProtection: !ephemeral,
      // RETAIN also if the first deployment fails: CloudFormation cannot delete a protected table, so the rollback would fail, too.
      removalPolicy: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    if (ephemeral) {
      Validations.of(this.#table).acknowledge({
        id: "AwsSolutions-DDB3",
        reason: "An ephemeral stack has no earlier state to recover.",
      });
    }
    this.#addIndex(PROJECTS_INDEX, "listing");
    this.#readsEarlierIndex = settings.get("upgrade_index");
    if (this.#readsEarlierIndex) this.#addIndex(EARLIER_INDEX, "listing", ProjectionType.ALL);
    this.#addIndex(SEEN_INDEX, "seen_by");
  }

  #addIndex(indexName: string, partition: string, projectionType = ProjectionType.KEYS_ONLY): void {
    this.#table.addGlobalSecondaryIndex({
      indexName,
      partitionKey: { name: partition, type: AttributeType.STRING },
      sortKey: { name: "created_us", type: AttributeType.NUMBER },
      projectionType,
    });
  }

  get name(): string {
    return this.#table.tableName;
  }

  /** For constructs outside the service. */
  get resource(): Table {
    return this.#table;
  }

  get metrics() {
    return [
      this.#table.metricConsumedReadCapacityUnits(),
      this.#table.metricConsumedWriteCapacityUnits(),
      this.#table.metric("ReadThrottleEvents", { statistic: "Sum" }),
      this.#table.metric("WriteThrottleEvents", { statistic: "Sum" }),
    ];
  }

  /** Sets `TABLE_NAME` and grants the access, with separate statements and keys for reads and writes. */
  bind(target: LambdaFunction, { keys, listings, seen }: TableAccess): void {
    target.addEnvironment("TABLE_NAME", this.#table.tableName);
    for (const { actions, patterns } of grantsOf(keys)) {
      this.#allow(target, actions, patterns, this.#table.tableArn);
    }
    // For an index, LeadingKeys refers to the index's own partition key.
    if (listings) {
      const index = this.#readsEarlierIndex ? EARLIER_INDEX : PROJECTS_INDEX;
      if (this.#readsEarlierIndex) target.addEnvironment("PROJECTS_INDEX", index);
      this.#allow(target, ["Query"], listings, `${this.#table.tableArn}/index/${index}`);
    }
    if (seen) this.#allow(target, ["Query"], seen, `${this.#table.tableArn}/index/${SEEN_INDEX}`);
    // Callers that read or write need Decrypt for the table's data key; DynamoDB uses its own grant for all other actions.
    grantKey(target, "dynamodb", ["Decrypt"]);
  }

  /**
   * Calls the function with the changes of items of `changed`, and with new items of `added`, in the order of their commits, and grants
   * the access to the stream. DynamoDB serves two readers of a stream at most, so the table has one.
   *
   * Lambda repeats a batch from the first change that the function reports, or in halves if the function fails, so that one bad change cannot
   * hold back the others. What it gives up is a message in the queue of failures.
   */
  feed(target: LambdaFunction, { changed, added }: FedEntities): EventSourceMapping {
    const stream = this.#table.tableStreamArn!;
    target.addToRolePolicy(
      new PolicyStatement({
        actions: ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"],
        resources: [stream],
      }),
    );
    target.addToRolePolicy(
      new PolicyStatement({
        actions: ["dynamodb:ListStreams"],
        resources: [`${this.#table.tableArn}/stream/*`],
      }),
    );
    const logicalId = Stack.of(this).getLogicalId(this.#table.node.defaultChild as CfnElement);
    Validations.of(target.role!).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>/stream/*]`,
      reason: STREAMS,
    });
    const isChanged = { entity: { S: [...changed] } };
    const isAdded = { entity: { S: [...added] } };
    return new EventSourceMapping(target, "Changes", {
      target,
      eventSourceArn: stream,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: CHANGE_ATTEMPTS,
      maxRecordAge: OLDEST_CHANGE,
      onFailure: failuresOf(target),
      filters: [
        FilterCriteria.filter({ dynamodb: { NewImage: isChanged } }),
        FilterCriteria.filter({ eventName: ["REMOVE"], dynamodb: { OldImage: isChanged } }),
        FilterCriteria.filter({ eventName: ["INSERT"], dynamodb: { NewImage: isAdded } }),
      ],
    });
  }

  /**
   * The condition holds if all keys of a request match, and also if the request has no keys, as in a Scan or a PartiQL statement.
   * No function has permission for these actions.
   */
  #allow(
    target: LambdaFunction,
    actions: readonly TableAction[],
    patterns: readonly string[],
    resource: string,
  ): void {
    target.addToRolePolicy(
      new PolicyStatement({
        actions: actions.map((action) => `dynamodb:${action}`),
        resources: [resource],
        conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": patterns } },
      }),
    );
  }
}

const READS: ReadonlySet<TableAction> = new Set<TableAction>(["GetItem", "BatchGetItem", "Query"]);

interface Grant {
  readonly actions: readonly TableAction[];
  readonly patterns: readonly string[];
}

/** Returns a statement for each set of actions that several keys share. */
function grantsOf(keys: KeyActions): Grant[] {
  const parts = Object.entries(keys).flatMap(([pattern, actions]) => {
    const [reads, writes] = [
      actions.filter((action) => READS.has(action)),
      actions.filter((action) => !READS.has(action)),
    ];
    return [reads, writes].filter(({ length }) => length > 0).map((part) => ({ pattern, actions: part }));
  });
  return [...Map.groupBy(parts, ({ actions }) => actions.toSorted().join()).values()].map((group) => ({
    actions: group[0]!.actions,
    patterns: group.map(({ pattern }) => pattern),
  }));
}
