/** What the page's function reports of the stack's settings. */
import { expect, test } from "vitest";
import { signInWay } from "../../../functions/page/sign-in-way.ts";

const JWT = { AUTH_MODE: "jwt", JWT_ISSUER: "https://issuer.example/", JWT_AUDIENCE: "wirelab" };

test("reports the mode alone, but for an issuer", () => {
  expect(signInWay({})).toEqual({ mode: "none" });
  expect(signInWay({ ...JWT, AUTH_MODE: "basic" })).toEqual({ mode: "basic" });
  expect(signInWay({ AUTH_MODE: "iam" })).toEqual({ mode: "iam" });
});

test("the client is the audience, unless the stack has another one", () => {
  const way = { mode: "jwt", issuer: JWT.JWT_ISSUER, audience: "wirelab" };
  expect(signInWay(JWT)).toEqual({ ...way, client_id: "wirelab" });
  expect(signInWay({ ...JWT, JWT_CLIENT_ID: "page" })).toEqual({ ...way, client_id: "page" });
});
