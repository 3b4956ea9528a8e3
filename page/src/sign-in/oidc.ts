/**
 * Signs in at an OpenID Connect issuer by an authorization code with PKCE (RFC 6749, RFC 7636), as a public client: there is no secret.
 *
 *     page -> issuer's page -> page?code=...&state=... -> token endpoint
 */
import * as oauth from "oauth4webapi";
import { replaceAuthorization } from "../api/session.ts";
import type { IssuerWay } from "../api/sign-in-way.ts";
import { forgetTokens, keepTokens, readTokens, type Tokens } from "./tokens.ts";

const KEY = "wirelab.signing-in";

/** What the page remembers while the user is at the issuer. */
interface Leaving {
  readonly way: IssuerWay;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The view to which the user returns. */
  readonly hash: string;
}

const redirectUri = (): string => location.origin + location.pathname;
const clientOf = ({ client_id }: IssuerWay): oauth.Client => ({ client_id });
/** The stack's settings allow an issuer without TLS on this machine only. */
const optionsOf = ({ issuer }: IssuerWay) => ({
  [oauth.allowInsecureRequests]: new URL(issuer).protocol === "http:",
});

async function discover(way: IssuerWay): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(way.issuer);
  const response = await oauth.discoveryRequest(issuer, optionsOf(way));
  return oauth.processDiscoveryResponse(issuer, response);
}

/** Navigates to the issuer. @throws Error when the issuer cannot be reached or does not suit. */
export async function goToIssuer(way: IssuerWay): Promise<void> {
  const server = await discover(way);
  if (!server.authorization_endpoint) throw new Error("it has no authorization endpoint.");
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const verifier = oauth.generateRandomCodeVerifier();
  const leaving: Leaving = { way, state, nonce, verifier, hash: location.hash };
  sessionStorage.setItem(KEY, JSON.stringify(leaving));
  const offline = server.scopes_supported?.includes("offline_access") ? " offline_access" : "";
  const query = {
    response_type: "code",
    client_id: way.client_id,
    redirect_uri: redirectUri(),
    scope: `openid${offline}`,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(sendsAccessToken(way) && { audience: way.audience }),
  };
  const url = new URL(server.authorization_endpoint);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  location.assign(url);
}

/** An ID token is for the client. Where the service expects another audience, it takes access tokens. */
const sendsAccessToken = ({ audience, client_id }: IssuerWay): boolean => audience !== client_id;

/**
 * Redeems the code in the page's address, which it removes from there.
 * @returns the value of the header Authorization.
 * @throws Error when the issuer or the user has refused, or the response is not to this page's request.
 */
export async function finish(address: URL): Promise<string> {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  history.replaceState(null, "", address.pathname);
  if (text === null) throw new Error("this tab has not begun to sign in.");
  const { way, state, nonce, verifier, hash } = JSON.parse(text) as Leaving;
  location.hash = hash;
  const server = await discover(way);
  const client = clientOf(way);
  const params = oauth.validateAuthResponse(server, client, address, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    params,
    redirectUri(),
    verifier,
    optionsOf(way),
  );
  const result = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  return keep(way, result, undefined);
}

/** Whether the page still has the tokens: the user may have signed out, or in again, while a request was under way. */
const isCurrent = ({ idToken }: Tokens): boolean => readTokens()?.idToken === idToken;

/** Exchanges the refresh token for new tokens. @throws Error when the issuer refuses. */
export async function refresh(before: Tokens): Promise<void> {
  const { way, refreshToken = "" } = before;
  const server = await discover(way);
  const client = clientOf(way);
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    refreshToken,
    optionsOf(way),
  );
  try {
    const result = await oauth.processRefreshTokenResponse(server, client, response);
    if (isCurrent(before)) replaceAuthorization(keep(way, result, before));
  } catch (error) {
    if (isCurrent(before)) forgetTokens();
    throw error;
  }
}

function keep(way: IssuerWay, result: oauth.TokenEndpointResponse, before: Tokens | undefined): string {
  const { access_token, id_token, refresh_token, expires_in } = result;
  const idToken = id_token ?? before?.idToken;
  if (idToken === undefined) throw new Error("the issuer has sent no ID token.");
  const expiresS = oauth.getValidatedIdTokenClaims(result)?.exp;
  const ofAccessMs = expires_in === undefined ? Number.POSITIVE_INFINITY : Date.now() + expires_in * 1000;
  const expiresAtMs = sendsAccessToken(way) || expiresS === undefined ? ofAccessMs : expiresS * 1000;
  keepTokens({ way, idToken, refreshToken: refresh_token ?? before?.refreshToken, expiresAtMs });
  return `Bearer ${sendsAccessToken(way) ? access_token : idToken}`;
}

/** Ends the issuer's session (OpenID Connect RP-Initiated Logout 1.0). @returns false if the issuer has no page for that. */
export async function endSession({ way, idToken }: Tokens): Promise<boolean> {
  const { end_session_endpoint } = await discover(way);
  if (end_session_endpoint === undefined) return false;
  const url = new URL(end_session_endpoint);
  url.searchParams.set("id_token_hint", idToken);
  url.searchParams.set("client_id", way.client_id);
  url.searchParams.set("post_logout_redirect_uri", redirectUri());
  location.assign(url);
  return true;
}
