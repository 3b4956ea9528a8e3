/** The tokens of an issuer: kept until the tab is closed. */
import type { IssuerWay } from "../api/sign-in-way.ts";

const KEY = "wirelab.tokens";

export interface Tokens {
  readonly way: IssuerWay;
  readonly idToken: string;
  readonly refreshToken: string | undefined;
  /** When the service begins to refuse the token that the page sends. */
  readonly expiresAtMs: number;
}

export function readTokens(): Tokens | null {
  const text = sessionStorage.getItem(KEY);
  return text === null ? null : JSON.parse(text);
}

export const keepTokens = (tokens: Tokens): void => sessionStorage.setItem(KEY, JSON.stringify(tokens));
export const forgetTokens = (): void => sessionStorage.removeItem(KEY);
