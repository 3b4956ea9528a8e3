/**
 * Holds the OpenAPI body of a REST API to what API Gateway imports: paths, variables, integrations, security, its own responses.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions.html, and the quotas of
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 */
import { render } from "./render.ts";
import { type Json, ofType, type Problem, type StackTemplate } from "./template.ts";

/** Nodes of the tree of paths, the root and those without a method included. */
const RESOURCES = 300;
const AUTHORIZERS = 10;
/** Longer responses must be streamed. */
const BUFFERED_MS = 29_000;
const STREAMED_MS = 900_000;

const EXTENSION = "x-amazon-apigateway-";
const EXTENSIONS = new Set(
  [
    "any-method",
    "api-key-source",
    "auth",
    "authorizer",
    "authtype",
    "binary-media-types",
    "documentation",
    "endpoint-access-mode",
    "endpoint-configuration",
    "gateway-responses",
    "importexport-version",
    "integration",
    "minimum-compression-size",
    "policy",
    "request-validator",
    "request-validators",
    "security-policy",
    "tag-value",
  ].map((name) => EXTENSION + name),
);

const VERBS = ["delete", "get", "head", "options", "patch", "post", "put", `${EXTENSION}any-method`];
const INTEGRATION_TYPES = ["aws", "aws_proxy", "http", "http_proxy", "mock"];
const INTEGRATION_KEYS = new Set([
  "cacheKeyParameters",
  "cacheNamespace",
  "connectionId",
  "connectionType",
  "contentHandling",
  "credentials",
  "httpMethod",
  "integrationTarget",
  "passthroughBehavior",
  "requestParameters",
  "requestTemplates",
  "responseTransferMode",
  "responses",
  "timeoutInMillis",
  "tlsConfig",
  "type",
  "uri",
]);

const GATEWAY_RESPONSES = new Set([
  "ACCESS_DENIED",
  "API_CONFIGURATION_ERROR",
  "AUTHORIZER_CONFIGURATION_ERROR",
  "AUTHORIZER_FAILURE",
  "BAD_REQUEST_BODY",
  "BAD_REQUEST_PARAMETERS",
  "DEFAULT_4XX",
  "DEFAULT_5XX",
  "EXPIRED_TOKEN",
  "INTEGRATION_FAILURE",
  "INTEGRATION_TIMEOUT",
  "INVALID_API_KEY",
  "INVALID_SIGNATURE",
  "MISSING_AUTHENTICATION_TOKEN",
  "QUOTA_EXCEEDED",
  "REQUEST_TOO_LARGE",
  "RESOURCE_NOT_FOUND",
  "THROTTLED",
  "UNAUTHORIZED",
  "UNSUPPORTED_MEDIA_TYPE",
  "WAF_FILTERED",
]);

const FUNCTION_URI = /:lambda:path\/2015-03-31\/functions\/.+\/invocations$/;
const STREAMING_URI = /:lambda:path\/2021-11-15\/functions\/.+\/response-streaming-invocations$/;

export const checkApiBodies = (stack: StackTemplate): readonly Problem[] =>
  ofType(stack, "AWS::ApiGateway::RestApi").flatMap(([logicalId, { Body }]) =>
    Body === undefined ? [] : faultsOf(render(stack, Body) as Json).map((text) => ({ logicalId, text })),
  );

function faultsOf(body: Json): string[] {
  const paths = (body.paths ?? {}) as Record<string, Json>;
  const schemes = ((body.components as Json | undefined)?.securitySchemes ?? {}) as Record<string, Json>;
  return [
    ...(/^3\.0\.\d+$/.test(String(body.openapi))
      ? []
      : [`openapi is ${body.openapi}, API Gateway imports 3.0`]),
    ...unknownExtensions(body),
    ...pathFaults(Object.keys(paths)),
    ...Object.entries(paths).flatMap(([path, item]) => operationFaults(path, item, schemes)),
    ...schemeFaults(schemes),
    ...gatewayResponseFaults((body[`${EXTENSION}gateway-responses`] ?? {}) as Record<string, Json>),
  ];
}

const unknownExtensions = (value: unknown): string[] =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, each]) => [
        ...(key.startsWith(EXTENSION) && !EXTENSIONS.has(key)
          ? [`${key} is no extension that API Gateway knows`]
          : []),
        ...unknownExtensions(each),
      ]);

/** A resource is a part of a path; API Gateway makes the parents of each. */
function pathFaults(paths: readonly string[]): string[] {
  const faults: string[] = [];
  const variables = new Map<string, string>();
  const resources = new Set<string>([""]);
  for (const path of paths) {
    const parts = path.split("/").slice(1).filter(Boolean);
    let parent = "";
    for (const [index, part] of parts.entries()) {
      if (!/^([\w.:$-]+|\{\w+\+?\})$/.test(part))
        faults.push(
          `${path}: ${part} is no part of a path: letters, digits, and one variable that fills the part`,
        );
      if (part.endsWith("+}") && index < parts.length - 1)
        faults.push(`${path}: the greedy variable ${part} must be the last part`);
      if (part.startsWith("{")) {
        // A resource has one child with a variable, and one with a greedy variable.
        const place = `${parent} ${part.endsWith("+}")}`;
        const other = variables.get(place) ?? part;
        if (other !== part) faults.push(`${path}: ${part} stands where another path has ${other}`);
        variables.set(place, other);
      }
      parent += `/${part}`;
      resources.add(parent);
    }
  }
  if (resources.size > RESOURCES)
    faults.push(
      `the paths are ${resources.size} resources, API Gateway's quota is ${RESOURCES}: ask for more, or take a greedy variable`,
    );
  return faults;
}

