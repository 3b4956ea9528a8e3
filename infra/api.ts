/** The REST API: a method for each declared route, and on each path a catch-all that tells what is allowed there. */
import { Duration, RemovalPolicy, Validations } from "aws-cdk-lib";
import {
  AccessLogFormat,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  ResponseTransferMode,
  RestApi,
} from "aws-cdk-lib/aws-apigateway";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { gatewayPath, type RouteGroup } from "../functions/api/route.ts";
import { ACCESS } from "./access.ts";
import { answerTemplate, GATEWAY_ANSWERS } from "./gateway-responses.ts";
import type { RouteGroupFunction } from "./route-group.ts";

/** API Gateway waits for a function as long as the function may take, and for 15 minutes at most. */
const integrationTimeout = (group: RouteGroup): Duration =>
  Duration.seconds(ACCESS[group.name]!.timeoutSeconds);

const OPEN_API =
  "Who may call is not checked yet: the stack is for accounts and networks that are closed themselves.";

export class Api extends Construct {
  readonly #api: RestApi;

  constructor(scope: Construct, id: string, { ephemeral }: { ephemeral: boolean }) {
    super(scope, id);
    const accessLog = new LogGroup(this, "AccessLog", {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
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
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLogFormat.jsonWithStandardFields(),
        metricsEnabled: true,
      },
    });
    for (const answer of GATEWAY_ANSWERS) {
      this.#api.addGatewayResponse(answer.type.responseType, {
        type: answer.type,
        statusCode: String(answer.status),
        responseHeaders: { "X-Content-Type-Options": "'nosniff'", "X-Frame-Options": "'DENY'" },
        templates: { "application/json": answerTemplate(answer) },
      });
    }
    this.#acknowledge();
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
      const methods = new Set<string>(routes.map((route) => route.method));
      for (const method of [...methods, "ANY"]) resource.addMethod(method, integration);
    }
  }

  #acknowledge(): void {
    Validations.of(this.#api).acknowledge(
      {
        id: "AwsSolutions-APIG2",
        reason: "Every function validates its requests against the route's schemas.",
      },
      { id: "AwsSolutions-APIG3", reason: "A web application firewall costs more than the idle stack." },
      { id: "AwsSolutions-APIG4", reason: OPEN_API },
      { id: "AwsSolutions-COG4", reason: OPEN_API },
      {
        id: "AwsSolutions-APIG6",
        reason:
          "The access log tells every request; execution logs would hold the bodies of requests as well.",
      },
      {
        id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
        reason: "What API Gateway documents for the role with which it writes logs.",
      },
    );
  }
}
