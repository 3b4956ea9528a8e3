/** The function that cleans up after interrupted requests, once an hour. */
import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import type { Construct } from "constructs";
import type { DataBucket } from "./bucket.ts";
import type { Settings } from "./chosen-settings.ts";
import { hasAlarms } from "./has-alarms.ts";
import type { HelperNetwork } from "./helper/network.ts";
import { ServiceFunction } from "./service-function.ts";
import type { StateTable } from "./table.ts";

const EVERY = Duration.hours(1);

interface SweeperProps {
  readonly settings: Settings;
  readonly table: StateTable;
  readonly bucket: DataBucket;
  /** Where computes can be reached; undefined without a helper machine. */
  readonly network: HelperNetwork | undefined;
}

export class Sweeper extends ServiceFunction {
  constructor(scope: Construct, id: string, { settings, table, bucket, network }: SweeperProps) {
    super(scope, id, {
      name: "sweeper",
      description: "Deletes what has expired and what nothing refers to",
      environment: {
        ...settings.variables(["abandoned_capture_days"]),
        // A metric that is written every hour costs $0.30 a month.
        ...((hasAlarms(settings) || settings.get("dashboard")) && { SWEEPS_METRIC: "true" }),
      },
      settings,
      table,
      bucket,
      network,
    });
    // The next scheduled call repeats the work of a failed one, so neither service retries. This needs two settings: EventBridge retries
    // if Lambda does not accept the event, and Lambda retries if the function fails or is throttled.
    this.handler.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: EVERY });
    new Rule(this, "Schedule", {
      description: "Wirelab: calls the sweeper",
      schedule: Schedule.rate(EVERY),
      targets: [new LambdaFunction(this.handler, { retryAttempts: 0 })],
    });
  }
}
