/** The table that holds all state. Who is handed it gets its name and exactly the permissions asked for. */
import { RemovalPolicy } from "aws-cdk-lib";
import { AttributeType, BillingMode, ProjectionType, Table } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import type { TableAccess } from "./access.ts";

/** As in functions/store/table.ts, which is not imported here: it makes clients. */
const PROJECTS_INDEX = "projects";

/** Of what a large run that died leaves behind: functions/store/lab.ts. */
const TIME_TO_LIVE = "expires_s";

export class StateTable extends Construct {
  readonly #table: Table;

  constructor(scope: Construct, id: string, { ephemeral }: { ephemeral: boolean }) {
    super(scope, id);
    this.#table = new Table(this, "State", {
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: TIME_TO_LIVE,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: !ephemeral,
      removalPolicy: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    this.#table.addGlobalSecondaryIndex({
      indexName: PROJECTS_INDEX,
      partitionKey: { name: "listing", type: AttributeType.STRING },
      sortKey: { name: "created_us", type: AttributeType.NUMBER },
      projectionType: ProjectionType.ALL,
    });
  }

  get name(): string {
    return this.#table.tableName;
  }

  get metrics() {
    return [
      this.#table.metricConsumedReadCapacityUnits(),
      this.#table.metricConsumedWriteCapacityUnits(),
      this.#table.metric("ReadThrottleEvents", { statistic: "Sum" }),
      this.#table.metric("WriteThrottleEvents", { statistic: "Sum" }),
    ];
  }

  /** Sets `TABLE_NAME` and grants the access. */
  bind(target: LambdaFunction, access: TableAccess): void {
    target.addEnvironment("TABLE_NAME", this.#table.tableName);
    target.addToRolePolicy(
      new PolicyStatement({
        actions: access.actions.map((action) => `dynamodb:${action}`),
        resources: [this.#table.tableArn],
        ...(access.keys && {
          conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": access.keys } },
        }),
      }),
    );
    if (access.index) {
      target.addToRolePolicy(
        new PolicyStatement({
          actions: ["dynamodb:Query"],
          resources: [`${this.#table.tableArn}/index/${PROJECTS_INDEX}`],
        }),
      );
    }
  }
}
