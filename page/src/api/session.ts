/** The credentials of the caller: kept until the tab is closed, and sent with each request. */
import { signal } from "@preact/signals";

const KEY = "wirelab.authorization";

/** The value of the header Authorization; null without credentials. */
export const authorization = signal<string | null>(sessionStorage.getItem(KEY));

/** True after the service has asked for credentials. */
export const signInNeeded = signal(false);

/** Another number after each sign-in: views are drawn anew. */
export const sessionNumber = signal(0);

/** Replaces credentials that expire soon. */
let renewal: (() => Promise<void>) | null = null;

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

export function signIn(value: string): void {
  replaceAuthorization(value);
  sessionNumber.value += 1;
  signInNeeded.value = false;
}

export function signOut(): void {
  sessionStorage.removeItem(KEY);
  authorization.value = null;
  renewal = null;
  signInNeeded.value = true;
}

/** The value of the header for HTTP Basic (RFC 7617) with UTF-8. */
export function basicHeader(user: string, password: string): string {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
}
