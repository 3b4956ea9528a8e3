/** Tokens of an issuer that the page renews, while the user signs out. */
import { beforeEach, expect, test, vi } from "vitest";

const WAY = { mode: "jwt", issuer: "https://issuer.example", audience: "api", client_id: "page" };
const BEFORE = { way: WAY, idToken: "old", refreshToken: "once", expiresAtMs: 0 };

/** Loads a module that is written for browsers; these tests do not have its types. */
const loadSignIn = (name: string) => import(`../../../../page/src/sign-in/${name}.ts`);
const loadApi = (name: string) => import(`../../../../page/src/api/${name}.ts`);

let stored: Map<string, string>;
/** What the issuer waits for before it responds with tokens. */
let issuing: () => Promise<void> | void;
let refused: boolean;

beforeEach(() => {
  stored = new Map();
  refused = false;
  issuing = () => {};
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal("fetch", async (address: string) => {
    if (String(address).includes(".well-known"))
      return Response.json({ issuer: WAY.issuer, token_endpoint: `${WAY.issuer}/token` });
    await issuing();
    if (refused) return Response.json({ error: "invalid_grant" }, { status: 400 });
    return Response.json({
      access_token: "new",
      token_type: "Bearer",
      expires_in: 600,
      refresh_token: "next",
    });
  });
  vi.resetModules();
});

const authorization = () => stored.get("wirelab.authorization");
const tokens = () => JSON.parse(stored.get("wirelab.tokens") ?? "null");

async function begin() {
  const { keepTokens, forgetTokens } = await loadSignIn("tokens");
  const { signIn, signOut } = await loadApi("session");
  const { refresh } = await loadSignIn("oidc");
  keepTokens(BEFORE);
  signIn("Bearer old");
  const leave = () => {
    forgetTokens();
    signOut();
  };
  return { refresh: () => refresh(BEFORE), leave, keepTokens };
}

test("takes the place of the old ones", async () => {
  const { refresh } = await begin();
  await refresh();
  expect(authorization()).toBe("Bearer new");
  expect(tokens()).toMatchObject({ refreshToken: "next", idToken: "old" });
  expect(tokens().expiresAtMs).toBeGreaterThan(Date.now() + 500_000);
});

test("happens before the next request after the page was loaded again, if the token expires within a minute", async () => {
  const { keepTokens } = await begin();
  vi.stubGlobal("location", { href: "https://lab.example/v2/page#/labs" });
  const { returnFromIssuer } = await loadSignIn("issuer");
  const { currentAuthorization } = await loadApi("session");
  await returnFromIssuer();
  keepTokens({ ...BEFORE, expiresAtMs: Date.now() + 70_000 });
  expect(await currentAuthorization()).toBe("Bearer old");
  keepTokens({ ...BEFORE, expiresAtMs: Date.now() + 50_000 });
  expect(await currentAuthorization()).toBe("Bearer new");
});

test("happens once for requests at the same time, and a request goes out although it fails", async () => {
  await begin();
  vi.stubGlobal("location", { href: "https://lab.example/v2/page" });
  const { returnFromIssuer } = await loadSignIn("issuer");
  const { currentAuthorization } = await loadApi("session");
  await returnFromIssuer();
  let asked = 0;
  issuing = () => {
    asked += 1;
  };
  refused = true;
  expect(await Promise.all([currentAuthorization(), currentAuthorization()])).toEqual([
    "Bearer old",
    "Bearer old",
  ]);
  expect(asked).toBe(1);
});

test("does not sign in again a user who has signed out meanwhile", async () => {
  const { refresh, leave } = await begin();
  issuing = leave;
  await refresh();
  expect([...stored]).toEqual([]);
});

test("forgets tokens that the issuer does not renew, but not those of a sign-in after them", async () => {
  const { refresh, keepTokens } = await begin();
  refused = true;
  await expect(refresh()).rejects.toThrow();
  expect(tokens()).toBeNull();
  issuing = () => keepTokens({ ...BEFORE, idToken: "of another" });
  await expect(refresh()).rejects.toThrow();
  expect(tokens()).toMatchObject({ idToken: "of another" });
});