function operationFaults(path: string, item: Json, schemes: Readonly<Record<string, Json>>): string[] {
  const needed = Array.from(path.matchAll(/\{(\w+)\+?\}/g), ([, name]) => name!);
  const named = (value: unknown): readonly string[] =>
    ((value ?? []) as Json[]).flatMap((each) => (each.in === "path" ? [String(each.name)] : []));
  return Object.entries(item).flatMap(([verb, operation]) => {
    if (verb === "parameters") return [];
    if (!VERBS.includes(verb)) return [`${path}: ${verb} is no method`];
    const of = operation as Json;
    const declared = [...named(item.parameters), ...named(of.parameters)];
    const where = `${path} ${verb.replace(`${EXTENSION}any-method`, "ANY")}`;
    return [
      ...needed
        .filter((name) => !declared.includes(name))
        .map((name) => `${where}: the variable ${name} is not declared`),
      ...((of.security ?? []) as Json[])
        .flatMap((each) => Object.keys(each))
        .filter((name) => schemes[name] === undefined)
        .map((name) => `${where}: the security scheme ${name} does not exist`),
      ...integrationFaults(of).map((fault) => `${where}: ${fault}`),
    ];
  });
}

function integrationFaults(operation: Json): string[] {
  const integration = operation[`${EXTENSION}integration`] as Json | undefined;
  if (integration === undefined) return ["has no integration"];
  const {
    type,
    uri,
    httpMethod,
    responseTransferMode,
    timeoutInMillis = BUFFERED_MS,
    responses,
  } = integration;
  const faults = Object.keys(integration)
    .filter((key) => !INTEGRATION_KEYS.has(key))
    .map((key) => `the integration has an unknown key ${key}`);
  if (!INTEGRATION_TYPES.includes(String(type))) return [...faults, `the integration's type is ${type}`];
  const isStream = responseTransferMode === "STREAM";
  if (isStream && !/_proxy$/.test(String(type))) faults.push("only a proxy integration streams");
  const most = isStream ? STREAMED_MS : BUFFERED_MS;
  if (Number(timeoutInMillis) > most)
    faults.push(
      `timeoutInMillis is ${timeoutInMillis}, at most ${most}${isStream ? "" : " without streaming"}`,
    );
  if (type === "aws_proxy") {
    if (httpMethod !== "POST") faults.push("API Gateway calls functions with the httpMethod POST");
    if (!(isStream ? STREAMING_URI : FUNCTION_URI).test(String(uri)))
      faults.push(
        `the uri does not fit ${isStream ? "a streamed" : "a buffered"} call of a function: ${uri}`,
      );
  } else if (type !== "mock" && uri === undefined) faults.push("the integration has no uri");
  return [...faults, ...headerFaults(operation, (responses ?? {}) as Record<string, Json>)];
}

/** An integration sets only headers that the response of its status declares. */
function headerFaults(operation: Json, responses: Readonly<Record<string, Json>>): string[] {
  const declared = (operation.responses ?? {}) as Record<string, { headers?: Json }>;
  return Object.values(responses).flatMap(({ statusCode, responseParameters }) => {
    const response = declared[String(statusCode)];
    if (response === undefined) return [`the status ${statusCode} is not declared`];
    const names = Object.keys(response.headers ?? {});
    return Object.keys((responseParameters ?? {}) as Json)
      .flatMap((key) => /^method\.response\.header\.(.+)$/.exec(key)?.[1] ?? [])
      .filter((name) => !names.includes(name))
      .map((name) => `the response ${statusCode} does not declare the header ${name}`);
  });
}

function schemeFaults(schemes: Readonly<Record<string, Json>>): string[] {
  const all = Object.entries(schemes);
  const faults = all.flatMap(([name, scheme]) => {
    const authorizer = scheme[`${EXTENSION}authorizer`] as Json | undefined;
    if (scheme.type !== "apiKey")
      return [`the security scheme ${name} has the type ${scheme.type}, not apiKey`];
    if (authorizer === undefined) return [];
    const { type, authorizerUri, identitySource, authorizerResultTtlInSeconds = 300 } = authorizer;
    return [
      ...(["token", "request", "cognito_user_pools"].includes(String(type)) ? [] : [`has the type ${type}`]),
      ...(FUNCTION_URI.test(String(authorizerUri))
        ? []
        : [`has an authorizerUri of no function: ${authorizerUri}`]),
      ...(Number(authorizerResultTtlInSeconds) <= 3_600
        ? []
        : [`caches for ${authorizerResultTtlInSeconds} s, at most 3600`]),
      ...(Number(authorizerResultTtlInSeconds) > 0 && !identitySource
        ? ["caches without an identitySource"]
        : []),
    ].map((fault) => `the authorizer ${name} ${fault}`);
  });
  const authorizers = all.filter(([, scheme]) => `${EXTENSION}authorizer` in scheme).length;
  return authorizers > AUTHORIZERS
    ? [...faults, `the API has ${authorizers} authorizers, API Gateway's quota is ${AUTHORIZERS}`]
    : faults;
}

const gatewayResponseFaults = (responses: Readonly<Record<string, Json>>): string[] =>
  Object.entries(responses).flatMap(([name, { statusCode, responseParameters }]) => [
    ...(GATEWAY_RESPONSES.has(name) ? [] : [`${name} is no response of API Gateway's own`]),
    ...(statusCode === undefined || /^[1-5]\d\d$/.test(String(statusCode))
      ? []
      : [`${name} has the status ${statusCode}`]),
    ...Object.keys((responseParameters ?? {}) as Json)
      .filter((key) => !/^gatewayresponse\.header\.[\w-]+$/.test(key))
      .map((key) => `${name} sets ${key}, which is no header of it`),
  ]);
