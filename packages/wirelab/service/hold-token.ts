/**
 * Exchanges a password for a token of the service, because checking a password costs the service a third of a second of a function each
 * minute (docs/security.md, "Tokens of this service"). A service that issues no tokens gets the password as before.
 */
import type { Service } from "./service.ts";

interface Issued {
  readonly token: string;
  readonly expires_in: number;
}

/** After a failure, and the least time between two exchanges. */
const AGAIN_S = 60;

/** @returns undefined when the service refuses, does not answer, or issues no tokens. */
async function exchange(
  { url }: Service,
  headers: Readonly<Record<string, string>>,
): Promise<Issued | undefined> {
  try {
    const response = await fetch(`${url}/tokens`, { method: "POST", headers });
    if (response.status === 201) return (await response.json()) as Issued;
    await response.body?.cancel();
  } catch {
    // The command's own request reports it.
  }
  return undefined;
}

/** Call before the first request of a command; renews the token while the command runs. */
export async function holdToken(service: Service): Promise<void> {
  const password = service.headers;
  if (!password.authorization?.startsWith("Basic ")) return;
  const first = await exchange(service, password);
  if (first === undefined) return;
  const use = ({ token, expires_in }: Issued): void => {
    service.headers = { authorization: `Bearer ${token}` };
    renewAfter(Math.max(AGAIN_S, expires_in / 2));
  };
  const renewAfter = (seconds: number): void => {
    setTimeout(() => void renew(), seconds * 1_000).unref();
  };
  const renew = async (): Promise<void> => {
    // A session ends after half a day, also while a command runs: then the password begins another one.
    const issued = (await exchange(service, service.headers)) ?? (await exchange(service, password));
    if (issued === undefined) renewAfter(AGAIN_S);
    else use(issued);
  };
  use(first);
}
