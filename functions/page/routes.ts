import { defineGroup, NOT_MODIFIED } from "../shared/edge/route.ts";

const YEAR_S = 31_536_000;

export const group = defineGroup({
  name: "page",
  description: "The page: labs in a browser",
  routes: {
    getPage: {
      method: "GET",
      path: "/page",
      role: "public",
      summary: "Get the page on which people build labs",
      description: "Returned in the content coding `br` if the client accepts it.",
      cacheSeconds: 60,
      responses: {
        200: { description: "The page", contentType: "text/html; charset=utf-8" },
        304: NOT_MODIFIED,
      },
      errors: [],
    },
    getPageFile: {
      method: "GET",
      path: "/page/{file}",
      role: "public",
      summary: "Get a script, style sheet or picture of the page",
      description:
        "The name contains a hash of the content, so caches keep it for a year; `sign-in.json` reports how callers of the stack sign in. Returned in the content coding `br` if the client accepts it.",
      cacheSeconds: YEAR_S,
      responses: {
        200: { description: "The file", contentType: "*/*" },
        304: NOT_MODIFIED,
      },
      errors: ["docs.file-not-found"],
    },
  },
});
