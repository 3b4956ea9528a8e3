/**
 * Reads tokens of an OpenID Connect issuer (RFC 7519, RFC 8725): signed with RS256 or ES256 by a key that the issuer
 * publishes, for this service's audience, within their time, and with a claim that contains the role.
 */
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import { isAtLeast, ROLES, type Role } from "../shared/edge/principal.ts";
import type { Admitted } from "./policy.ts";

export interface TokenSettings {
  /** As in the tokens' `iss`; also the base URL of the issuer's `/.well-known/openid-configuration`. */
  readonly issuer: string;
  readonly audience: string;
  /** The claim with a role's name, or a list of one or more of them. */
  readonly roleClaim: string;
  /** The claim that identifies the owner of projects: it must identify the same person for ever. */
  readonly userClaim: string;
}

export type TokenRefusal = "invalid" | "no-role" | "no-user";

/** Allows for clock skew. */
const TOLERANCE_SECONDS = 30;
const DISCOVERY_TIMEOUT_MS = 5_000;
/** Keys of this age are fetched again; an unknown key is fetched sooner, but not more often than this. */
const KEYS_MAX_AGE_MS = 600_000;
const KEYS_COOLDOWN_MS = 30_000;
const USER_MAX_CHARACTERS = 128;

/** @throws Error for a variable that the stack did not set. */
export function settingsFrom(env: NodeJS.ProcessEnv): TokenSettings {
  const required = (name: string): string => {
    const value = env[name];
    if (!value) throw new Error(`The environment variable ${name} is not set`);
    return value;
  };
  return {
    issuer: required("JWT_ISSUER"),
    audience: required("JWT_AUDIENCE"),
    roleClaim: env.JWT_ROLE_CLAIM || "wirelab_role",
    userClaim: env.JWT_USER_CLAIM || "sub",
  };
}

/** The reader caches the issuer's keys. It throws when it cannot fetch them. */
export function makeTokenReader(
  settings: TokenSettings,
): (token: string) => Promise<Admitted | TokenRefusal> {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  const findKeys = (): Promise<JWTVerifyGetKey> => {
    const finding = discoverKeys(settings.issuer);
    // After a failure the next request tries again.
    finding.catch(() => {
      keys = undefined;
    });
    return finding;
  };
  return async (token) => {
    keys ??= findKeys();
    const payload = await verify(token, await keys, settings);
    return payload === null ? "invalid" : admit(payload, settings);
  };
}

/** https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfig */
async function discoverKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(DISCOVERY_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const found = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
  if (found.issuer !== issuer) throw new Error(`${url} is of the issuer ${found.issuer}`);
  const keysUrl = new URL(String(found.jwks_uri));
  if (keysUrl.protocol !== new URL(issuer).protocol) throw new Error(`${url} has its keys at ${keysUrl}`);
  return createRemoteJWKSet(keysUrl, {
    cacheMaxAge: KEYS_MAX_AGE_MS,
    cooldownDuration: KEYS_COOLDOWN_MS,
    timeoutDuration: DISCOVERY_TIMEOUT_MS,
  });
}

/** @returns null for an invalid token. @throws when the token cannot be verified. */
async function verify(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience, userClaim }: TokenSettings,
): Promise<JWTPayload | null> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      // Never the algorithm that the token names: "none", or an HMAC whose secret is the public key.
      algorithms: ["RS256", "ES256"],
      clockTolerance: TOLERANCE_SECONDS,
      requiredClaims: ["exp", userClaim],
    });
    return payload;
  } catch (error) {
    if (isOurs(error)) throw error;
    return null;
  }
}

/** Returns true when the issuer does not respond or returns invalid keys: then the token may be valid. */
const isOurs = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) ||
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  error.code === "ERR_JOSE_GENERIC";

function admit(payload: JWTPayload, { roleClaim, userClaim }: TokenSettings): Admitted | TokenRefusal {
  const user = payload[userClaim];
  // Only characters that need no escaping in logs and headers.
  if (typeof user !== "string" || user.length > USER_MAX_CHARACTERS || !/^[\x21-\x7e]+$/.test(user)) {
    return "no-user";
  }
  const role = highestRole([payload[roleClaim]].flat());
  return role === undefined ? "no-role" : { user, role };
}

function highestRole(claimed: readonly unknown[]): Role | undefined {
  const roles = ROLES.filter((role) => claimed.includes(role));
  return roles.reduce<Role | undefined>(
    (highest, role) => (highest && isAtLeast(highest, role) ? highest : role),
    undefined,
  );
}
