/**
 * The REST API: a method on each declared path that serves its routes and lists them to other methods, the methods of public routes,
 * and a 404 for all other paths.
 */
import { Duration, Stack, Validations } from "aws-cdk-lib";
import {
  AuthorizationType,
  type CfnRestApi,
  EndpointType,
  LambdaIntegration,
  type MethodOptions,
  ResponseTransferMode,
  RestApi,
} from "aws-cdk-lib/aws-apigateway";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { GROUPS } from "../functions/routes.ts";
import { parsePath } from "../functions/shared/edge/path-template.ts";
import { neededRole, type RouteGroup, verbsOf } from "../functions/shared/edge/route.ts";
import { ACCESS } from "./access.ts";
import type { AuthMode } from "./auth.ts";
import type { Authorizer } from "./authorizer.ts";
import type { Settings } from "./chosen-settings.ts";
import { addPreflight, gatewayErrorHeaders } from "./cors.ts";
import {
  acknowledgeGatewayLog,
  type GatewayLogMode,
  logRole,
  logSettings,
  makeGatewayLog,
} from "./gateway-log.ts";
import { ANSWER_HEADERS, answerTemplate, gatewayResponses } from "./gateway-responses.ts";
import { redirectRoot } from "./root-redirect.ts";
import type { RouteGroupFunction } from "./route-group.ts";
import { serviceNameOf } from "./service-stack.ts";
import { STAGE_NAME } from "./stage-name.ts";
import { methodThrottles, stageThrottle } from "./throttling.ts";
import { answerUndeclaredPaths } from "./undeclared-paths.ts";

/** API Gateway waits for the function's timeout; its maximum is 15 minutes. */
const integrationTimeout = (group: RouteGroup): Duration =>
  Duration.seconds(ACCESS[group.name]!.timeoutSeconds);

const TLS_POLICY = "SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09";

interface ApiProps {
  readonly settings: Settings;
  readonly mode: AuthMode;
  readonly log: GatewayLogMode;
  /** Origins whose pages may use the API. */
  readonly origins: readonly string[];
  /** Undefined when IAM authorizes callers, or all callers are admitted. */
  readonly authorizer: Authorizer | undefined;
}

export class Api extends Construct {
  readonly accessLog: LogGroup | undefined;
  readonly #api: RestApi;
  /** Options of all methods except those of public routes. */
  readonly #closed: MethodOptions;
  readonly #origins: readonly string[];

