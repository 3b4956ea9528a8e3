/**
 * The WebSocket API. API Gateway accepts WebSockets at the path of the stage only, so the query parameter `path` has the path of the
 * interface: `wss://id.execute-api.region.amazonaws.com/v2?path=/v2/notifications/ws`. With `edge=true`, CloudFront makes that query from
 * the path (infra/edge/viewer-request.js); `npx wirelab proxy` and the local stack do the same.
 */
import { Duration, Stack, Validations } from "aws-cdk-lib";
import {
  CfnApi,
  CfnAuthorizer,
  CfnIntegration,
  CfnRoute,
  type CfnRouteProps,
  CfnStage,
} from "aws-cdk-lib/aws-apigatewayv2";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction as LambdaTarget } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct, type IDependable } from "constructs";
import type { AuthMode } from "./auth.ts";
import type { Authorizer } from "./authorizer.ts";
import type { DataBucket } from "./bucket.ts";
import type { Settings } from "./chosen-settings.ts";
import { failuresOf } from "./failure-queue.ts";
import { acknowledgeNoGatewayLog, socketLogSettings } from "./gateway-log.ts";
import type { Helper } from "./helper.ts";
import { ServiceFunction } from "./service-function.ts";
import { serviceNameOf } from "./service-stack.ts";
import { QUOTA_KEYS, RUN_KEYS } from "./settings.ts";
import { STAGE_NAME } from "./stage-name.ts";
import type { StateTable } from "./table.ts";
import { stageThrottle } from "./throttling.ts";
import { CONNECTIONS } from "./wildcards.ts";

interface SocketsProps {
  readonly mode: AuthMode;
  readonly authorizer: Authorizer | undefined;
  readonly environment: Record<string, string>;
  readonly settings: Settings;
  /** The host name of the REST API, whose page opens WebSockets here. */
  readonly pageHost: string;
  readonly table: StateTable;
  readonly bucket: DataBucket;
  /** The log of the REST API; undefined without one. */
  readonly log: LogGroup | undefined;
  /** The region's setting for logs, if the stack makes it: the stage needs it first. */
  readonly logRole: IDependable | undefined;
  /** Undefined without a helper machine. */
  readonly helper: Helper | undefined;
}

/** Clients expect a ping every five minutes; API Gateway closes a connection that is idle for ten. */
const KEEP_ALIVE_EVERY = Duration.minutes(4);

const OTHER_ROUTES = { Message: "$default", Disconnect: "$disconnect" };
/** What the functions may do with a connection: send, look, close. */
const CONNECTION_METHODS = ["POST", "GET", "DELETE"];

export class Sockets extends Construct {
  readonly target: ServiceFunction;
  readonly stage: CfnStage;
  readonly #api: CfnApi;

