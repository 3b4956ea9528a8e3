/** The function of a route group, with the settings that its routes use. */
import type { Construct } from "constructs";
import type { RouteGroup } from "../functions/shared/edge/route.ts";
import type { DataBucket } from "./bucket.ts";
import { ADDS, quotas } from "./quotas.ts";
import { RUNS_LABS, runLimits } from "./run-limits.ts";
import { ServiceFunction } from "./service-function.ts";
import type { StateTable } from "./table.ts";

interface RouteGroupFunctionProps {
  readonly group: RouteGroup;
  /** Environment variables of all groups. */
  readonly environment: Record<string, string>;
  readonly table: StateTable;
  readonly bucket: DataBucket;
}

export class RouteGroupFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, props: RouteGroupFunctionProps) {
    const { group, table, bucket } = props;
    const environment = {
      ...props.environment,
      ...(RUNS_LABS.has(group.name) && runLimits(scope.node)),
      ...(ADDS.has(group.name) && quotas(scope.node)),
    };
    super(scope, id, { name: group.name, description: group.description, environment, table, bucket });
  }
}
