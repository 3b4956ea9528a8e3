/** The REST API: a method for each declared route, and on each path a catch-all that tells what is allowed there. */
import { Duration, RemovalPolicy, Validations } from "aws-cdk-lib";
import {
  AccessLogFormat,
  AuthorizationType,
  type CfnRestApi,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  type MethodOptions,
  ResponseTransferMode,
  RestApi,
} from "aws-cdk-lib/aws-apigateway";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { gatewayPath, neededRole, type RouteGroup } from "../functions/api/route.ts";
import { GROUPS } from "../functions/routes.ts";
import { ACCESS } from "./access.ts";
import type { AuthMode } from "./auth.ts";
import type { Authorizer } from "./authorizer.ts";
import { logKeyOf } from "./customer-key.ts";
import { hasFirewall } from "./firewall.ts";
import { ANSWER_HEADERS, answerTemplate, gatewayAnswers } from "./gateway-responses.ts";
import type { RouteGroupFunction } from "./route-group.ts";
import { runThrottles, stageThrottle } from "./throttling.ts";
import { isTraced } from "./tracing.ts";
import { GATEWAY_LOGS } from "./wildcards.ts";

/** API Gateway waits for a function as long as the function may take, and for 15 minutes at most. */
const integrationTimeout = (group: RouteGroup): Duration =>
  Duration.seconds(ACCESS[group.name]!.timeoutSeconds);

/** A line for each request, whoever answers it; infra/metrics.ts counts the types of the gateway's own answers. */
const ACCESS_LOG_FIELDS = {
  requestId: "$context.requestId",
  time: "$context.requestTime",
  ip: "$context.identity.sourceIp",
  caller: "$context.authorizer.principalId",
  userArn: "$context.identity.userArn",
  method: "$context.httpMethod",
  resource: "$context.resourcePath",
  path: "$context.path",
  protocol: "$context.protocol",
  status: "$context.status",
  bytes: "$context.responseLength",
  latencyMs: "$context.responseLatency",
  error: "$context.error.responseType",
  authorizerError: "$context.authorizer.error",
  integrationError: "$context.integration.error",
} as const;

const TLS_POLICY = "SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09";

interface ApiProps {
  readonly ephemeral: boolean;
  readonly mode: AuthMode;
  /** Who says whom the API lets in, unless IAM does or everybody is. */
  readonly authorizer: Authorizer | undefined;
}

export class Api extends Construct {
  readonly accessLog: LogGroup;
  readonly #api: RestApi;
  /** Of all methods but those of public routes. */
  readonly #closed: MethodOptions;

  constructor(scope: Construct, id: string, { ephemeral, mode, authorizer }: ApiProps) {
    super(scope, id);
    this.accessLog = new LogGroup(this, "AccessLog", {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
      ...logKeyOf(this),
    });
    this.#api = new RestApi(this, "Rest", {
      restApiName: "Wirelab",
      description: "Projects, nodes, links, captures, symbols",
      endpointTypes: [EndpointType.REGIONAL],
      // Symbols and captures are bytes, and any route may be sent any.
      binaryMediaTypes: ["*/*"],
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
      deployOptions: {
        // The version prefix of the interface is the stage.
        stageName: "v2",
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG_FIELDS)),
        tracingEnabled: isTraced(this.node),
        ...stageThrottle(this.node),
        methodOptions: runThrottles(this.node, GROUPS, { metricsEnabled: true }),
      },
    });
    // Plain HTTP it never takes; this keeps out what is older than TLS 1.2, too.
    const api = this.#api.node.defaultChild as CfnRestApi;
    api.securityPolicy = TLS_POLICY;
    api.endpointAccessMode = "BASIC";
    this.#closed = {
      ...(authorizer && { authorizer: authorizer.gate }),
      ...(mode === "iam" && { authorizationType: AuthorizationType.IAM }),
    };
    for (const answer of gatewayAnswers(mode)) {
      this.#api.addGatewayResponse(answer.type.responseType, {
        type: answer.type,
        statusCode: String(answer.status),
        responseHeaders: { ...ANSWER_HEADERS, ...answer.headers },
        templates: { "application/json": answerTemplate(answer) },
      });
    }
    this.#acknowledge(mode);
  }

  /** Over all routes: what there is by route, the functions tell themselves, which costs less. */
  get metrics() {
    const api = this.#api;
    return {
      all: api.metricCount(),
      clientErrors: api.metricClientError(),
      serverErrors: api.metricServerError(),
    };
  }

  get stageArn(): string {
    return this.#api.deploymentStage.stageArn;
  }

  /** Of the stage: paths of the interface follow it. */
  get url(): string {
    return this.#api.url;
  }

  /** Routes every path of a group to its function. */
  route(group: RouteGroup, { handler }: RouteGroupFunction): void {
    const integration = new LambdaIntegration(handler, {
      // One permission for a function, not one for each of its methods: a policy has a size limit.
      scopePermissionToMethod: false,
      responseTransferMode: ResponseTransferMode.STREAM,
      timeout: integrationTimeout(group),
    });
    const byPath = Map.groupBy(Object.values(group.routes), (route) => gatewayPath(route.path));
    for (const [path, routes] of byPath) {
      const resource = this.#api.root.resourceForPath(path);
      for (const [method, all] of Map.groupBy(routes, (route) => route.method)) {
        const isPublic = all.every((route) => neededRole(route) === "public");
        if (!isPublic) resource.addMethod(method, integration, this.#closed);
        else acknowledgeOpen(resource.addMethod(method, integration), PUBLIC_ROUTE);
      }
      resource.addMethod("ANY", integration, this.#closed);
    }
  }

  #acknowledge(mode: AuthMode): void {
    if (mode === "none")
      acknowledgeOpen(this.#api, "Asked for by the context, of a stack that does not last.");
    Validations.of(this.#api).acknowledge(
      {
        id: "AwsSolutions-APIG2",
        reason: "Every function validates its requests against the route's schemas.",
      },
      ...(hasFirewall(this.node)
        ? []
        : [
            {
              id: "AwsSolutions-APIG3",
              reason: "A web application firewall costs more than the idle stack.",
            },
          ]),
      {
        id: "AwsSolutions-COG4",
        reason: "Clients of this interface speak HTTP Basic, which Cognito does not.",
      },
      {
        id: "AwsSolutions-APIG6",
        reason:
          "The access log tells every request; execution logs would hold the bodies of requests as well.",
      },
      {
        id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
        reason: GATEWAY_LOGS,
      },
    );
  }
}

const PUBLIC_ROUTE =
  "What answers here, and how to speak to it, is told to everybody: there is no data in it.";

const acknowledgeOpen = (open: Construct, reason: string): void =>
  Validations.of(open).acknowledge({ id: "AwsSolutions-APIG4", reason });
