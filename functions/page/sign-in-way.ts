/** How callers of this stack sign in, and where its WebSockets are, for the page. None of it is secret: docs/security.md, "Ways to sign in". */
export interface SignInWay {
  readonly mode: string;
  /** The address of the WebSocket API, which takes a path as its query; undefined if WebSockets have the address of the page. */
  readonly sockets?: string;
  /** Only with `jwt`. */
  readonly issuer?: string;
  readonly audience?: string;
  /** The page's client at the issuer. */
  readonly client_id?: string;
}

export function signInWay(env: NodeJS.ProcessEnv): SignInWay {
  const { JWT_ISSUER: issuer, JWT_AUDIENCE: audience, JWT_CLIENT_ID: clientId } = env;
  const mode = env.AUTH_MODE || "none";
  const sockets = env.SOCKETS_URL ? { sockets: env.SOCKETS_URL } : {};
  if (mode !== "jwt" || !issuer || !audience) return { mode, ...sockets };
  return { mode, ...sockets, issuer, audience, client_id: clientId || audience };
}
