/** Reads the Lambda authorizers of both APIs. */
import type { CfnResources } from "../intrinsics.ts";
import { LocalProblem } from "../problem.ts";
import { findFunction, ofType } from "./resources.ts";

/** A Lambda authorizer of type REQUEST. */
export interface AuthorizerDefinition {
  /** Logical id. */
  readonly functionId: string;
  /** `method.request.header.Authorization`, ...: a request must have all of them; their values are the key of the cached policy. */
  readonly identitySources: readonly string[];
  /** A policy is cached for this time; 0 disables the cache. */
  readonly ttlMs: number;
}

/** AWS's default, for a template without AuthorizerResultTtlInSeconds. */
const AUTHORIZER_TTL_SECONDS = 300;

export function readAuthorizers(resources: CfnResources): Record<string, AuthorizerDefinition> {
  const ofRest = ofType(resources, "AWS::ApiGateway::Authorizer").map(([id, { Properties = {} }]) => {
    const { Type, AuthorizerUri, IdentitySource = "", AuthorizerResultTtlInSeconds } = Properties;
    if (Type !== "REQUEST") throw new LocalProblem(`${id}.Type: only REQUEST runs locally, not ${Type}`);
    const identitySources = String(IdentitySource).split(",").filter(Boolean);
    return [
      id,
      {
        functionId: findFunction(resources, AuthorizerUri, `${id}.AuthorizerUri`),
        identitySources,
        ttlMs: Number(AuthorizerResultTtlInSeconds ?? AUTHORIZER_TTL_SECONDS) * 1000,
      },
    ] as const;
  });
  const ofSockets = ofType(resources, "AWS::ApiGatewayV2::Authorizer").map(([id, { Properties = {} }]) => {
    const { AuthorizerUri, IdentitySource = [] } = Properties;
    const functionId = findFunction(resources, AuthorizerUri, `${id}.AuthorizerUri`);
    // WebSocket APIs cache no policies.
    return [id, { functionId, identitySources: IdentitySource as string[], ttlMs: 0 }] as const;
  });
  return Object.fromEntries([...ofRest, ...ofSockets]);
}
