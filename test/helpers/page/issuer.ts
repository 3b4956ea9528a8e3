/** An OpenID Connect issuer on this machine: one user, authorization codes with PKCE, refresh tokens that are used once. */
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

export interface Issuer {
  readonly url: string;
  /** Refresh tokens that were exchanged. */
  readonly refreshed: () => number;
  /** Users who left by the page for that. */
  readonly ended: () => number;
  stop(): void;
}

interface Code {
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUri: string;
}

/** The first token expires so soon that the page has to renew it; the next ones do not. */
const FIRST_LIFETIME_S = 45;
const LIFETIME_S = 3600;

/** @param clientId the only client, with any redirect URI. */
export async function startIssuer(clientId: string): Promise<Issuer> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const keys = [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256", use: "sig" }];
  const codes = new Map<string, Code>();
  const refreshTokens = new Set<string>();
  let url = "";
  let refreshed = 0;
  let ended = 0;

  const tokens = async (nonce: string | undefined, lifetimeS: number) => {
    const idToken = await new SignJWT({ wirelab_role: "editor", ...(nonce && { nonce }) })
      .setProtectedHeader({ alg: "ES256", kid: "one" })
      .setIssuer(url)
      .setAudience(clientId)
      .setSubject("alice")
      .setIssuedAt()
      .setExpirationTime(`${lifetimeS}s`)
      .sign(privateKey);
    const refreshToken = randomUUID();
    refreshTokens.add(refreshToken);
    return {
      access_token: randomUUID(),
      token_type: "Bearer",
      id_token: idToken,
      refresh_token: refreshToken,
      expires_in: lifetimeS,
    };
  };

  const redeem = async (form: URLSearchParams) => {
    if (form.get("client_id") !== clientId) return { error: "invalid_client" };
    const refreshToken = form.get("refresh_token");
    if (refreshToken !== null) {
      if (!refreshTokens.delete(refreshToken)) return { error: "invalid_grant" };
      refreshed += 1;
      return tokens(undefined, LIFETIME_S);
    }
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (code?.challenge !== challenge || code.redirectUri !== form.get("redirect_uri"))
      return { error: "invalid_grant" };
    return tokens(code.nonce, FIRST_LIFETIME_S);
  };

  const authorize = (query: URLSearchParams): string => {
    const back = (parameters: Record<string, string>): string => {
      const target = new URL(query.get("redirect_uri")!);
      for (const [name, value] of Object.entries({ ...parameters, state: query.get("state")! }))
        target.searchParams.set(name, value);
      return target.href.replaceAll("&", "&amp;");
    };
    const code = randomUUID();
    codes.set(code, {
      challenge: query.get("code_challenge")!,
      nonce: query.get("nonce")!,
      redirectUri: query.get("redirect_uri")!,
    });
    return `<a href="${back({ code })}">I am Alice</a> <a href="${back({ error: "access_denied" })}">Refuse</a>`;
  };

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url!, url);
    const json = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/json", "access-control-allow-origin": "*" });
      response.end(JSON.stringify(body));
    };
    if (pathname === "/.well-known/openid-configuration")
      return json(200, {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/keys`,
        end_session_endpoint: `${url}/end`,
        id_token_signing_alg_values_supported: ["ES256"],
        scopes_supported: ["openid", "offline_access"],
      });
    if (pathname === "/keys") return json(200, { keys });
    if (pathname === "/token") {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const result = await redeem(new URLSearchParams(Buffer.concat(parts).toString()));
      return json("error" in result ? 400 : 200, result);
    }
    if (pathname === "/authorize") {
      response.writeHead(200, { "content-type": "text/html" });
      return response.end(authorize(searchParams));
    }
    if (pathname === "/end") {
      ended += 1;
      response.writeHead(302, { location: searchParams.get("post_logout_redirect_uri")! });
      return response.end();
    }
    // A browser asks for an icon.
    response.writeHead(204);
    return response.end();
  };

  const server = createServer((request, response) => {
    respond(request, response).catch((error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    refreshed: () => refreshed,
    ended: () => ended,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
