/**
 * Signs in with a name and a password. The page sends the password once, and keeps a token in its place, which it renews while it is open:
 * functions/tokens. After a break, as of a computer that slept, the user signs in again, and the view stays as it was.
 */
import { ApiProblem } from "../api/call.ts";
import {
  authorization,
  basicHeader,
  heldUser,
  renewBy,
  replaceAuthorization,
  signIn,
} from "../api/session.ts";

const KEY = "wirelab.token-ends";
const RENEW_BEFORE_MS = 20 * 60_000;
const LOOK_EVERY_MS = 60_000;

interface Issued {
  readonly token: string;
  readonly expires_in: number;
  readonly session_expires_in: number;
}

/** @throws ApiProblem when the service refuses, or cannot be reached. */
async function issue(credentials: string): Promise<Issued> {
  const response = await fetch("/v2/tokens", {
    method: "POST",
    headers: { authorization: credentials },
    credentials: "omit",
  }).catch(() => {
    throw new ApiProblem(0, "offline", "The service cannot be reached. Check the network, and try again.");
  });
  const json = await response.json().catch(() => ({}));
  if (response.ok) return json;
  throw new ApiProblem(response.status, json.code ?? "", json.message ?? `status ${response.status}`);
}

function keepEnd({ expires_in, session_expires_in }: Issued): void {
  const nowMs = Date.now();
  // The last token of a session ends with it, and there is nothing to renew.
  const renewedMs =
    session_expires_in > expires_in ? nowMs + expires_in * 1000 - RENEW_BEFORE_MS : Number.MAX_SAFE_INTEGER;
  sessionStorage.setItem(KEY, String(renewedMs));
}

let renewing: Promise<void> | undefined;

async function renew(): Promise<void> {
  const before = authorization.value;
  if (before === null || Date.now() < Number(sessionStorage.getItem(KEY))) return;
  renewing ??= issue(before)
    .then((issued) => {
      // The user may have signed out, or in again, meanwhile.
      if (authorization.value !== before) return;
      keepEnd(issued);
      replaceAuthorization(`Bearer ${issued.token}`);
    })
    // The token is still sent: the service refuses it once it has expired, and the user signs in again.
    .catch(() => {})
    .finally(() => {
      renewing = undefined;
    });
  await renewing;
}

/** Renews the token of this tab, also while no request is sent. */
function keepRenewing(): void {
  renewBy(renew);
}

setInterval(() => {
  if (heldUser.value !== null) void renew();
}, LOOK_EVERY_MS);

/** Call once, when the page is loaded. */
export function continueSession(): void {
  if (heldUser.value !== null) keepRenewing();
}

/** @throws ApiProblem 401 for a wrong name or password. */
export async function signInByPassword(user: string, password: string): Promise<void> {
  const credentials = basicHeader(user, password);
  const issued = await issue(credentials).catch((error: unknown) => {
    if (error instanceof ApiProblem && error.code === "token.not-issued") return null;
    throw error;
  });
  // Something in front of the service has asked for a password.
  if (issued === null) return signIn(credentials);
  keepEnd(issued);
  keepRenewing();
  signIn(`Bearer ${issued.token}`, user);
}
