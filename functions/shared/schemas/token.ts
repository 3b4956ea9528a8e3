/** A token of the service's own: functions/tokens. */
import * as z from "zod/mini";

export const issuedToken = z
  .object({
    token: z.string().check(z.describe("Opaque to clients")),
    token_type: z.literal("Bearer"),
    expires_in: z.int().check(z.describe("Seconds for which the token is accepted")),
    session_expires_in: z
      .int()
      .check(z.describe("Seconds for which tokens are renewed; then the password is needed again")),
  })
  .check(z.meta({ id: "IssuedToken" }));
