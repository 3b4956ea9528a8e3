/** Who sends a request, as API Gateway tells it: what a client says of itself is not looked at here. */
import type { APIGatewayProxyEvent } from "aws-lambda";

/** Each may do what those before it may. */
export const ROLES = ["viewer", "editor", "admin"] as const;
export type Role = (typeof ROLES)[number];

export interface Caller {
  /** A user's name; with IAM the ARN. */
  readonly name: string;
  readonly role: Role;
  /** Nobody was asked who they are: what they make belongs to everybody. */
  readonly isAnonymous?: true;
}

/** On one's own machine, and in stacks that ask nobody. */
export const LOCAL: Caller = { name: "local", role: "admin", isAnonymous: true };

/** Variables of the functions, set by infra/. */
const AUTH_MODE = "AUTH_MODE";
const IAM_ROLE = "IAM_ROLE";

/**
 * The caller, from the authorizer's context `{ user, role }`, or from the identity that IAM has checked: that one has the
 * role of the variable IAM_ROLE, or is an admin without it.
 *
 * Where the variable AUTH_MODE is not set, or "none", a request of nobody is LOCAL's. Where it is, the gateway lets such a
 * request come to public routes only; it has no caller, so that a route which was left open by mistake is not open here.
 *
 * @throws Error when the authorizer's context is none of ours: no guess is made then.
 */
export function callerOf({
  requestContext,
}: Pick<APIGatewayProxyEvent, "requestContext">): Caller | undefined {
  const { authorizer, identity } = requestContext;
  if (authorizer != null && Object.keys(authorizer).length > 0) return fromAuthorizer(authorizer);
  const arn = identity?.userArn;
  if (arn) return { name: arn, role: readRole(process.env[IAM_ROLE] || "admin", IAM_ROLE) };
  return (process.env[AUTH_MODE] || "none") === "none" ? LOCAL : undefined;
}

function fromAuthorizer({ user, role }: Record<string, unknown>): Caller {
  if (typeof user !== "string" || user === "") throw new Error("the authorizer's context names no user");
  return { name: user, role: readRole(role, "the authorizer's role") };
}

function readRole(value: unknown, what: string): Role {
  const role = ROLES.find((each) => each === value);
  if (role === undefined) throw new Error(`${what} is ${value}, and has to be one of ${ROLES.join(", ")}`);
  return role;
}

export const isAtLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

export const lesserRole = (one: Role, other: Role): Role => (isAtLeast(one, other) ? other : one);
