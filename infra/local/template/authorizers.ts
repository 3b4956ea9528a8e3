/** Reads the Lambda authorizers of both APIs. */
import { AUTHORIZER } from "../../api/document.ts";
import type { CfnResources } from "../intrinsics.ts";
import { LocalProblem } from "../problem.ts";
import type { RestApi } from "./api.ts";
import { type FindFunction, ofType } from "./resources.ts";

/** A Lambda authorizer of type REQUEST. */
export interface AuthorizerDefinition {
  /** Logical id. */
  readonly functionId: string;
  /** `method.request.header.Authorization`, ...: a request must have all of them; their values are the key of the cached policy. */
  readonly identitySources: readonly string[];
  /** A policy is cached for this time; 0 disables the cache. */
  readonly ttlMs: number;
}

/** AWS's default, for an authorizer without authorizerResultTtlInSeconds. */
const AUTHORIZER_TTL_SECONDS = 300;

/** @returns the REST API's by name, and the WebSocket API's by logical id. */
export const readAuthorizers = (
  resources: CfnResources,
  api: RestApi,
  findFunction: FindFunction,
): Record<string, AuthorizerDefinition> => ({
  ...readRestAuthorizers(api, findFunction),
  ...readSocketAuthorizers(resources, findFunction),
});

function readRestAuthorizers(
  { id, document }: RestApi,
  findFunction: FindFunction,
): Record<string, AuthorizerDefinition> {
  const schemes = Object.entries(document.components?.securitySchemes ?? {});
  return Object.fromEntries(
    schemes.flatMap(([name, { [AUTHORIZER]: authorizer }]) => {
      if (authorizer === undefined) return [];
      const where = `${id}.Body.components.securitySchemes.${name}.${AUTHORIZER}`;
      const { type, authorizerUri, identitySource, authorizerResultTtlInSeconds } = authorizer;
      if (type !== "request")
        throw new LocalProblem(`${where}.type: only request runs locally, not ${String(type)}`);
      const ttlSeconds = authorizerResultTtlInSeconds ?? AUTHORIZER_TTL_SECONDS;
      return [
        [
          name,
          {
            functionId: findFunction(authorizerUri, `${where}.authorizerUri`),
            identitySources: identitySource.split(",").filter(Boolean),
            ttlMs: ttlSeconds * 1000,
          },
        ],
      ];
    }),
  );
}

function readSocketAuthorizers(
  resources: CfnResources,
  findFunction: FindFunction,
): Record<string, AuthorizerDefinition> {
  return Object.fromEntries(
    ofType(resources, "AWS::ApiGatewayV2::Authorizer").map(([id, { Properties = {} }]) => {
      const { AuthorizerUri, IdentitySource = [] } = Properties;
      const functionId = findFunction(AuthorizerUri, `${id}.AuthorizerUri`);
      // WebSocket APIs cache no policies.
      return [id, { functionId, identitySources: IdentitySource as string[], ttlMs: 0 }];
    }),
  );
}
