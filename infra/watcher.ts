/** The function that follows computes while clients follow events over WebSockets: functions/watcher. */
import type { Construct } from "constructs";
import type { DataBucket } from "./bucket.ts";
import type { Settings } from "./chosen-settings.ts";
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
    // The second is written by the function itself, whose time is bounded, and by the pings of the WebSockets.
    table.feed(this.handler, ["connection", "watch-call"], { onlyNew: true });
  }
}
