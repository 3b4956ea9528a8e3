/** How callers of this stack sign in, for the page. None of it is secret: docs/security.md, "Ways to sign in". */
export interface SignInWay {
  readonly mode: string;
  /** Only with `jwt`. */
  readonly issuer?: string;
  readonly audience?: string;
  /** The page's client at the issuer. */
  readonly client_id?: string;
}

export function signInWay(env: NodeJS.ProcessEnv): SignInWay {
  const { JWT_ISSUER: issuer, JWT_AUDIENCE: audience, JWT_CLIENT_ID: clientId } = env;
  const mode = env.AUTH_MODE || "none";
  if (mode !== "jwt" || !issuer || !audience) return { mode };
  return { mode, issuer, audience, client_id: clientId || audience };
}
