/** Tokens of an issuer on the local machine. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  type GenerateKeyPairResult,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
} from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeTokenReader, settingsFrom } from "../../../functions/authorizer/token.ts";

const AUDIENCE = "wirelab";
let server: Server;
let issuer: string;
let keys: Record<"RS256" | "ES256" | "PS256" | "stranger", GenerateKeyPairResult>;
/** Further fields of the issuer's discovery document. */
let discovery: Record<string, unknown> = {};
let isDown = false;

beforeAll(async () => {
  keys = {
    RS256: await generateKeyPair("RS256"),
    ES256: await generateKeyPair("ES256"),
    PS256: await generateKeyPair("PS256"),
    stranger: await generateKeyPair("ES256"),
  };
  const published = await Promise.all(
    (["RS256", "ES256", "PS256"] as const).map(async (kid) => ({
      ...(await exportJWK(keys[kid].publicKey)),
      kid,
    })),
  );
  server = createServer((request, response) => {
    if (isDown) response.writeHead(503).end();
    else if (request.url === "/.well-known/openid-configuration") {
      response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys`, ...discovery }));
    } else if (request.url === "/keys") response.end(JSON.stringify({ keys: published }));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

const settings = () => ({ issuer, audience: AUDIENCE, roleClaim: "wirelab_role", userClaim: "sub" });
const now = () => Math.floor(Date.now() / 1000);

interface Signing {
  readonly alg?: "RS256" | "ES256" | "PS256";
  readonly kid?: string;
  readonly by?: CryptoKey | Uint8Array;
}

function sign(
  claims: Record<string, unknown> = {},
  { alg = "ES256", kid = alg, by }: Signing = {},
): Promise<string> {
  const whole = {
    iss: issuer,
    aud: AUDIENCE,
    sub: "alice",
    exp: now() + 300,
    wirelab_role: "editor",
    ...claims,
  };
  return new SignJWT(whole).setProtectedHeader({ alg, kid }).sign(by ?? keys[alg].privateKey);
}

const read = async (token: string) => makeTokenReader(settings())(token);

describe("a token", () => {
  test.each(["RS256", "ES256"] as const)("signed with %s admits its subject", async (alg) => {
    expect(await read(await sign({}, { alg }))).toEqual({ user: "alice", role: "editor" });
  });

  test("may be for several audiences and have several roles, of which the highest applies", async () => {
    const token = await sign({
      aud: ["other", AUDIENCE],
      wirelab_role: ["viewer", "staff", "admin", "editor"],
    });
    expect(await read(token)).toEqual({ user: "alice", role: "admin" });
  });

  test("yields user and role from the claims that the settings name", async () => {
    const reader = makeTokenReader({ ...settings(), roleClaim: "cognito:groups", userClaim: "email" });
    const token = await sign({ "cognito:groups": ["viewer"], email: "bob@example.org" });
    expect(await reader(token)).toEqual({ user: "bob@example.org", role: "viewer" });
  });

  test.each<[string, Record<string, unknown>]>([
    ["of another issuer", { iss: "https://evil.example" }],
    ["for another audience", { aud: "other" }],
    ["without an audience", { aud: undefined }],
    ["that has expired", { exp: 1_000_000 }],
    ["that never expires", { exp: undefined }],
    ["that is not good yet", { nbf: 4_000_000_000 }],
    ["without a user", { sub: undefined }],
  ])("%s is refused", async (_name, claims) => {
    expect(await read(await sign(claims))).toBe("invalid");
  });

  test.each<[string, unknown]>([
    ["no role", undefined],
    ["an unknown role", "root"],
    ["a role in another case", "ADMIN"],
    ["an object for a role", { admin: true }],
    ["a list of nothing", []],
  ])("with %s is refused", async (_name, wirelab_role) => {
    expect(await read(await sign({ wirelab_role }))).toBe("no-role");
  });

  test.each(["a\r\nX-Role: admin", "with space", "", "x".repeat(129), "ünï"])(
    "whose user is %j is rejected",
    async (sub) => {
      expect(await read(await sign({ sub }))).toBe("no-user");
    },
  );
});

describe("a forged token", () => {
  test("signed by another key is refused", async () => {
    expect(await read(await sign({}, { by: keys.stranger.privateKey }))).toBe("invalid");
  });

  test("that names a key unknown to the issuer is refused", async () => {
    expect(await read(await sign({}, { kid: "unknown", by: keys.stranger.privateKey }))).toBe("invalid");
  });

  test("without a signature is refused", async () => {
    const claims = { iss: issuer, aud: AUDIENCE, sub: "alice", exp: now() + 300, wirelab_role: "admin" };
    expect(await read(new UnsecuredJWT(claims).encode())).toBe("invalid");
  });

  test("that uses the public key as a shared secret is refused", async () => {
    const secret = new TextEncoder().encode(await exportSPKI(keys.RS256.publicKey));
    const claims = { iss: issuer, aud: AUDIENCE, sub: "alice", exp: now() + 300, wirelab_role: "admin" };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: "RS256" }).sign(secret);
    expect(await read(token)).toBe("invalid");
  });

  test("that contains its own key is refused", async () => {
    const jwk = await exportJWK(keys.stranger.publicKey);
    const claims = { iss: issuer, aud: AUDIENCE, sub: "alice", exp: now() + 300, wirelab_role: "admin" };
    const header = { alg: "ES256", kid: "mine", jwk, jku: "http://127.0.0.1:9/keys" };
    const token = await new SignJWT(claims).setProtectedHeader(header).sign(keys.stranger.privateKey);
    expect(await read(token)).toBe("invalid");
  });

  test("signed with another algorithm is refused, even with the issuer's key", async () => {
    expect(await read(await sign({}, { alg: "PS256" }))).toBe("invalid");
  });

  test("with other claims than were signed is refused", async () => {
    const [header, , signature] = (await sign()).split(".");
    const claims = { iss: issuer, aud: AUDIENCE, sub: "alice", exp: now() + 300, wirelab_role: "admin" };
    const payload = Buffer.from(JSON.stringify(claims)).toString("base64url");
    expect(await read(`${header}.${payload}.${signature}`)).toBe("invalid");
  });
});

describe("an issuer", () => {
  test("that does not respond is a fault, not a refusal, and the next request asks it again", async () => {
    const reader = makeTokenReader(settings());
    const token = await sign();
    isDown = true;
    await expect(reader(token)).rejects.toThrow("answered 503");
    isDown = false;
    expect(await reader(token)).toEqual({ user: "alice", role: "editor" });
  });

  test("with another name in its document is not trusted", async () => {
    discovery = { issuer: "https://evil.example" };
    await expect(read(await sign())).rejects.toThrow("is of the issuer https://evil.example");
    discovery = {};
  });

  test("with its keys at an address of another protocol is not trusted", async () => {
    discovery = { jwks_uri: "file:///etc/passwd" };
    await expect(read(await sign())).rejects.toThrow("has its keys at file:///etc/passwd");
    discovery = {};
  });

  test("is required, and the claims have default names", () => {
    expect(() => settingsFrom({ JWT_AUDIENCE: "a" })).toThrow("JWT_ISSUER is not set");
    expect(() => settingsFrom({ JWT_ISSUER: "https://a" })).toThrow("JWT_AUDIENCE is not set");
    expect(settingsFrom({ JWT_ISSUER: "https://a", JWT_AUDIENCE: "b" })).toEqual({
      issuer: "https://a",
      audience: "b",
      roleClaim: "wirelab_role",
      userClaim: "sub",
    });
  });
});
