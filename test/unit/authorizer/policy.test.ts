import { expect, test } from "vitest";
import { allow, deny } from "../../../functions/authorizer/policy.ts";

const event = { methodArn: "arn:aws:execute-api:eu-central-1:123456789012:a1b2c3/v2/GET/projects/x/nodes" };
const STAGE = "arn:aws:execute-api:eu-central-1:123456789012:a1b2c3/v2/*";

test("an admitted caller may use every method of the stage, because the gateway caches the policy for all of them", () => {
  const { principalId, policyDocument, context } = allow(event, { user: "alice", role: "viewer" });
  expect(policyDocument.Statement).toEqual([
    { Action: "execute-api:Invoke", Effect: "Allow", Resource: STAGE },
  ]);
  expect({ principalId, context }).toEqual({
    principalId: "alice",
    context: { user: "alice", role: "viewer" },
  });
});

test("a refused caller may use no method, and the functions get no user", () => {
  const { policyDocument, context } = deny(event);
  expect(policyDocument.Statement).toEqual([
    { Action: "execute-api:Invoke", Effect: "Deny", Resource: STAGE },
  ]);
  expect(context).toBeUndefined();
});
