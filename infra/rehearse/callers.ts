/**
 * Who calls functions: an API, an authorizer or a rule answers with an error as long as the function's policy does not allow its service.
 * https://docs.aws.amazon.com/lambda/latest/dg/access-control-resource-based.html
 */
import { render, renderText } from "./render.ts";
import { isLike } from "./statements.ts";
import { type Json, listOf, ofType, type Problem, type StackTemplate } from "./template.ts";

interface Call {
  readonly logicalId: string;
  /** The function's ARN. */
  readonly target: string;
  readonly service: string;
  /** The ARN that the service names as its source; the end is `*` where it depends on the request. */
  readonly source: string;
}

const INTEGRATION = "x-amazon-apigateway-integration";
const AUTHORIZER = "x-amazon-apigateway-authorizer";
const SECURITY = "securitySchemes";
const GATEWAY = "apigateway.amazonaws.com";
const SCHEDULES = "events.amazonaws.com";

const functionIn = (uri: unknown): string | undefined =>
  /\/functions\/(arn:[^/]+)\/(?:response-streaming-)?invocations$/.exec(String(uri))?.[1];

export function checkCallers(stack: StackTemplate): readonly Problem[] {
  const permissions = ofType(stack, "AWS::Lambda::Permission").map(([, properties]) => {
    const { FunctionName, Principal, SourceArn } = render(stack, properties) as Json;
    return { target: String(FunctionName), service: Principal, source: String(SourceArn ?? "*") };
  });
  const isCallable = ({ target, service, source }: Call): boolean =>
    permissions.some(
      (each) =>
        each.service === service &&
        (target === each.target || target.endsWith(`:${each.target}`)) &&
        isLike(source, each.source),
    );
  const calls = [...gatewayCalls(stack), ...socketCalls(stack), ...scheduledCalls(stack)];
  const missing = calls.filter((call) => !isCallable(call));
  return [
    ...new Set(missing.map(({ logicalId, target, service }) => `${logicalId}\n${target}\n${service}`)),
  ].map((text) => {
    const [logicalId = "", target = "", service = ""] = text.split("\n");
    return {
      logicalId,
      text: `calls ${target.split(":").at(-1)}, whose policy has no permission for ${service}: add an AWS::Lambda::Permission`,
    };
  });
}

const apiArn = (stack: StackTemplate, api: unknown): string =>
  renderText(stack, {
    "Fn::Join": [
      "",
      ["arn:aws:execute-api:", { Ref: "AWS::Region" }, ":", { Ref: "AWS::AccountId" }, ":", api],
    ],
  });

const gatewayCalls = (stack: StackTemplate): Call[] =>
  ofType(stack, "AWS::ApiGateway::RestApi").flatMap(([logicalId, { Body }]) => {
    const api = apiArn(stack, { Ref: logicalId });
    const { paths = {}, components = {} } = (render(stack, Body ?? {}) ?? {}) as Record<string, Json>;
    const operations = Object.entries(paths as Record<string, Record<string, Json>>).flatMap(([path, item]) =>
      Object.entries(item).map(([verb, operation]) => ({
        uri: (operation[INTEGRATION] as Json | undefined)?.uri,
        source: `${api}/stage/${verb.toUpperCase()}${path}`,
      })),
    );
    const authorizers = Object.values((components[SECURITY] ?? {}) as Record<string, Json>).map((scheme) => ({
      uri: (scheme[AUTHORIZER] as Json | undefined)?.authorizerUri,
      source: `${api}/authorizers/id`,
    }));
    return [...operations, ...authorizers].flatMap(({ uri, source }) => {
      const target = functionIn(uri);
      return target === undefined ? [] : [{ logicalId, target, service: GATEWAY, source }];
    });
  });

/** WebSocket APIs: a route calls its integration, and the one that opens a connection its authorizer. */
function socketCalls(stack: StackTemplate): Call[] {
  const routes = ofType(stack, "AWS::ApiGatewayV2::Route").map(([, properties]) => properties);
  const integrations = ofType(stack, "AWS::ApiGatewayV2::Integration").flatMap(([logicalId, properties]) => {
    const target = functionIn(renderText(stack, properties.IntegrationUri));
    const keys = routes.filter(({ Target }) => JSON.stringify(Target ?? "").includes(`"${logicalId}"`));
    return keys.map(({ RouteKey }) => ({
      logicalId,
      target,
      source: `${apiArn(stack, properties.ApiId)}/${stageOf(stack, properties.ApiId)}/${RouteKey}`,
    }));
  });
  const authorizers = ofType(stack, "AWS::ApiGatewayV2::Authorizer").map(([logicalId, properties]) => ({
    logicalId,
    target: functionIn(renderText(stack, properties.AuthorizerUri ?? "")),
    source: `${apiArn(stack, properties.ApiId)}/authorizers/${renderText(stack, { Ref: logicalId })}`,
  }));
  return [...integrations, ...authorizers].flatMap(({ logicalId, target, source }) =>
    target === undefined ? [] : [{ logicalId, target, service: GATEWAY, source }],
  );
}

const stageOf = (stack: StackTemplate, api: unknown): string => {
  const stages = ofType(stack, "AWS::ApiGatewayV2::Stage").map(([, properties]) => properties);
  const own = stages.find(({ ApiId }) => JSON.stringify(ApiId) === JSON.stringify(api));
  return renderText(stack, own?.StageName ?? "stage");
};

const scheduledCalls = (stack: StackTemplate): Call[] =>
  ofType(stack, "AWS::Events::Rule").flatMap(([logicalId, { Targets }]) =>
    listOf(Targets).flatMap((each) => {
      const target = renderText(stack, (each as Json).Arn);
      const source = renderText(stack, { "Fn::GetAtt": [logicalId, "Arn"] });
      return target.includes(":lambda:") ? [{ logicalId, target, service: SCHEDULES, source }] : [];
    }),
  );
