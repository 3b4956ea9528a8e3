/** The function that turns changes of items into the events of the interface. */
import type { Construct } from "constructs";
import { SOURCES } from "../functions/publisher/sources.ts";
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
    table.feed(this.handler, SOURCES);
  }
}
