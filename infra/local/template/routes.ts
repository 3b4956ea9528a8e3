/** Reads the routes of the REST API. */
import { ANY_METHOD, AUTH_TYPE, INTEGRATION, type Operation, VERBS } from "../../api/document.ts";
import { type MockDefinition, readMock } from "../mock-integration.ts";
import { LocalProblem } from "../problem.ts";
import type { RestApi } from "./api.ts";
import type { FindFunction } from "./resources.ts";

interface Route {
  /** In API Gateway's format: `/projects/{project_id}`, `/symbols/{symbol_path+}`. */
  readonly resourcePath: string;
  /** An HTTP method, or `ANY`. */
  readonly method: string;
  /** The name of the authorizer; undefined for a route without authentication. */
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

export function readRoutes(api: RestApi, findFunction: FindFunction): RouteDefinition[] {
  return Object.entries(api.document.paths).flatMap(([resourcePath, item]) =>
    ([...VERBS, ANY_METHOD] as const).flatMap((verb) => {
      const operation = item[verb];
      if (operation === undefined) return [];
      const where = `${api.id}.Body.paths.${resourcePath}.${verb}`;
      return [
        {
          resourcePath,
          method: verb === ANY_METHOD ? "ANY" : verb.toUpperCase(),
          ...readIntegration(operation, findFunction, `${where}.${INTEGRATION}`),
          ...readSecurity(api, operation, where),
        },
      ];
    }),
  );
}

function readIntegration(operation: Operation, findFunction: FindFunction, where: string) {
  const integration = operation[INTEGRATION];
  switch (integration?.type) {
    case "aws_proxy":
      return {
        functionId: findFunction(integration.uri, `${where}.uri`),
        streaming: integration.responseTransferMode === "STREAM",
        timeoutMs: integration.timeoutInMillis ?? INTEGRATION_TIMEOUT_MS,
      };
    case "mock":
      return { mock: readMock(operation, integration, where) };
    default: {
      const { type } = (integration ?? {}) as { type?: string };
      throw new LocalProblem(`${where}.type: only aws_proxy and mock run locally, not ${type}`);
    }
  }
}

/** Rejects schemes other than a function: without a check the route would be open. */
function readSecurity(
  { document }: RestApi,
  { security = [] }: Operation,
  where: string,
): Pick<RouteDefinition, "authorizerId"> {
  const names = security.flatMap((requirement) => Object.keys(requirement));
  const [authorizerId] = names;
  if (authorizerId === undefined) return {};
  const type = document.components?.securitySchemes[authorizerId]?.[AUTH_TYPE];
  if (names.length === 1 && type === "custom") return { authorizerId };
  throw new LocalProblem(`${where}.security: ${names.join()} (${type}) has no local counterpart`);
}
