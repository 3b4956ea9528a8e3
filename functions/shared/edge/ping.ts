/** The event `ping`, which a follower gets first, and later to keep its connection. */
import { machineLoad } from "./machine-load.ts";

/**
 * Returns the JSON text of a ping.
 * @param seq the number of the last event before it, for followers that can continue after the ping.
 */
export const pingText = (seq?: number): string =>
  JSON.stringify({ action: "ping", event: machineLoad(), seq });

/** The longest silence of a stream of events. */
export const PING_EVERY_MS = 5_000;
