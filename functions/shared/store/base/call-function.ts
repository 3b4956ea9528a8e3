/** Calls another function of the stack without waiting for its work: Lambda's Invoke with the type `Event`, which Lambda keeps and repeats. */
import { setTimeout as sleep } from "node:timers/promises";
import { requiredEnv } from "./env.ts";
import { endpointOf, signedPost } from "./signed-post.ts";
import { unavailable } from "./store-faults.ts";

const TIMEOUT_MS = 3_000;
const ATTEMPTS = 3;
const PAUSE_MS = 100;

const ACCEPTED = 202;
const TOO_MANY_REQUESTS = 429;

/**
 * Resolves when Lambda has accepted the call. The function may be called twice: the response to an accepted call can be lost.
 * @param variable the environment variable that has the function's name.
 * @throws ApiError `store.unavailable` when Lambda does not accept the call after three attempts.
 * @throws Error when Lambda refuses the call, which a repetition would not change.
 */
export async function callFunction(
  variable: "SOCKETS_FUNCTION" | "WATCHER_FUNCTION",
  event: object,
): Promise<void> {
  const name = requiredEnv(variable);
  const url = new URL(`/2015-03-31/functions/${name}/invocations`, endpointOf("lambda"));
  const body = JSON.stringify(event);
  const headers = { "content-type": "application/json", "x-amz-invocation-type": "Event" };
  for (let attempt = 1; ; attempt++) {
    const failure = await signedPost({ service: "lambda", url, headers, body, timeoutMs: TIMEOUT_MS }).then(
      ({ status, text }) => {
        if (status === ACCEPTED) return undefined;
        const refusal = new Error(`Lambda answers ${status} to the call of ${name}: ${text}`);
        if (status !== TOO_MANY_REQUESTS && status < 500) throw refusal;
        return refusal;
      },
      (error: unknown) => error,
    );
    if (failure === undefined) return;
    if (attempt === ATTEMPTS) throw unavailable(failure);
    await sleep(PAUSE_MS * attempt);
  }
}
