/** What an authorizer answers API Gateway, which keeps it for a while for whoever sends the same from the same address. */
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import type { Role } from "../api/principal.ts";

export interface Admitted {
  readonly user: string;
  readonly role: Role;
}

/** What each function reads: functions/api/principal.ts. */
export const allow = (
  event: Pick<APIGatewayRequestAuthorizerEvent, "methodArn">,
  { user, role }: Admitted,
): APIGatewayAuthorizerResult => ({
  principalId: user,
  policyDocument: makePolicy("Allow", everyMethod(event.methodArn)),
  context: { user, role },
});

/** The gateway tells it as a 401: infra/gateway-responses.ts. Why is told to nobody but the log. */
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
 * Of this stage: the answer is kept, and used for the caller's next request, whatever that is for. What the role may not
 * do is the functions' affair.
 *
 *     arn:aws:execute-api:eu-central-1:123456789012:a1b2c3/v2/GET/projects  ->  arn:...:a1b2c3/v2/*
 */
function everyMethod(methodArn: string): string {
  const [api, stage] = methodArn.split("/");
  return `${api}/${stage}/*`;
}