  constructor(scope: Construct, id: string, { settings, mode, log, origins, authorizer }: ApiProps) {
    super(scope, id);
    this.accessLog = makeGatewayLog(this, log);
    this.#origins = origins;
    this.#api = new RestApi(this, "Rest", {
      // CloudWatch identifies an API by this name, so services with one name would share their metrics.
      restApiName: serviceNameOf(this),
      description: "Wirelab: projects, nodes, links, captures and symbols",
      endpointTypes: [EndpointType.REGIONAL],
      // Symbols and captures are bytes, and clients may send bytes to any route.
      binaryMediaTypes: ["*/*"],
      ...logRole(log),
      deployOptions: {
        stageName: STAGE_NAME,
        ...logSettings(this.accessLog),
        tracingEnabled: settings.get("tracing"),
        ...stageThrottle(settings),
        methodOptions: methodThrottles(settings, GROUPS),
      },
    });
    // API Gateway never accepts plain HTTP; this also rejects TLS older than 1.2.
    const api = this.#api.node.defaultChild as CfnRestApi;
    api.securityPolicy = TLS_POLICY;
    api.endpointAccessMode = "BASIC";
    this.#closed = {
      ...(authorizer && { authorizer: authorizer.gate }),
      ...(mode === "iam" && { authorizationType: AuthorizationType.IAM }),
    };
    for (const response of gatewayResponses(mode)) {
      this.#api.addGatewayResponse(response.type.responseType, {
        type: response.type,
        statusCode: String(response.status),
        responseHeaders: { ...ANSWER_HEADERS, ...response.headers, ...gatewayErrorHeaders(origins) },
        templates: { "application/json": answerTemplate(response) },
      });
    }
    for (const method of answerUndeclaredPaths(this.#api)) acknowledgeOpen(method, NO_ROUTE);
    acknowledgeOpen(redirectRoot(this.#api), PUBLIC_ROUTE);
    this.#acknowledge(mode, settings.get("waf"));
    acknowledgeGatewayLog(this.#api, log);
  }

  /** Totals of all routes. The functions log the metrics of each route, which costs less than API Gateway's detailed metrics. */
  get metrics() {
    const api = this.#api;
    return {
      all: api.metricCount(),
      clientErrors: api.metricClientError(),
      serverErrors: api.metricServerError(),
    };
  }

  get stage(): Construct {
    return this.#api.deploymentStage;
  }

  get stageArn(): string {
    return this.#api.deploymentStage.stageArn;
  }

  /** The region's setting for logs of APIs; undefined if the stack does not make it. */
  get logRole(): Construct | undefined {
    return this.#api.node.tryFindChild("Account") as Construct | undefined;
  }

  get id(): string {
    return this.#api.restApiId;
  }

  /** The host name of the API. */
  get domain(): string {
    const { region, urlSuffix } = Stack.of(this);
    return `${this.#api.restApiId}.execute-api.${region}.${urlSuffix}`;
  }

  /** The URL of the stage, to which clients append the paths of the interface. */
  get url(): string {
    return this.#api.url;
  }

  /** Routes every path of a group to its function. */
  route(group: RouteGroup, { handler }: RouteGroupFunction): void {
    const integration = new LambdaIntegration(handler, {
      // One permission for each method would exceed the size limit of the function's policy.
      scopePermissionToMethod: false,
      responseTransferMode: ResponseTransferMode.STREAM,
      timeout: integrationTimeout(group),
    });
    const byPath = Map.groupBy(Object.values(group.routes), (route) => parsePath(route.path).gatewayPath);
    for (const [path, routes] of byPath) {
      const resource = this.#api.root.resourceForPath(path);
      for (const [method, all] of Map.groupBy(routes, (route) => route.method)) {
        if (!all.every((route) => neededRole(route) === "public")) continue;
        for (const verb of verbsOf({ method }))
          acknowledgeOpen(resource.addMethod(verb, integration), PUBLIC_ROUTE);
      }
      // All other methods require the same credentials, and the function knows which ones there are: one method serves them, because
      // a stack has 500 resources at most.
      resource.addMethod("ANY", integration, this.#closed);
      if (this.#origins.length > 0) acknowledgeOpen(addPreflight(resource, this.#origins), PREFLIGHT);
    }
  }

  #acknowledge(mode: AuthMode, hasFirewall: boolean): void {
    if (mode === "none")
      acknowledgeOpen(this.#api, "The context sets auth=none, which only an ephemeral stack may have.");
    Validations.of(this.#api).acknowledge(
      {
        id: "AwsSolutions-APIG2",
        reason: "Every function validates its requests with the route's schemas.",
      },
      ...(hasFirewall
        ? []
        : [
            {
              id: "AwsSolutions-APIG3",
              reason: "A web application firewall costs more than the idle stack.",
            },
          ]),
      {
        id: "AwsSolutions-COG4",
        reason: "Clients of this interface use HTTP Basic, which Cognito does not support.",
      },
      {
        id: "AwsSolutions-APIG6",
        reason: "The access log has every request; execution logs would also contain the bodies of requests.",
      },
    );
  }
}

const PUBLIC_ROUTE =
  "A public route: it returns the version, the documentation or a redirect, and no user data.";

const PREFLIGHT = "A browser sends a preflight request without credentials; the response reveals no data.";

const NO_ROUTE = "The method returns a fixed 404 and calls no function.";

const acknowledgeOpen = (open: Construct, reason: string): void =>
  Validations.of(open).acknowledge({ id: "AwsSolutions-APIG4", reason });
