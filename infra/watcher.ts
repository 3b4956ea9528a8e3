/** The function that follows computes while clients follow events over WebSockets: functions/watcher. */
import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { DataBucket } from "./bucket.ts";
import type { Settings } from "./chosen-settings.ts";
import { failuresOf } from "./failure-queue.ts";
import type { HelperNetwork } from "./helper/network.ts";
import { ServiceFunction } from "./service-function.ts";
import type { StateTable } from "./table.ts";

interface WatcherProps {
  readonly settings: Settings;
  readonly table: StateTable;
  readonly bucket: DataBucket;
  /** Where computes can be reached; undefined without a helper machine. */
  readonly network: HelperNetwork | undefined;
}

/** While the account has no room for the function, Lambda keeps a call for this time. */
const OLDEST_CALL = Duration.hours(1);

export class Watcher extends ServiceFunction {
  constructor(scope: Construct, id: string, { settings, table, bucket, network }: WatcherProps) {
    super(scope, id, {
      name: "watcher",
      description: "Follows computes for clients over WebSocket",
      settings,
      table,
      bucket,
      network,
    });
    // The publisher calls it and does not wait. The next pings of the WebSockets repeat a call that was given up.
    this.handler.configureAsyncInvoke({
      retryAttempts: 2,
      maxEventAge: OLDEST_CALL,
      onFailure: failuresOf(this.handler),
    });
  }
}
