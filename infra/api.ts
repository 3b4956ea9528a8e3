/** The REST API: one OpenAPI document (infra/api/body.ts), its stage, and the permissions to call the functions. */
import { Stack, Validations } from "aws-cdk-lib";
import {
  ApiDefinition,
  type CfnRestApi,
  EndpointType,
  SpecRestApi,
  type Stage,
} from "aws-cdk-lib/aws-apigateway";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct, type IDependable } from "constructs";
import { GROUPS } from "../functions/routes.ts";
import type { RouteGroup } from "../functions/shared/edge/route.ts";
import { ACCESS_MODE, makeApiBody, TLS_POLICY } from "./api/body.ts";
import type { AuthMode } from "./auth.ts";
import type { Authorizer } from "./authorizer.ts";
import type { Settings } from "./chosen-settings.ts";
import {
  acknowledgeNoGatewayLog,
  type GatewayLogMode,
  logSettings,
  makeGatewayLog,
  makeLogRole,
} from "./gateway-log.ts";
import { serviceNameOf } from "./service-stack.ts";
import { STAGE_NAME } from "./stage-name.ts";
import { methodThrottles, stageThrottle } from "./throttling.ts";

interface ApiProps {
  readonly settings: Settings;
  readonly mode: AuthMode;
  readonly log: GatewayLogMode;
  /** Origins whose pages may use the API. */
  readonly origins: readonly string[];
  /** Undefined when IAM authorizes callers, or all callers are admitted. */
  readonly authorizer: Authorizer | undefined;
  /** Returns the function of a route group. */
  readonly functionOf: (group: RouteGroup) => LambdaFunction;
}

export class Api extends Construct {
  readonly accessLog: LogGroup | undefined;
  /** The region's setting for logs of APIs; undefined if the stack does not make it. */
  readonly logRole: IDependable | undefined;
  readonly #api: SpecRestApi;

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    const { settings, mode, log, origins, authorizer, functionOf } = props;
    this.accessLog = makeGatewayLog(this, log);
    const { partition, region } = Stack.of(this);
    const name = serviceNameOf(this);
    const body = makeApiBody({
      // CloudWatch identifies an API by this name, so services with one name would share their metrics.
      title: name,
      groups: GROUPS,
      uriOf: (group) =>
        `arn:${partition}:apigateway:${region}:lambda:path/2021-11-15/functions/${functionOf(group).functionArn}/response-streaming-invocations`,
      mode,
      authorizer: authorizer?.gate,
      origins,
    });
    this.#api = new SpecRestApi(this, "OpenApi", {
      apiDefinition: ApiDefinition.fromInline(body),
      restApiName: name,
      failOnWarnings: true,
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: false,
      deployOptions: {
        stageName: STAGE_NAME,
        ...logSettings(this.accessLog),
        tracingEnabled: settings.get("tracing"),
        ...stageThrottle(settings),
        methodOptions: methodThrottles(settings, GROUPS),
      },
    });
    const api = this.#api.node.defaultChild as CfnRestApi;
    api.securityPolicy = TLS_POLICY;
    api.endpointAccessMode = ACCESS_MODE;
    const logRole = makeLogRole(new Construct(this, "Rest"), log, api);
    if (logRole) this.stage.node.addDependency(logRole);
    this.logRole = logRole;
    for (const group of GROUPS)
      this.#permit(`${group.name}Permission`, functionOf(group), this.#api.arnForExecuteApi());
    // API Gateway chooses the id of an authorizer when it reads the document.
    if (authorizer) this.#permit("AuthorizerPermission", authorizer.handler, this.#arnOfAuthorizers());
    this.#acknowledge(log, settings.get("waf"));
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

  get stage(): Stage {
    return this.#api.deploymentStage;
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

  #permit(id: string, target: LambdaFunction, sourceArn: string): void {
    const principal = new ServicePrincipal("apigateway.amazonaws.com");
    target.addPermission(id, { scope: this, principal, sourceArn });
  }

  #arnOfAuthorizers(): string {
    return Stack.of(this).formatArn({
      service: "execute-api",
      resource: this.#api.restApiId,
      resourceName: "authorizers/*",
    });
  }

  /** cdk-nag does not read the document: test/unit/infra/api-body.test.ts checks who may call its operations. */
  #acknowledge(log: GatewayLogMode, hasFirewall: boolean): void {
    if (log === "none") acknowledgeNoGatewayLog(this.#api);
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
        id: "AwsSolutions-APIG6",
        reason: "The access log has every request; execution logs would also contain the bodies of requests.",
      },
    );
  }
}
