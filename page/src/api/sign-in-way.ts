/** How callers of this service sign in. */
import type { SignInWay } from "../../../functions/page/sign-in-way.ts";

export type Way = SignInWay;

/** What a client needs to sign in at an issuer (OpenID Connect). */
export type IssuerWay = Required<Omit<SignInWay, "sockets">>;

export const isIssuer = (way: Way): way is IssuerWay => way.mode === "jwt" && way.issuer !== undefined;

let reading: Promise<Way> | undefined;

/** Reads it once. @throws Error in words that a user can read. */
export function readWay(): Promise<Way> {
  reading ??= askWay();
  reading.catch(() => {
    reading = undefined;
  });
  return reading;
}

async function askWay(): Promise<Way> {
  const failed = "The service cannot be reached. Check the network, and try again.";
  const response = await fetch("/v2/page/sign-in.json", { credentials: "omit" }).catch(() => {
    throw new Error(failed);
  });
  if (!response.ok) throw new Error(failed);
  return response.json();
}
