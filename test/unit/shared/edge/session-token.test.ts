import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import {
  lifetimeOf,
  readToken,
  SESSION_SECONDS,
  signToken,
  TOKEN_SECONDS,
} from "../../../../functions/shared/edge/session-token.ts";

const NOW_S = 1_800_000_000;
const KEY = { id: "k1", bytes: new Uint8Array(32).fill(7) };
const CLAIMS = {
  user: "alice",
  role: "editor" as const,
  session: { generation: "g1", signedInS: NOW_S },
};
const findKey = async (id: string) => (id === KEY.id ? KEY.bytes : undefined);
const issue = (claims = CLAIMS, key = KEY) => signToken(claims, key, NOW_S);

/** Signs what the service would not. */
const forge = (
  payload: Record<string, unknown>,
  { typ = "wirelab-session+jwt", kid = "k1", key = KEY.bytes, alg = "HS256" } = {},
) =>
  new SignJWT({
    iss: "wirelab",
    sub: "alice",
    role: "admin",
    gen: "g1",
    auth_time: NOW_S,
    exp: NOW_S + 60,
    ...payload,
  })
    .setProtectedHeader({ alg, typ, kid })
    .sign(key);

describe("a token", () => {
  test("names its user, role and session until it expires", async () => {
    const token = await issue();
    expect(await readToken(token, findKey, NOW_S + TOKEN_SECONDS - 1)).toEqual(CLAIMS);
    expect(await readToken(token, findKey, NOW_S + TOKEN_SECONDS)).toBeNull();
  });

  test("has characters that a subprotocol may have", async () => {
    expect(await issue()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  test("expires with its session, however often it is renewed", () => {
    const { session } = CLAIMS;
    expect(lifetimeOf(session, NOW_S + SESSION_SECONDS - TOKEN_SECONDS - 1)).toBe(TOKEN_SECONDS);
    expect(lifetimeOf(session, NOW_S + SESSION_SECONDS - 60)).toBe(60);
    expect(lifetimeOf(session, NOW_S + SESSION_SECONDS + 60)).toBe(0);
  });
});

describe("refuses a token", () => {
  const other = new Uint8Array(32).fill(8);

  test("the helper of these tests makes tokens that are accepted", async () => {
    expect(await readToken(await forge({}), findKey, NOW_S)).toMatchObject({ user: "alice", role: "admin" });
  });

  test.each([
    ["of another key", () => forge({}, { key: other })],
    ["of an unknown key", () => forge({}, { kid: "k2" })],
    ["with another algorithm", () => forge({}, { alg: "HS512", key: new Uint8Array(64).fill(7) })],
    ["of another type", () => forge({}, { typ: "JWT" })],
    ["of another issuer", () => forge({ iss: "https://issuer.example/" })],
    ["without an end", () => forge({ exp: undefined })],
    ["without a user", () => forge({ sub: undefined })],
    ["with an unknown role", () => forge({ role: "root" })],
    ["without a generation", () => forge({ gen: undefined })],
    ["with a generation that is no text", () => forge({ gen: 1 })],
    ["without the time of the password", () => forge({ auth_time: undefined })],
    ["that is not signed", async () => `${(await issue()).replace(/\.[^.]*$/, "")}.`],
    [
      "whose claims were changed",
      async () => {
        const [head, , signature] = (await issue()).split(".");
        const [, payload] = (await forge({})).split(".");
        return `${head}.${payload}.${signature}`;
      },
    ],
    ["that is none", async () => "a.b.c"],
  ])("%s", async (_which, make) => {
    expect(await readToken(await make(), findKey, NOW_S)).toBeNull();
  });
});

test("a failure to read the keys is thrown: the token may be valid", async () => {
  const token = await issue();
  const reading = readToken(token, () => Promise.reject(new Error("no table")), NOW_S);
  await expect(reading).rejects.toThrow("no table");
});
