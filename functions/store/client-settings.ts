/**
 * Timeouts and attempts of calls to the stores. A call survives one fault; a fault that stays becomes a 503 within the 29 s of a
 * request, where the SDK's defaults would wait for five minutes.
 */

/** The SDK's standard variables override what is set here. */
const figure = (variable: string, fallback: number): number => Number(process.env[variable] || fallback);

/**
 * Settings of a client of the SDK, which is made once for each execution environment.
 * @param timeoutMs from the beginning of an attempt until the answer begins. There is no shorter timeout for connecting: a timer
 *   that runs out while the thread computes fires before the event loop sees that the connection has been made.
 */
export const clientSettings = (timeoutMs: number) => ({
  /** After a throttle the SDK pauses for up to one second, then two. */
  maxAttempts: figure("AWS_MAX_ATTEMPTS", 3),
  requestHandler: {
    requestTimeout: figure("STORE_TIMEOUT_MS", timeoutMs),
    throwOnRequestTimeout: true,
  },
});
