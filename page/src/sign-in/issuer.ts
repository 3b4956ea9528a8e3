/** The way back from an issuer, and its tokens. The protocol itself is in oidc.ts, which is loaded when it is needed. */
import { signal } from "@preact/signals";
import { renewBy, signIn, signInNeeded } from "../api/session.ts";
import { forgetTokens, readTokens } from "./tokens.ts";

/** Why the last sign-in at the issuer failed. */
export const signInProblem = signal("");

const hasResponse = ({ searchParams }: URL): boolean =>
  searchParams.has("state") && (searchParams.has("code") || searchParams.has("error"));

/**
 * True while the page redeems the code in its address. No view is drawn in this time: its requests would have no credentials, and
 * the service's refusal could arrive after the sign-in.
 */
export const isReturning = signal(hasResponse(new URL(location.href)));

const RENEW_BEFORE_MS = 60_000;

/** The service refuses an expired token, and the page then asks the user to sign in; until then it asks the issuer once per expiry. */
let renewing: Promise<void> | undefined;

async function renewTokens(): Promise<void> {
  const tokens = readTokens();
  if (tokens?.refreshToken === undefined || tokens.expiresAtMs - Date.now() > RENEW_BEFORE_MS) return;
  renewing ??= import("./oidc.ts")
    .then(({ refresh }) => refresh(tokens))
    // The service refuses the request if the token has expired by then.
    .catch(() => {})
    .finally(() => {
      renewing = undefined;
    });
  await renewing;
}

/** Call once, when the page is loaded. */
export async function returnFromIssuer(): Promise<void> {
  if (readTokens() !== null) renewBy(renewTokens);
  if (!isReturning.value) return;
  try {
    const { finish } = await import("./oidc.ts");
    const header = await finish(new URL(location.href));
    renewBy(renewTokens);
    signIn(header);
  } catch (error) {
    forgetTokens();
    signInProblem.value = `Signing in has failed: ${(error as Error).message}`;
    signInNeeded.value = true;
  } finally {
    isReturning.value = false;
  }
}

/** Ends the session at the issuer too, if there is one. @returns true if the browser leaves the page for that. */
export async function leaveIssuer(): Promise<boolean> {
  const tokens = readTokens();
  if (tokens === null) return false;
  forgetTokens();
  const { endSession } = await import("./oidc.ts");
  return endSession(tokens);
}
