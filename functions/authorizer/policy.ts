/** An authorizer's response to API Gateway, which caches it for equal requests from the same address. */
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import type { Role, Session } from "../shared/edge/principal.ts";

export interface Admitted {
  readonly user: string;
  readonly role: Role;
  /** Set for users who sign in with a password: the caller may get a token. */
  readonly session?: Session;
}

/** The attributes that each function reads: functions/shared/edge/principal.ts. */
export const allow = (
  event: Pick<APIGatewayRequestAuthorizerEvent, "methodArn">,
  { user, role, session }: Admitted,
): APIGatewayAuthorizerResult => ({
  principalId: user,
  policyDocument: makePolicy("Allow", everyMethod(event.methodArn)),
  context: {
    user,
    role,
    ...(session && { generation: session.generation, signed_in_s: session.signedInS }),
  },
});

/** The gateway responds with 401 (infra/gateway-responses.ts). Only the log has the reason. */
export const deny = ({
  methodArn,
}: Pick<APIGatewayRequestAuthorizerEvent, "methodArn">): APIGatewayAuthorizerResult => ({
  principalId: "nobody",
  policyDocument: makePolicy("Deny", everyMethod(methodArn)),
});

function makePolicy(
  Effect: "Allow" | "Deny",
  Resource: string,
): APIGatewayAuthorizerResult["policyDocument"] {
  return { Version: "2012-10-17", Statement: [{ Action: "execute-api:Invoke", Effect, Resource }] };
}

/**
 * Returns the pattern of all methods of this stage, because the gateway caches the policy and uses it for the caller's next requests to
 * any route. The functions check the role.
 *
 *     arn:aws:execute-api:eu-central-1:123456789012:a1b2c3/v2/GET/projects  ->  arn:...:a1b2c3/v2/*
 */
function everyMethod(methodArn: string): string {
  const [api, stage] = methodArn.split("/");
  return `${api}/${stage}/*`;
}