  constructor(scope: Construct, id: string, props: SocketsProps) {
    super(scope, id);
    const { mode, authorizer, environment, settings, pageHost, table, bucket, log, logRole, helper } = props;
    this.#api = new CfnApi(this, "Api", {
      name: `${serviceNameOf(this)}-sockets`,
      description: "Wirelab: notifications and consoles over WebSocket",
      protocolType: "WEBSOCKET",
      // Required; all messages go to $default, which the other value of no message selects.
      routeSelectionExpression: "$request.body.action",
      // The functions that send to connections are in the machine's network, whose way out is IPv6.
      ...(helper && { ipAddressType: "dualstack" }),
    });
    // The name of the construct is the name of the function in the dashboard.
    this.target = new ServiceFunction(scope, "sockets", {
      name: "sockets",
      description: "Notifications and consoles over WebSocket",
      // Consoles run labs.
      environment: {
        ...environment,
        PAGE_HOST: pageHost,
        ...settings.variables([...RUN_KEYS, ...QUOTA_KEYS, "console_pace"]),
      },
      settings,
      table,
      bucket,
      network: helper?.network,
    });
    helper?.bindCaller(this.target.handler);
    this.bind(this.target.handler);
    this.#keepAlive(this.target.handler);
    const routes = this.#makeRoutes(mode, authorizer);
    const { throttlingRateLimit, throttlingBurstLimit } = stageThrottle(settings);
    const stage = new CfnStage(this, "Stage", {
      apiId: this.#api.ref,
      stageName: STAGE_NAME,
      autoDeploy: true,
      defaultRouteSettings: { throttlingRateLimit, throttlingBurstLimit },
      ...socketLogSettings(log),
    });
    for (const route of routes) stage.node.addDependency(route);
    if (logRole) stage.node.addDependency(logRole);
    if (log === undefined) acknowledgeNoGatewayLog(stage);
    this.stage = stage;
  }

  get id(): string {
    return this.#api.ref;
  }

  /** The URL of the stage: `wss://...`. */
  get url(): string {
    return `wss://${this.domain}/${STAGE_NAME}`;
  }

  /** The host name of the API. */
  get domain(): string {
    const { region, urlSuffix } = Stack.of(this);
    return `${this.#api.ref}.execute-api.${region}.${urlSuffix}`;
  }

  /** Allows a function to send to the connections of this API, and to close them. Sets `SOCKETS_ENDPOINT`. */
  bind(target: LambdaFunction): void {
    target.addEnvironment("SOCKETS_ENDPOINT", `https://${this.domain}/${STAGE_NAME}`);
    const resources = CONNECTION_METHODS.map((method) => this.#arn(`${STAGE_NAME}/${method}/@connections/*`));
    target.addToRolePolicy(new PolicyStatement({ actions: ["execute-api:ManageConnections"], resources }));
    const api = Stack.of(this).getLogicalId(this.#api);
    for (const method of CONNECTION_METHODS) {
      Validations.of(target.role!).acknowledge({
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<${api}>/${STAGE_NAME}/${method}/@connections/*]`,
        reason: CONNECTIONS,
      });
    }
  }

  #keepAlive(handler: LambdaFunction): void {
    // The next call repeats the work of a failed one: infra/sweeper.ts. The publisher's calls, for connections that open, are useful as long.
    handler.configureAsyncInvoke({
      retryAttempts: 0,
      maxEventAge: KEEP_ALIVE_EVERY,
      onFailure: failuresOf(handler),
    });
    new Rule(this, "KeepAlive", {
      description: "Wirelab: sends pings to the open WebSockets",
      schedule: Schedule.rate(KEEP_ALIVE_EVERY),
      targets: [new LambdaTarget(handler, { retryAttempts: 0 })],
    });
  }

  #makeRoutes(mode: AuthMode, authorizer: Authorizer | undefined): CfnRoute[] {
    const { handler } = this.target;
    const integration = new CfnIntegration(this, "Integration", {
      apiId: this.#api.ref,
      integrationType: "AWS_PROXY",
      integrationUri: this.#invocationUri(handler),
    });
    this.#permit("Invoke", handler, `${STAGE_NAME}/*`);
    const make = (name: string, routeKey: string, access: Partial<CfnRouteProps>) =>
      new CfnRoute(this, name, {
        apiId: this.#api.ref,
        routeKey,
        target: `integrations/${integration.ref}`,
        ...access,
      });
    const connect = make("Connect", "$connect", this.#gate(mode, authorizer));
    if (mode === "none") {
      const reason = "The context sets auth=none, which only an ephemeral stack may have.";
      Validations.of(connect).acknowledge({ id: "AwsSolutions-APIG4", reason });
    }
    const others = Object.entries(OTHER_ROUTES).map(([name, key]) => {
      const route = make(name, key, { authorizationType: "NONE" });
      const reason =
        "API Gateway authorizes a connection once, at $connect; other routes cannot have an authorizer.";
      Validations.of(route).acknowledge({ id: "AwsSolutions-APIG4", reason });
      return route;
    });
    return [connect, ...others];
  }

  #gate(mode: AuthMode, authorizer: Authorizer | undefined): Partial<CfnRouteProps> {
    if (mode === "iam") return { authorizationType: "AWS_IAM" };
    if (authorizer === undefined) return { authorizationType: "NONE" };
    const gate = new CfnAuthorizer(this, "Gate", {
      apiId: this.#api.ref,
      name: "gate",
      authorizerType: "REQUEST",
      authorizerUri: this.#invocationUri(authorizer.handler),
      // A page offers its token as a subprotocol, so the gateway cannot require the header.
      identitySource: [],
    });
    this.#permit("Authorize", authorizer.handler, `authorizers/${gate.ref}`);
    return { authorizationType: "CUSTOM", authorizerId: gate.ref };
  }

  #invocationUri({ functionArn }: LambdaFunction): string {
    const { partition, region } = Stack.of(this);
    return `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${functionArn}/invocations`;
  }

  #permit(id: string, target: LambdaFunction, part: string): void {
    target.addPermission(`Sockets${id}`, {
      scope: this,
      principal: new ServicePrincipal("apigateway.amazonaws.com"),
      sourceArn: this.#arn(part),
    });
  }

  #arn(part: string): string {
    const { partition, region, account } = Stack.of(this);
    return `arn:${partition}:execute-api:${region}:${account}:${this.#api.ref}/${part}`;
  }
}
