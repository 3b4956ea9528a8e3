/**
 * The REST API as one OpenAPI document, from the declaration of the routes: each path with the function of its group, the methods of
 * public routes, the preflight responses, a 404 for all other paths, and API Gateway's own responses. The template has it as the body
 * of one resource, because a stack has 500 resources at most.
 */
import { parsePath } from "../../functions/shared/edge/path-template.ts";
import { neededRole, type Route, type RouteGroup, verbsOf } from "../../functions/shared/edge/route.ts";
import { ACCESS } from "../access.ts";
import type { AuthMode } from "../auth.ts";
import { gatewayErrorHeaders, preflight } from "../cors.ts";
import { gatewayResponses } from "../gateway-responses.ts";
import { redirectToPage } from "../root-redirect.ts";
import { NO_ROUTE, UNDECLARED_PATHS } from "../undeclared-paths.ts";
import {
  ANY_METHOD,
  type ApiDocument,
  AUTH_TYPE,
  AUTHORIZER,
  BINARY_MEDIA_TYPES,
  ENDPOINT_ACCESS_MODE,
  GATEWAY_RESPONSES,
  INTEGRATION,
  type LambdaAuthorizer,
  type Operation,
  type PathItem,
  SECURITY_POLICY,
  type SecurityScheme,
  type Verb,
} from "./document.ts";

/** API Gateway never accepts plain HTTP; this also rejects TLS older than 1.2. */
export const TLS_POLICY = "SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09";
/** Required with such a policy. */
export const ACCESS_MODE = "BASIC";

/** The name of the security scheme of all operations except public ones. */
const GATE = "gate";

export interface ApiBodyOptions {
  readonly title: string;
  readonly groups: readonly RouteGroup[];
  /** Returns the URI at which API Gateway calls the function of a group. */
  readonly uriOf: (group: RouteGroup) => string;
  readonly mode: AuthMode;
  /** Undefined when IAM authorizes callers, or all callers are admitted. */
  readonly authorizer: LambdaAuthorizer | undefined;
  /** Origins whose pages may use the API. */
  readonly origins: readonly string[];
}

/** @throws Error if two groups declare the same path, whose function would be ambiguous. */
export function makeApiBody(options: ApiBodyOptions): ApiDocument {
  const { title, mode, origins } = options;
  const scheme = schemeOf(options);
  return {
    openapi: "3.0.1",
    info: { title, description: "Wirelab: projects, nodes, links, captures and symbols", version: "2" },
    paths: makePaths(options, scheme && [{ [GATE]: [] }]),
    ...(scheme && { components: { securitySchemes: { [GATE]: scheme } } }),
    [GATEWAY_RESPONSES]: gatewayResponses(mode, gatewayErrorHeaders(origins)),
    // Symbols and captures are bytes, and clients may send bytes to any route.
    [BINARY_MEDIA_TYPES]: ["*/*"],
    [SECURITY_POLICY]: TLS_POLICY,
    [ENDPOINT_ACCESS_MODE]: ACCESS_MODE,
  };
}

/** @returns undefined if all callers are admitted. */
function schemeOf({ mode, authorizer }: ApiBodyOptions): SecurityScheme | undefined {
  if (mode === "iam") {
    return { type: "apiKey", name: "Authorization", in: "header", [AUTH_TYPE]: "awsSigv4" };
  }
  if (authorizer === undefined) return undefined;
  // OpenAPI requires a name; the header is in the identity source.
  return { type: "apiKey", name: "Unused", in: "header", [AUTH_TYPE]: "custom", [AUTHORIZER]: authorizer };
}

function makePaths(options: ApiBodyOptions, security: Operation["security"]): Record<string, PathItem> {
  const paths: Record<string, PathItem> = Object.fromEntries(
    UNDECLARED_PATHS.map((path) => [path, withParameters(path, { [ANY_METHOD]: NO_ROUTE })]),
  );
  paths["/"] = { ...paths["/"], get: redirectToPage() };
  for (const group of options.groups) {
    for (const [path, routes] of Map.groupBy(
      Object.values(group.routes),
      (route) => parsePath(route.path).gatewayPath,
    )) {
      if (path in paths) throw new Error(`the group ${group.name} declares ${path}, which another group has`);
      paths[path] = withParameters(path, itemOf(options, group, routes, security));
    }
  }
  return paths;
}

/** All methods but public ones require the same credentials, and the function knows which there are: one operation serves them. */
function itemOf(
  { uriOf, origins }: ApiBodyOptions,
  group: RouteGroup,
  routes: readonly Route[],
  security: Operation["security"],
): PathItem {
  const operation: Operation = {
    // OpenAPI requires a response; the function decides about it.
    responses: { 200: { description: "The response of the function" } },
    [INTEGRATION]: {
      type: "aws_proxy",
      httpMethod: "POST",
      uri: uriOf(group),
      responseTransferMode: "STREAM",
      // API Gateway waits for the function's timeout; its maximum is 15 minutes.
      timeoutInMillis: ACCESS[group.name]!.timeoutSeconds * 1000,
    },
  };
  return {
    ...Object.fromEntries(publicVerbs(routes).map((verb) => [verb, operation])),
    [ANY_METHOD]: security ? { security, ...operation } : operation,
    ...(origins.length > 0 && { options: preflight(origins) }),
  };
}

/** The methods of a path that all callers may use. */
function publicVerbs(routes: readonly Route[]): Verb[] {
  return [...Map.groupBy(routes, ({ method }) => method)]
    .filter(([, all]) => all.every((route) => neededRole(route) === "public"))
    .flatMap(([method]) => verbsOf({ method }).map((verb) => verb.toLowerCase() as Verb));
}

/** OpenAPI requires a declaration of each variable of a path. */
function withParameters(path: string, item: PathItem): PathItem {
  const names = Array.from(path.matchAll(/\{(\w+)\+?\}/g), ([, name]) => name!);
  if (names.length === 0) return item;
  return {
    parameters: names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
    ...item,
  };
}
