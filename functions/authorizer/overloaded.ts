/**
 * The service has no time to check a password. The authorizer fails with this error instead of denying: API Gateway then responds with
 * 503 (infra/gateway-responses.ts) and caches nothing, while it would keep a denial, which reads as a wrong password.
 */
export class Overloaded extends Error {
  override readonly name = "Overloaded";
}

/** Reserved for giving tokens back and for the response, before Lambda ends the function. */
const RESERVE_MS = 1_500;

/** Returns a signal that is aborted when an invocation has to stop waiting. */
export const timeLimit = (remainingTimeMs: number): AbortSignal =>
  AbortSignal.timeout(Math.max(0, remainingTimeMs - RESERVE_MS));

/** Resolves as the promise does. @throws Overloaded when the signal is aborted first; the promise then continues. */
export async function within<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const end = Promise.withResolvers<never>();
  const giveUp = () => end.reject(new Overloaded("the function has no time left"));
  if (signal.aborted) giveUp();
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([promise, end.promise]);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}
