/** The function that turns changes of items into the events of the interface. */
import type { Construct } from "constructs";
import { SOURCES } from "../functions/publisher/sources.ts";
import type { DataBucket } from "./bucket.ts";
import { ServiceFunction } from "./service-function.ts";
import type { StateTable } from "./table.ts";

interface PublisherProps {
  readonly table: StateTable;
  readonly bucket: DataBucket;
}

export class Publisher extends ServiceFunction {
  constructor(scope: Construct, id: string, { table, bucket }: PublisherProps) {
    super(scope, id, {
      name: "publisher",
      description: "Publishes changes of the table as events",
      table,
      bucket,
    });
    table.feed(this.handler, SOURCES);
  }
}
