/** The function of a route group, with the settings that its routes use. */
import type { Construct } from "constructs";
import type { RouteGroup } from "../functions/shared/edge/route.ts";
import { ACCESS } from "./access.ts";
import type { DataBucket } from "./bucket.ts";
import type { AddFiles } from "./bundle.ts";
import type { Settings } from "./chosen-settings.ts";
import type { Helper } from "./helper.ts";
import { buildPage } from "./page/build.ts";
import { ServiceFunction } from "./service-function.ts";
import { GUEST_KEYS, QUOTA_KEYS, RUN_KEYS } from "./settings.ts";
import type { StateTable } from "./table.ts";

/** Route groups whose functions create quota-limited resources. */
const ADDS: ReadonlySet<string> = new Set([
  "projects",
  "nodes",
  "links",
  "drawings",
  "follow",
  "runs",
  "labs",
  "files",
  "archives",
  "symbols",
  "templates",
  "actions",
  "snapshots",
  "copies",
  "notifications",
]);

/** Route groups whose functions run labs; `projects` starts the nodes of an opened project. */
const RUNS_LABS: ReadonlySet<string> = new Set(["runs", "projects", "labs"]);

/** How the page signs in. */
const PAGE_KEYS = ["jwt_issuer", "jwt_audience", "jwt_client_id"] as const;

/** The quality of Brotli where the browser is on the same machine. */
const QUICK = 5;
const addPage: AddFiles = (folder, isQuick) => buildPage(`${folder}/page`, isQuick ? QUICK : undefined);

interface RouteGroupFunctionProps {
  readonly group: RouteGroup;
  /** Environment variables of all groups. */
  readonly environment: Record<string, string>;
  readonly settings: Settings;
  readonly table: StateTable;
  readonly bucket: DataBucket;
  /** Undefined without a helper machine. */
  readonly helper: Helper | undefined;
}

export class RouteGroupFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, props: RouteGroupFunctionProps) {
    const { group, settings, table, bucket, helper } = props;
    const environment = {
      ...props.environment,
      ...(RUNS_LABS.has(group.name) && settings.variables(RUN_KEYS)),
      ...(group.name === "labs" && settings.variables(GUEST_KEYS)),
      ...(group.name === "page" && settings.variables(PAGE_KEYS)),
      ...(ADDS.has(group.name) && settings.variables(QUOTA_KEYS)),
    };
    const { name, description } = group;
    const callsComputes = ACCESS[name]?.passwords?.includes("GetSecretValue") === true;
    const network = callsComputes ? helper?.network : undefined;
    const addFiles = name === "page" ? addPage : undefined;
    super(scope, id, { name, description, environment, settings, table, bucket, network, addFiles });
    if (callsComputes) helper?.bindCaller(this.handler);
    if (name === "simvm") helper?.bindSettings(this.handler);
  }
}
