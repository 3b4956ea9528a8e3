/** The service: a REST API and a WebSocket API with one authorizer, one function for each route group, one table, one bucket. */
import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import { Construct } from "constructs";
import { GROUPS } from "../functions/routes.ts";
import type { RouteGroup } from "../functions/shared/edge/route.ts";
import { Alarms, type AlarmsProps } from "./alarms.ts";
import { Api } from "./api.ts";
import { authVariables, readAuth } from "./auth.ts";
import { Authorizer } from "./authorizer.ts";
import { DataBucket } from "./bucket.ts";
import { BudgetAlarm, readBudget } from "./budget.ts";
import type { Settings } from "./chosen-settings.ts";
import { corsVariables, readCorsOrigins } from "./cors.ts";
import { makeCustomerKey } from "./customer-key.ts";
import { Dashboard } from "./dashboard.ts";
import { RECORD } from "./deploy/deployed-settings.ts";
import { Domain, type OwnDomain, readDomain } from "./domain.ts";
import { Edge } from "./edge.ts";
import { tagsFor } from "./ephemeral-tags.ts";
import { failureQueueOf } from "./failure-queue.ts";
import { Firewall } from "./firewall.ts";
import { functionLogOf } from "./function-log.ts";
import { readGatewayLog } from "./gateway-log.ts";
import { GuestRuns } from "./guest-runs.ts";
import { hasAlarms } from "./has-alarms.ts";
import { Helper } from "./helper.ts";
import { LabSweeps } from "./lab-sweeps.ts";
import { makeLogMetrics } from "./metrics.ts";
import { Publisher } from "./publisher.ts";
import { RouteGroupFunction } from "./route-group.ts";
import type { ServiceFunction } from "./service-function.ts";
import { markService, WHOLE_STACK } from "./service-stack.ts";
import { Sockets } from "./sockets.ts";
import { Sweeper } from "./sweeper.ts";
import { StateTable } from "./table.ts";
import { readTags } from "./tags.ts";
import { Watcher } from "./watcher.ts";

/** Groups with routes that run labs with Linux nodes. */
const STARTS_GUESTS: ReadonlySet<string> = new Set(["runs", "projects", "labs"]);

