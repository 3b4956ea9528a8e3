/**
 * The gateway's access log: a line for each request, whether a function or the gateway responds.
 *
 *     -c gateway_log=own-role      the stack creates a role for the log; the default of stacks without ephemeral=true
 *     -c gateway_log=region-role   the log uses the region's existing role; the deployment fails if there is none
 *     -c gateway_log=none          no log; the default of stacks with ephemeral=true
 *
 * API Gateway writes the logs of all REST APIs of an account in a region with one role, `cloudwatchRoleArn` of AWS::ApiGateway::Account,
 * and rejects an access log while no role is set. If the role is deleted, the logs of all REST APIs stop. So own-role keeps the role
 * when the stack is destroyed, and an ephemeral stack creates none.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html
 */
import { ArnFormat, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import {
  AccessLogFormat,
  CfnAccount,
  type CfnRestApi,
  LogGroupLogDestination,
  type StageOptions,
} from "aws-cdk-lib/aws-apigateway";
import type { CfnStageProps } from "aws-cdk-lib/aws-apigatewayv2";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { Settings } from "./chosen-settings.ts";
import { logKeyOf } from "./customer-key.ts";
import { GATEWAY_LOGS } from "./wildcards.ts";

export type GatewayLogMode = "own-role" | "region-role" | "none";

/** infra/metrics.ts counts the gateway's own responses by `error`, their type. */
const FIELDS = {
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

/** The fields of the WebSocket API: the same names, so that one query reads the lines of both. */
const SOCKET_FIELDS = {
  requestId: FIELDS.requestId,
  time: FIELDS.time,
  ip: FIELDS.ip,
  caller: FIELDS.caller,
  userArn: FIELDS.userArn,
  method: "$context.eventType",
  resource: "$context.routeKey",
  connection: "$context.connectionId",
  status: FIELDS.status,
  error: FIELDS.error,
  authorizerError: FIELDS.authorizerError,
  integrationError: FIELDS.integrationError,
} as const;

/** @throws Error for an unknown mode, and for own-role in an ephemeral stack, which would delete the region's role. */
export function readGatewayLog(settings: Settings): GatewayLogMode {
  const ephemeral = settings.get("ephemeral");
  const mode = settings.get("gateway_log") ?? (ephemeral ? "none" : "own-role");
  if (ephemeral && mode === "own-role") {
    throw new Error(
      "The context key gateway_log is own-role, which sets a role for all REST APIs of the region; ephemeral=true would delete the role; use region-role or none",
    );
  }
  return mode;
}

/** @returns undefined if the stage has no access log. */
export const makeGatewayLog = (scope: Construct, mode: GatewayLogMode): LogGroup | undefined =>
  mode === "none"
    ? undefined
    : new LogGroup(scope, "AccessLog", {
        retention: RetentionDays.ONE_MONTH,
        removalPolicy: RemovalPolicy.DESTROY,
        ...logKeyOf(scope),
      });

/**
 * Makes the region's setting for logs of REST APIs, and its role, in own-role. Both outlive the stack.
 *
 * @param scope the API's construct of earlier versions, so that an upgraded stack keeps its role.
 * @param api the setting needs a first REST API of the account in the region.
 */
export function makeLogRole(scope: Construct, mode: GatewayLogMode, api: CfnRestApi): CfnAccount | undefined {
  if (mode !== "own-role") return undefined;
  const role = new Role(scope, "CloudWatchRole", {
    assumedBy: new ServicePrincipal("apigateway.amazonaws.com"),
    managedPolicies: [
      ManagedPolicy.fromAwsManagedPolicyName("service-role/AmazonAPIGatewayPushToCloudWatchLogs"),
    ],
  });
  Validations.of(role).acknowledge({
    id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
    reason: GATEWAY_LOGS,
  });
  const account = new CfnAccount(scope, "Account", { cloudWatchRoleArn: role.roleArn });
  for (const kept of [role, account]) kept.applyRemovalPolicy(RemovalPolicy.RETAIN);
  account.addResourceDependency(api);
  return account;
}

/** Returns properties for the stage. */
export const logSettings = (
  log: LogGroup | undefined,
): Pick<StageOptions, "accessLogDestination" | "accessLogFormat"> =>
  log === undefined
    ? {}
    : {
        accessLogDestination: new LogGroupLogDestination(log),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(FIELDS)),
      };

/** Returns properties for the stage of the WebSocket API. */
export const socketLogSettings = (log: LogGroup | undefined): Pick<CfnStageProps, "accessLogSettings"> =>
  log === undefined
    ? {}
    : { accessLogSettings: { destinationArn: arnOf(log), format: JSON.stringify(SOCKET_FIELDS) } };

/** The attribute `Arn` ends in a wildcard for the group's streams. */
const arnOf = (log: LogGroup): string =>
  Stack.of(log).formatArn({
    service: "logs",
    resource: "log-group",
    resourceName: log.logGroupName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

export function acknowledgeNoGatewayLog(scope: Construct): void {
  Validations.of(scope).acknowledge({
    id: "AwsSolutions-APIG1",
    reason: "An access log needs the role that all APIs of the region share; this stack does not change it.",
  });
}
