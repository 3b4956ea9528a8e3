/** Namespaces: docs/ci.md. */
import * as z from "zod/mini";

const instant = z.iso.datetime({ offset: true });

export const namespaceRequest = z
  .strictObject({
    expires_at: z
      .optional(instant)
      .check(
        z.describe("When the namespace ends, at most 90 days from now; in seven days if the field is absent"),
      ),
  })
  .check(z.meta({ id: "NamespaceRequest" }));

const shown = {
  name: z.string(),
  url: z.string().check(z.describe("The address of the service at which its user signs in")),
  user: z.string().check(z.describe("An editor, who sees the projects of the namespace and no others")),
  created_at: instant,
  expires_at: instant.check(
    z.describe("From then on its user is refused; the sweeper deletes the namespace's projects"),
  ),
};

export const namespace = z.object(shown).check(z.meta({ id: "Namespace" }));

export const namespaceCredentials = z
  .object({
    ...shown,
    password: z.string().check(z.describe("Replaces the one before; only its hash is stored")),
  })
  .check(z.meta({ id: "NamespaceCredentials" }));