export class Service extends Construct {
  /** The address to which clients append the paths of the interface. */
  readonly url: string;
  readonly api: Api;
  readonly table: StateTable;
  readonly bucket: DataBucket;
  readonly functions: readonly ServiceFunction[];

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    markService(this);
    makeCustomerKey(this, settings);
    const table = new StateTable(this, "Table", settings);
    const bucket = new DataBucket(this, "Bucket", settings);
    const mode = readAuth(settings);
    const authorizer =
      mode === "basic" || mode === "jwt"
        ? new Authorizer(this, "Authorizer", { mode, settings, table, bucket })
        : undefined;
    const log = readGatewayLog(settings);
    const origins = readCorsOrigins(settings);
    const environment = {
      ...authVariables(settings, mode),
      ...settings.variables(["interface_version"]),
      ...corsVariables(origins),
    };
    const publisher = new Publisher(this, "publisher", { settings, table, bucket });
    const helperType = settings.get("helper");
    const helper =
      helperType === undefined
        ? undefined
        : new Helper(this, "Helper", { type: helperType, settings, table, bucket });
    const functions: ServiceFunction[] = [
      new Sweeper(this, "sweeper", { settings, table, bucket, network: helper?.network }),
      publisher,
    ];
    if (authorizer) functions.push(authorizer);
    const starters: ServiceFunction[] = [];
    const targets = new Map<RouteGroup, ServiceFunction>();
    for (const group of GROUPS) {
      const target = new RouteGroupFunction(this, group.name, {
        group,
        environment,
        settings,
        table,
        bucket,
        helper,
      });
      targets.set(group, target);
      functions.push(target);
      if (STARTS_GUESTS.has(group.name)) starters.push(target);
    }
    const functionOf = (group: RouteGroup) => targets.get(group)!.handler;
    const api = new Api(this, "Api", { settings, mode, log, origins, authorizer, functionOf });
    const pageFunction = functions.find(({ node }) => node.id === "page")!;
    const guests = new GuestRuns(this, "guests", { settings, table, bucket, helper, starters });
    const starter = starters.find(({ node }) => node.id === "labs")!;
    const sweeps = new LabSweeps(this, "labcases", { settings, table, bucket, starter, guests });
    functions.push(sweeps, guests);
    const { accessLog, logRole } = api;
    const domain = readDomain(settings);
    const sockets = new Sockets(this, "Sockets", {
      mode,
      authorizer,
      environment,
      settings,
      pageHost: domain?.name ?? api.domain,
      table,
      bucket,
      log: accessLog,
      logRole,
      helper,
    });
    sockets.bind(publisher.handler);
    const watcher = new Watcher(this, "watcher", { settings, table, bucket, network: helper?.network });
    sockets.bind(watcher.handler);
    publisher.admitTo({ sockets: sockets.target.handler, watcher: watcher.handler });
    sockets.bind(guests.handler);
    guests.admit(sockets.target.handler);
    functions.push(watcher);
    functions.push(sockets.target);
    if (settings.get("edge")) this.#makeEdge({ settings, domain, api, sockets, bucket });
    const names = domain && !settings.get("edge") ? this.#makeDomain(domain, api, sockets) : undefined;
    if (!settings.get("edge"))
      pageFunction.handler.addEnvironment("SOCKETS_URL", names?.socketsUrl ?? sockets.url);
    if (settings.get("waf"))
      new Firewall(this, "Firewall", { rate: settings.get("waf_rate"), stageArn: api.stage.stageArn });
    this.#watch(settings, api, functions, table, {
      lateness: publisher.lateness,
      givenUp: failureQueueOf(this).metricApproximateNumberOfMessagesVisible({ statistic: "Maximum" }),
      failedRuns: guests.failedExecutions,
      failedSweeps: sweeps.failedExecutions,
    });
    const budget = readBudget(settings);
    if (budget) new BudgetAlarm(this, "BudgetAlarm", budget);
    this.url = names?.url ?? api.url;
    new CfnOutput(this, "ApiUrl", {
      value: this.url,
      description: "Paths of the interface follow this",
    });
    new CfnOutput(this, "SocketsUrl", {
      value: names?.socketsUrl ?? sockets.url,
      description: "WebSockets: infra/sockets.ts",
    });
    new CfnOutput(this, "TableName", { value: table.name });
    new CfnOutput(this, "BucketName", { value: bucket.name });
    this.api = api;
    this.table = table;
    this.bucket = bucket;
    this.functions = functions;
  }

  #makeDomain(domain: OwnDomain, api: Api, sockets: Sockets): Domain {
    const stages = [api.stage, sockets.stage];
    return new Domain(this, "Domain", { ...domain, apiId: api.id, socketsId: sockets.id, stages });
  }

  #makeEdge({
    settings,
    domain,
    api,
    sockets,
    bucket,
  }: {
    settings: Settings;
    domain: OwnDomain | undefined;
    api: Api;
    sockets: Sockets;
    bucket: DataBucket;
  }): void {
    const edge = new Edge(this, "Edge", {
      settings,
      domain,
      apiDomain: api.domain,
      apiStage: api.stage,
      socketsDomain: sockets.domain,
      dataBucket: bucket,
    });
    new CfnOutput(this, "EdgeUrl", { value: edge.url, description: "One address for all clients" });
    new CfnOutput(this, "PagesBucketName", { value: edge.pagesBucketName });
  }

  #watch(
    settings: Settings,
    api: Api,
    functions: readonly ServiceFunction[],
    table: StateTable,
    background: Pick<AlarmsProps, "lateness" | "givenUp" | "failedRuns" | "failedSweeps">,
  ): void {
    makeLogMetrics(new Construct(this, "LogMetrics"), api.accessLog, functionLogOf(this));
    const hasGatewayLog = api.accessLog !== undefined;
    const { serverErrors } = api.metrics;
    const alarms = hasAlarms(settings)
      ? new Alarms(this, "Alarms", { settings, serverErrors, hasGatewayLog, ...background }).all
      : [];
    if (!settings.get("dashboard")) return;
    new Dashboard(this, "Dashboard", {
      alarms,
      hasGatewayLog,
      requests: api.metrics,
      functions,
      table: table.metrics,
    });
  }
}

export interface WirelabStackProps extends StackProps {
  readonly settings: Settings;
}

/** A stack with one service, whose resources have the names that they had before the service was a construct. */
export class WirelabStack extends Stack {
  readonly service: Service;

  constructor(scope: Construct, id: string, { settings, ...props }: WirelabStackProps) {
    // Without protection, one command deletes the API's address and all log lines.
    const terminationProtection = !settings.get("ephemeral");
    super(scope, id, { terminationProtection, tags: readTags(settings), ...props });
    for (const [key, value] of Object.entries(tagsFor(settings))) this.addStackTag(key, value);
    this.service = new Service(this, WHOLE_STACK, settings);
    // The next deployment is compared with it: infra/deploy/check.ts.
    this.addMetadata(RECORD, { settings: settings.texts() });
  }
}
