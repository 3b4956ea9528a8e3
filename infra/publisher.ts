/** The one reader of the table's stream: it turns changes of items into the events of the interface, and calls other functions. */
import { Duration } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { CALLS, SOURCES } from "../functions/publisher/sources.ts";
import type { DataBucket } from "./bucket.ts";
import type { Settings } from "./chosen-settings.ts";
import { ServiceFunction } from "./service-function.ts";
import type { StateTable } from "./table.ts";

interface PublisherProps {
  readonly settings: Settings;
  readonly table: StateTable;
  readonly bucket: DataBucket;
}

export class Publisher extends ServiceFunction {
  constructor(scope: Construct, id: string, { settings, table, bucket }: PublisherProps) {
    super(scope, id, {
      name: "publisher",
      description: "Publishes changes of the table as events",
      settings,
      table,
      bucket,
    });
    table.feed(this.handler, { changed: SOURCES, added: CALLS });
  }

  /** Allows the publisher to call functions, which it does for new connections and computes: functions/publisher/calls.ts. */
  admitTo({ sockets, watcher }: { sockets: LambdaFunction; watcher: LambdaFunction }): void {
    this.handler.addEnvironment("SOCKETS_FUNCTION", sockets.functionName);
    this.handler.addEnvironment("WATCHER_FUNCTION", watcher.functionName);
    this.handler.addToRolePolicy(
      new PolicyStatement({
        actions: ["lambda:InvokeFunction"],
        resources: [sockets.functionArn, watcher.functionArn],
      }),
    );
  }

  /** How long after its commit the last change of a batch was handled. */
  get lateness() {
    return this.handler.metric("IteratorAge", { statistic: "Maximum", period: Duration.minutes(5) });
  }
}
