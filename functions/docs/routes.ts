import * as z from "zod/mini";
import { defineGroup, NOT_MODIFIED } from "../shared/edge/route.ts";

export const group = defineGroup({
  name: "docs",
  description: "Description of this interface",
  routes: {
    getOpenApi: {
      method: "GET",
      path: "/openapi.json",
      role: "public",
      summary: "Get the interface as an OpenAPI 3.1 document",
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
      summary: "Get the API page, to read, search and try out the interface",
      cacheSeconds: 300,
      responses: {
        200: { description: "The page", contentType: "text/html; charset=utf-8" },
        304: NOT_MODIFIED,
      },
      errors: [],
    },
    getDocsFile: {
      method: "GET",
      path: "/docs/{file}",
      role: "public",
      summary: "Get a script, style sheet or picture of the API page",
      description: "Returned in the content coding `br` if the client accepts it.",
      cacheSeconds: 300,
      responses: {
        200: { description: "The file", contentType: "*/*" },
        304: NOT_MODIFIED,
      },
      errors: ["docs.file-not-found"],
    },
  },
});
