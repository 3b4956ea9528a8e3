/**
 * How long a store is waited for, and how often it is asked again. One fault is ridden out; one that stays becomes a 503 in a
 * part of the 29 s that a request has, where the SDK's own settings would wait for an answer for five minutes.
 */

/** Those of the SDK's standard variables that are set here are heeded all the same. */
const figure = (variable: string, fallback: number): number => Number(process.env[variable] || fallback);

/**
 * Of a client of the SDK, made once for each execution environment; the rest are its standard variables'.
 * @param timeoutMs from the beginning of an attempt until the answer begins.
 */
export const clientSettings = (timeoutMs: number) => ({
  /** After a throttle the SDK pauses for up to one second, then two. */
  maxAttempts: figure("AWS_MAX_ATTEMPTS", 3),
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: figure("STORE_TIMEOUT_MS", timeoutMs),
    throwOnRequestTimeout: true,
  },
});
