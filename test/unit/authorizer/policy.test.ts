import { expect, test } from "vitest";
import { allow, deny } from "../../../functions/authorizer/policy.ts";

const event = { methodArn: "arn:aws:execute-api:eu-central-1:123456789012:a1b2c3/v2/GET/projects/x/nodes" };
const STAGE = "arn:aws:execute-api:eu-central-1:123456789012:a1b2c3/v2/*";

test("who is let in is let in to every method of the stage, since the answer is kept for all of them", () => {
  const { principalId, policyDocument, context } = allow(event, { user: "alice", role: "viewer" });
  expect(policyDocument.Statement).toEqual([
    { Action: "execute-api:Invoke", Effect: "Allow", Resource: STAGE },
  ]);
  expect({ principalId, context }).toEqual({
    principalId: "alice",
    context: { user: "alice", role: "viewer" },
  });
});

test("who is not is let in to none, and the functions are told of nobody", () => {
  const { policyDocument, context } = deny(event);
  expect(policyDocument.Statement).toEqual([
    { Action: "execute-api:Invoke", Effect: "Deny", Resource: STAGE },
  ]);
  expect(context).toBeUndefined();
});
