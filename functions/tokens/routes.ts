import { defineGroup } from "../shared/edge/route.ts";
import { issuedToken } from "../shared/schemas/token.ts";

export const group = defineGroup({
  name: "tokens",
  description: "Tokens in place of passwords",
  routes: {
    issueToken: {
      method: "POST",
      path: "/tokens",
      role: "viewer",
      body: { kind: "ignored" },
      summary: "Get a token for the user who calls",
      description:
        "A token is sent as `Authorization: Bearer ...` in place of the password, whose check costs much more. A caller with a token gets " +
        "another one, until 12 hours after the password. Only stacks with `auth=basic` issue tokens.",
      responses: { 201: { description: "The token", schema: issuedToken } },
      errors: ["token.not-issued"],
    },
  },
});
