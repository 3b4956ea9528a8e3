/** Identifies the caller from what API Gateway reports; ignores what the client states about itself. */
import type { APIGatewayProxyEvent } from "aws-lambda";

/** Each role includes the rights of those before it. */
export const ROLES = ["viewer", "editor", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** What a token is bound to, besides the user and the role. */
export interface Session {
  /** Another value after each change of the user's password. */
  readonly generation: string;
  /** When the user's password was checked, in seconds since 1970. */
  readonly signedInS: number;
}

export interface Caller {
  /** A user's name; with IAM, the ARN. */
  readonly name: string;
  readonly role: Role;
  /** Set for users who sign in with a password. */
  readonly session?: Session;
  /** The caller was not authenticated: all users may use what they create. */
  readonly isAnonymous?: true;
}

/** The caller on a local machine, and in stacks without authentication. */
export const LOCAL: Caller = { name: "local", role: "admin", isAnonymous: true };

/** Variables of the functions, set by infra/. */
const AUTH_MODE = "AUTH_MODE";
const IAM_ROLE = "IAM_ROLE";

/**
 * Returns the caller from the authorizer's context `{ user, role, generation, signed_in_s }`, or from the identity that IAM has checked. An IAM caller has the
 * role of the variable IAM_ROLE, or is an admin without that variable.
 *
 * If the variable AUTH_MODE is unset or "none", the caller of an unauthenticated request is LOCAL. Otherwise the gateway passes
 * such a request to public routes only; it has no caller, so a route left open by mistake at the gateway is still closed here.
 *
 * @throws Error when the context does not come from this service's authorizer.
 */
export function callerOf({
  requestContext,
}: {
  readonly requestContext: Partial<Pick<APIGatewayProxyEvent["requestContext"], "authorizer" | "identity">>;
}): Caller | undefined {
  const { authorizer, identity } = requestContext;
  if (authorizer != null && Object.keys(authorizer).length > 0) return fromAuthorizer(authorizer);
  const arn = identity?.userArn;
  if (arn) return { name: arn, role: readRole(process.env[IAM_ROLE] || "admin", IAM_ROLE) };
  return (process.env[AUTH_MODE] || "none") === "none" ? LOCAL : undefined;
}

function fromAuthorizer({ user, role, generation, signed_in_s }: Record<string, unknown>): Caller {
  if (typeof user !== "string" || user === "") throw new Error("the authorizer's context names no user");
  const caller = { name: user, role: readRole(role, "the authorizer's role") };
  if (typeof generation !== "string" || generation === "") return caller;
  // API Gateway passes numbers as text.
  return { ...caller, session: { generation, signedInS: Number(signed_in_s) } };
}

function readRole(value: unknown, what: string): Role {
  const role = ROLES.find((each) => each === value);
  if (role === undefined) throw new Error(`${what} is ${value}, and must be one of ${ROLES.join(", ")}`);
  return role;
}

export const isAtLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

export const lesserRole = (one: Role, other: Role): Role => (isAtLeast(one, other) ? other : one);
