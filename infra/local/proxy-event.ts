/** Builds the event of a function: API Gateway's proxy event for REST APIs, payload version 1.0. */
import type { APIGatewayProxyEvent } from "aws-lambda";
import { LOCAL_ACCOUNT } from "./intrinsics.ts";
import type { RouteMatch } from "./route-tree.ts";

export interface ReceivedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The path of the request line, with the stage: `/v2/version`. */
  readonly fullPath: string;
  /** The path below the stage: `/version`. */
  readonly path: string;
  /** The text after the question mark, or empty. */
  readonly query: string;
  /** Names and values alternate, as received. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly protocol: string;
  readonly port: number;
  readonly receivedAtMs: number;
}

/** Headers that end at the gateway, or that the gateway sets itself. */
const NOT_PASSED_ON = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "x-amzn-trace-id",
  "x-forwarded-port",
  "x-forwarded-proto",
]);

/** @returns null when the query has a broken percent-escape. */
export function buildProxyEvent(
  request: ReceivedRequest,
  match: RouteMatch,
  stage: string,
  binaryBodies: boolean,
): APIGatewayProxyEvent | null {
  const query = parseQuery(request.query);
  if (query === null) return null;
  const headers = collectHeaders(request);
  return {
    resource: match.route.resourcePath,
    path: request.path,
    httpMethod: request.method,
    headers: lastOfEach(headers) ?? {},
    multiValueHeaders: allOfEach(headers) ?? {},
    queryStringParameters: lastOfEach(query),
    multiValueQueryStringParameters: allOfEach(query),
    pathParameters: Object.keys(match.pathParameters).length > 0 ? { ...match.pathParameters } : null,
    stageVariables: null,
    requestContext: buildContext(request, match, stage, headers),
    ...encodeBody(request.body, binaryBodies),
  };
}

function encodeBody(body: Buffer, binary: boolean): Pick<APIGatewayProxyEvent, "body" | "isBase64Encoded"> {
  if (body.length === 0) return { body: null, isBase64Encoded: false };
  return { body: body.toString(binary ? "base64" : "utf8"), isBase64Encoded: binary };
}

function buildContext(
  request: ReceivedRequest,
  { route }: RouteMatch,
  stage: string,
  headers: Multimap,
): APIGatewayProxyEvent["requestContext"] {
  const header = (name: string) => headers.get(name)?.values.at(-1);
  return {
    accountId: LOCAL_ACCOUNT,
    apiId: "local",
    authorizer: null,
    domainName: header("host") ?? "localhost",
    domainPrefix: "local",
    extendedRequestId: request.requestId,
    httpMethod: request.method,
    identity: {
      accessKey: null,
      accountId: null,
      apiKey: null,
      apiKeyId: null,
      caller: null,
      clientCert: null,
      cognitoAuthenticationProvider: null,
      cognitoAuthenticationType: null,
      cognitoIdentityId: null,
      cognitoIdentityPoolId: null,
      principalOrgId: null,
      sourceIp: request.sourceIp,
      user: null,
      userAgent: header("user-agent") ?? null,
      userArn: null,
    },
    path: request.fullPath,
    protocol: "HTTP/1.1",
    requestId: request.requestId,
    requestTime: formatRequestTime(request.receivedAtMs),
    requestTimeEpoch: request.receivedAtMs,
    resourceId: route.resourcePath,
    resourcePath: route.resourcePath,
    stage,
  };
}

/** Formats a time in the common log format, in UTC: `09/Apr/2015:12:34:56 +0000`. */
export function formatRequestTime(epochMs: number): string {
  const [, day, month, year, time] = new Date(epochMs).toUTCString().split(" ");
  return `${day}/${month}/${year}:${time} +0000`;
}

/** Key -> name and values. The key of a header is in lower case; the name has the spelling of the first occurrence. */
export type Multimap = Map<string, { readonly name: string; readonly values: string[] }>;

export function collectHeaders(
  request: Pick<ReceivedRequest, "rawHeaders" | "sourceIp" | "port" | "protocol">,
  notPassedOn: ReadonlySet<string> = NOT_PASSED_ON,
): Multimap {
  const headers: Multimap = new Map();
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]!;
    const key = name.toLowerCase();
    if (!notPassedOn.has(key)) add(headers, key, name, request.rawHeaders[index + 1]!);
  }
  const forwardedFor = headers.get("x-forwarded-for")?.values ?? [];
  headers.delete("x-forwarded-for");
  add(headers, "x-forwarded-for", "X-Forwarded-For", [...forwardedFor, request.sourceIp].join(", "));
  add(headers, "x-forwarded-port", "X-Forwarded-Port", String(request.port));
  add(headers, "x-forwarded-proto", "X-Forwarded-Proto", request.protocol);
  return headers;
}

export function parseQuery(text: string): Multimap | null {
  const query: Multimap = new Map();
  for (const pair of text.split("&").filter(Boolean)) {
    const equals = pair.indexOf("=");
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? "" : pair.slice(equals + 1));
    if (name === null || value === null) return null;
    add(query, name, name, value);
  }
  return query;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}

function add(map: Multimap, key: string, name: string, value: string): void {
  const entry = map.get(key);
  if (entry) entry.values.push(value);
  else map.set(key, { name, values: [value] });
}

export function lastOfEach(map: Multimap): Record<string, string> | null {
  return map.size === 0
    ? null
    : Object.fromEntries([...map.values()].map(({ name, values }) => [name, values.at(-1)!]));
}

export function allOfEach(map: Multimap): Record<string, string[]> | null {
  return map.size === 0
    ? null
    : Object.fromEntries([...map.values()].map(({ name, values }) => [name, values]));
}
