/** Reads the routes of the REST API. */
import type { CfnResources } from "../intrinsics.ts";
import { type MockDefinition, readMock } from "../mock-integration.ts";
import { LocalProblem } from "../problem.ts";
import { findFunction, ofType } from "./resources.ts";

interface Route {
  /** In API Gateway's format: `/projects/{project_id}`, `/symbols/{symbol_path+}`. */
  readonly resourcePath: string;
  /** An HTTP method, or `ANY`. */
  readonly method: string;
  /** The authorizer's logical id; undefined for a route without authentication. */
  readonly authorizerId?: string;
}

export interface FunctionRoute extends Route {
  /** Logical id. */
  readonly functionId: string;
  readonly streaming: boolean;
  readonly timeoutMs: number;
}

/** The gateway responds without a function. */
interface MockRoute extends Route {
  readonly mock: MockDefinition;
}

export type RouteDefinition = FunctionRoute | MockRoute;

const INTEGRATION_TIMEOUT_MS = 29_000;

export function readRoutes(resources: CfnResources): RouteDefinition[] {
  return ofType(resources, "AWS::ApiGateway::Method").map(([id, { Properties = {} }]) => {
    const integration = (Properties.Integration ?? {}) as Record<string, unknown>;
    return {
      resourcePath: pathOf(resources, Properties.ResourceId),
      method: String(Properties.HttpMethod),
      ...readIntegration(resources, integration, `${id}.Integration`),
      ...readAuthorization(id, Properties),
    };
  });
}

function readIntegration(resources: CfnResources, integration: Record<string, unknown>, where: string) {
  switch (integration.Type) {
    case "AWS_PROXY":
      return {
        functionId: findFunction(resources, integration.Uri, `${where}.Uri`),
        streaming: integration.ResponseTransferMode === "STREAM",
        timeoutMs: Number(integration.TimeoutInMillis ?? INTEGRATION_TIMEOUT_MS),
      };
    case "MOCK":
      return { mock: readMock(integration, where) };
    default:
      throw new LocalProblem(`${where}.Type: only AWS_PROXY and MOCK run locally, not ${integration.Type}`);
  }
}

/** Rejects other types of authorization: without a check the route would be open. */
export function readAuthorization(
  id: string,
  { AuthorizationType = "NONE", AuthorizerId }: Readonly<Record<string, unknown>>,
): Pick<RouteDefinition, "authorizerId"> {
  const authorizerId = (AuthorizerId as { Ref?: string } | undefined)?.Ref;
  if (AuthorizationType === "NONE") return {};
  if (AuthorizationType === "CUSTOM" && authorizerId !== undefined) return { authorizerId };
  throw new LocalProblem(`${id}.AuthorizationType: ${AuthorizationType} has no local counterpart`);
}

/** Follows the parents up to the root, which is an attribute of the API, not a resource. */
function pathOf(resources: CfnResources, reference: unknown): string {
  const segments: string[] = [];
  let id = (reference as { Ref?: string })?.Ref;
  while (id !== undefined) {
    const properties = resources[id]?.Properties ?? {};
    segments.unshift(String(properties.PathPart));
    id = (properties.ParentId as { Ref?: string })?.Ref;
  }
  return `/${segments.join("/")}`;
}
