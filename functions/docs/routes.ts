import * as z from "zod/mini";
import { defineGroup, NOT_MODIFIED } from "../shared/edge/route.ts";

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
      summary: "The interface as a page: read, search, try out",
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
      summary: "A script, style sheet or picture of the page",
      description: "In the content coding `br` for callers that accept it.",
      cacheSeconds: 300,
      responses: {
        200: { description: "The file", contentType: "*/*" },
        304: NOT_MODIFIED,
      },
      errors: ["docs.file-not-found"],
    },
  },
});
