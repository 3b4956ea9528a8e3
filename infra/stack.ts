/** The stack: one REST API, one function for each route group, one table, one bucket. */
import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { GROUPS } from "../functions/routes.ts";
import { Api } from "./api.ts";
import { DataBucket } from "./bucket.ts";
import { RouteGroupFunction } from "./route-group.ts";
import { StateTable } from "./table.ts";

export interface WirelabStackProps extends StackProps {
  /** Everything is destroyed with the stack, for CI; otherwise the data stays. */
  readonly ephemeral: boolean;
}

export class WirelabStack extends Stack {
  constructor(scope: Construct, id: string, props: WirelabStackProps) {
    super(scope, id, props);
    const { ephemeral } = props;
    const table = new StateTable(this, "Table", { ephemeral });
    const bucket = new DataBucket(this, "Bucket", { ephemeral });
    const api = new Api(this, "Api", { ephemeral });
    for (const group of GROUPS) {
      const target = new RouteGroupFunction(this, group.name, { group, table, bucket });
      api.route(group, target);
    }
    new CfnOutput(this, "ApiUrl", { value: api.url, description: "Paths of the interface follow this" });
    new CfnOutput(this, "TableName", { value: table.name });
    new CfnOutput(this, "BucketName", { value: bucket.name });
  }
}
