/**
 * Tokens of the service's own: a caller who has signed in with a password sends a token afterwards, because checking a password costs a
 * third of a second of a processor, and checking a token some microseconds. JSON Web Tokens (RFC 7519) signed with HMAC-SHA256 by a key
 * that only this stack's table has. A token is bound to the user's role and to the generation of their password.
 */
import { errors, jwtVerify, SignJWT } from "jose";
import { ROLES, type Role, type Session } from "./principal.ts";

export interface SessionClaims {
  readonly user: string;
  readonly role: Role;
  readonly session: Session;
}

/** A key of the table, with the id that tokens name. */
export interface TokenKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** For how long a token is accepted. */
export const TOKEN_SECONDS = 3_600;

/** For how long after a password tokens are renewed; then the caller sends the password again. */
export const SESSION_SECONDS = 12 * 3_600;

const ISSUER = "wirelab";
const ALGORITHM = "HS256";
/** No other token of the stack has this type, so none passes for a session (RFC 8725, section 3.11). */
const TYPE = "wirelab-session+jwt";

/** @returns the seconds for which the token is accepted: less than usual when the session ends before. */
export function lifetimeOf({ signedInS }: Session, nowS: number): number {
  return Math.max(0, Math.min(TOKEN_SECONDS, signedInS + SESSION_SECONDS - nowS));
}

export function signToken(
  { user, role, session }: SessionClaims,
  key: TokenKey,
  nowS: number,
): Promise<string> {
  return new SignJWT({ role, gen: session.generation, auth_time: session.signedInS })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: key.id })
    .setIssuer(ISSUER)
    .setSubject(user)
    .setIssuedAt(nowS)
    .setExpirationTime(nowS + lifetimeOf(session, nowS))
    .sign(key.bytes);
}

/**
 * Verifies the signature, in constant time, and the claims. Whether the user still has this role and password is for the caller to check.
 * @param findKey returns undefined for an id that no key has. What it throws is thrown.
 * @returns null for a token that is invalid or has expired.
 */
export async function readToken(
  token: string,
  findKey: (id: string) => Promise<Uint8Array | undefined>,
  nowS: number,
): Promise<SessionClaims | null> {
  const keyOf = async ({ kid }: { kid?: string }): Promise<Uint8Array> => {
    const key = kid === undefined ? undefined : await findKey(kid);
    if (key === undefined) throw new errors.JWSSignatureVerificationFailed();
    return key;
  };
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      // Never the algorithm that the token names.
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      typ: TYPE,
      requiredClaims: ["sub", "exp", "role", "gen", "auth_time"],
      currentDate: new Date(nowS * 1000),
    });
    const { sub: user, role: named, gen: generation, auth_time: signedInS } = payload;
    const role = ROLES.find((each) => each === named);
    if (user === undefined || role === undefined) return null;
    if (typeof generation !== "string" || typeof signedInS !== "number") return null;
    return { user, role, session: { generation, signedInS } };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}
