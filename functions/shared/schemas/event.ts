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
