import * as z from "zod/mini";
import { defineGroup, NOT_MODIFIED } from "../api/route.ts";

export const group = defineGroup({
  name: "docs",
  description: "This interface, described",
  routes: {
    getOpenApi: {
      method: "GET",
      path: "/openapi.json",
      role: "public",
      summary: "The interface as an OpenAPI 3.1 document",
      cacheSeconds: 300,
      responses: {
        200: { description: "The document", schema: z.record(z.string(), z.unknown()) },
        304: NOT_MODIFIED,
      },
      errors: [],
    },
    getDocs: {
      method: "GET",
      path: "/docs",
      role: "public",
      summary: "The interface as a page to read",
      cacheSeconds: 300,
      responses: {
        200: { description: "The page", contentType: "text/html; charset=utf-8" },
        304: NOT_MODIFIED,
      },
      errors: [],
    },
  },
});
