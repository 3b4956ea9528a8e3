import type { APIGatewayProxyEvent } from "aws-lambda";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  callerOf,
  isAtLeast,
  LOCAL,
  lesserRole,
  ROLES,
} from "../../../../functions/shared/edge/principal.ts";

const of = (requestContext: object) =>
  callerOf({ requestContext: requestContext as APIGatewayProxyEvent["requestContext"] });

const ARN = "arn:aws:sts::111122223333:assumed-role/Lab/alice@example.com";

afterEach(() => vi.unstubAllEnvs());

describe("the caller", () => {
  test("is the user that the authorizer names, with the reported role", () => {
    const authorizer = { user: "alice", role: "viewer", principalId: "x", integrationLatency: 3 };
    expect(of({ authorizer })).toEqual({ name: "alice", role: "viewer" });
  });

  test("has a session if the authorizer has checked a password; the gateway passes its numbers as text", () => {
    const authorizer = { user: "alice", role: "viewer", generation: "g1", signed_in_s: "1800000000" };
    const session = { generation: "g1", signedInS: 1_800_000_000 };
    expect(of({ authorizer })).toEqual({ name: "alice", role: "viewer", session });
  });

  test.each([
    { principalId: "alice" },
    { user: "alice" },
    { user: "", role: "admin" },
    { user: "alice", role: "root" },
    { user: "alice", role: "" },
    { user: 5, role: "admin" },
    { user: "alice", role: ["admin"] },
  ])("is not guessed when the authorizer reports %j", (authorizer) => {
    expect(() => of({ authorizer, identity: { userArn: ARN } })).toThrow();
  });

  test("is the ARN that IAM has checked, with the role admin or that of the variable", () => {
    vi.stubEnv("AUTH_MODE", "iam");
    expect(of({ identity: { userArn: ARN } })).toEqual({ name: ARN, role: "admin" });
    vi.stubEnv("IAM_ROLE", "editor");
    expect(of({ identity: { userArn: ARN } })).toEqual({ name: ARN, role: "editor" });
    vi.stubEnv("IAM_ROLE", "owner");
    expect(() => of({ identity: { userArn: ARN } })).toThrow(/IAM_ROLE is owner/);
  });

  test.each([{}, { authorizer: null }, { authorizer: {} }, { identity: { userArn: null } }])(
    "of %j is the local user without authentication, and undefined with it",
    (context) => {
      expect(of(context)).toBe(LOCAL);
      vi.stubEnv("AUTH_MODE", "none");
      expect(of(context)).toBe(LOCAL);
      vi.stubEnv("AUTH_MODE", "basic");
      expect(of(context)).toBeUndefined();
    },
  );
});

test("each role includes the roles before it, and the lesser of two applies", () => {
  for (const [at, role] of ROLES.entries()) {
    expect(ROLES.map((needed) => isAtLeast(role, needed))).toEqual(
      ROLES.map((_needed, index) => index <= at),
    );
    for (const [other, otherRole] of ROLES.entries())
      expect(lesserRole(role, otherRole)).toBe(ROLES[Math.min(at, other)]);
  }
});
