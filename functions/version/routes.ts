import * as z from "zod/mini";
import { defineGroup, NOT_MODIFIED } from "../shared/edge/route.ts";

export const group = defineGroup({
  name: "version",
  description: "The version of the service",
  routes: {
    getVersion: {
      method: "GET",
      path: "/version",
      role: "public",
      summary: "Version of the interface and of the service",
      cacheSeconds: 300,
      responses: {
        200: {
          description: "The version",
          schema: z.object({ local: z.boolean(), version: z.string() }).check(z.meta({ id: "Version" })),
        },
        304: NOT_MODIFIED,
      },
      errors: [],
    },
  },
});
