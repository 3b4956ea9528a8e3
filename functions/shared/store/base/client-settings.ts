/**
 * Timeouts and attempts of calls to the stores. A call survives one fault. A persistent fault becomes a 503 within the 29 s of a
 * request; with the SDK's defaults the call would wait for five minutes.
 */

/** The SDK's standard variables override these settings. */
const figure = (variable: string, fallback: number): number => Number(process.env[variable] || fallback);

/**
 * Returns the settings of an SDK client. Each execution environment makes its clients once.
 * @param timeoutMs from the beginning of an attempt to the beginning of the response. There is no shorter connection timeout, because
 *   a timer that expires while the thread computes fires before the event loop notices the established connection.
 */
export const clientSettings = (timeoutMs: number) => ({
  /** After a throttle the SDK pauses for up to one second, then two. */
  maxAttempts: figure("AWS_MAX_ATTEMPTS", 3),
  requestHandler: {
    requestTimeout: figure("STORE_TIMEOUT_MS", timeoutMs),
    throwOnRequestTimeout: true,
  },
});
