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

test("names the WebSocket API, if it has another address than the page", () => {
  const sockets = "wss://id.execute-api.eu-central-1.amazonaws.com/v2";
  expect(signInWay({ AUTH_MODE: "basic", SOCKETS_URL: sockets })).toEqual({ mode: "basic", sockets });
  expect(signInWay({ ...JWT, SOCKETS_URL: sockets })).toMatchObject({ mode: "jwt", sockets });
  // The local stack, and stacks with CloudFront.
  expect(signInWay({ AUTH_MODE: "basic", SOCKETS_URL: "" })).toEqual({ mode: "basic" });
});
