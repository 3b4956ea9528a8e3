/** Events of the interface, as followers get them. */
import * as z from "zod/mini";

export const eventsQuery = z.object({
  since: z
    .optional(
      z.pipe(
        z.string().check(z.regex(/^\d{1,16}$/, "must be the seq of an event")),
        z.transform((digits) => Number(digits)),
      ),
    )
    .check(
      z.describe(
        "The seq of the last event that the client has seen; the stream then begins with the events after it",
      ),
    ),
});

/**
 * The line that a follower gets first, and then after each silence. The service has no processor of its own, so the figures are null.
 * @param seq the number of the last event before it.
 */
export const pingText = (seq: number): string =>
  JSON.stringify({
    action: "ping",
    event: { cpu_usage_percent: null, memory_usage_percent: null },
    seq,
  });

/** The longest silence of a stream of events. */
export const PING_EVERY_MS = 5_000;
