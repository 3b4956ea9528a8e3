/** The credentials of the caller: kept until the tab is closed, and sent with each request. */
import { signal } from "@preact/signals";

const KEY = "wirelab.authorization";
const USER_KEY = "wirelab.user";

/** The value of the header Authorization; null without credentials. */
export const authorization = signal<string | null>(sessionStorage.getItem(KEY));

/** True after the service has asked for credentials. */
export const signInNeeded = signal(false);

/** Another number after each sign-in of another user: views are drawn anew. */
export const sessionNumber = signal(0);

/**
 * The user whose session continues when they sign in again: the view stays as it is meanwhile, and requests wait. Null without one, and
 * where users sign in on another page.
 */
export const heldUser = signal<string | null>(sessionStorage.getItem(USER_KEY));

/** Replaces credentials that expire soon. */
let renewal: (() => Promise<void>) | null = null;

/** Requests that wait for their user. */
const waiting = new Set<(isSignedIn: boolean) => void>();

function endWaiting(isSignedIn: boolean): void {
  for (const end of [...waiting]) end(isSignedIn);
  waiting.clear();
}

/** @param renew called before each request; it calls `replaceAuthorization` when the credentials expire soon. */
export function renewBy(renew: (() => Promise<void>) | null): void {
  renewal = renew;
}

export async function currentAuthorization(): Promise<string | null> {
  await renewal?.();
  return authorization.value;
}

export function replaceAuthorization(value: string): void {
  sessionStorage.setItem(KEY, value);
  authorization.value = value;
}

/** @param user given if the user can sign in again on this page. */
export function signIn(value: string, user: string | null = null): void {
  const continues = user !== null && user === heldUser.value;
  replaceAuthorization(value);
  heldUser.value = user;
  if (user === null) sessionStorage.removeItem(USER_KEY);
  else sessionStorage.setItem(USER_KEY, user);
  if (!continues) sessionNumber.value += 1;
  signInNeeded.value = false;
  endWaiting(continues);
}

/**
 * Asks the user to sign in.
 * @returns whether the same user has signed in again: then the refused request is sent anew. At once false if there is no such user.
 */
export async function signInAgain(signal?: AbortSignal): Promise<boolean> {
  signInNeeded.value = true;
  if (heldUser.value === null) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  waiting.add(resolve);
  const leave = () => resolve(false);
  signal?.addEventListener("abort", leave);
  try {
    return await promise;
  } finally {
    signal?.removeEventListener("abort", leave);
    waiting.delete(resolve);
  }
}

export function signOut(): void {
  sessionStorage.removeItem(KEY);
  sessionStorage.removeItem(USER_KEY);
  authorization.value = null;
  heldUser.value = null;
  renewal = null;
  signInNeeded.value = true;
  endWaiting(false);
}

/** The value of the header for HTTP Basic (RFC 7617) with UTF-8. */
export function basicHeader(user: string, password: string): string {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
}
