import * as z from "zod/mini";
import { defineGroup, NOT_MODIFIED } from "../shared/edge/route.ts";
import { defaultSymbols, dimensions, symbol } from "../shared/schemas/symbol.ts";

const RAW = "/symbols/{symbol_id+}/raw";

/** Base64 makes it 5.6 MB, which fits into a function's payload of 6 MB. */
const UPLOAD_MAX_BYTES = 4 * 1024 * 1024;

export const group = defineGroup({
  name: "symbols",
  description: "Symbols: pictures of nodes on the canvas, built in or uploaded by clients",
  routes: {
    listSymbols: {
      method: "GET",
      path: "/symbols",
      summary: "List the symbols",
      responses: { 200: { description: "All symbols, by theme and id", schema: z.array(symbol) } },
      errors: [],
    },
    defaultSymbols: {
      method: "GET",
      path: "/default_symbols",
      summary: "Get the symbol of each role of a node, in every theme",
      responses: {
        200: { description: "Theme -> role of a node -> symbol id", schema: defaultSymbols },
      },
      errors: [],
    },
    getSymbolRaw: {
      method: "GET",
      path: RAW,
      summary: "Get a symbol's image",
      description:
        "If the id is unknown and its last segment is the file name of a built-in symbol, returns that symbol. " +
        "Honours `If-None-Match`.",
      responses: {
        200: { description: "The image", contentType: "image/*" },
        304: NOT_MODIFIED,
      },
      errors: ["symbol.not-found"],
    },
    putSymbolRaw: {
      method: "POST",
      path: RAW,
      summary: "Upload or replace a symbol",
      description:
        "Accepts SVG, PNG, JPEG, GIF and WebP, identified by the content. Readers get the old image or the new one, never a mixture.",
      body: { kind: "raw", maxBytes: UPLOAD_MAX_BYTES, contentType: "image/*" },
      responses: { 204: { description: "Stored" } },
      errors: [
        "symbol.builtin",
        "quota.symbols",
        "quota.symbol-bytes",
        "quota.user-symbols",
        "quota.user-symbol-bytes",
      ],
    },
    deleteSymbolRaw: {
      method: "DELETE",
      path: RAW,
      role: "admin",
      summary: "Delete an uploaded symbol",
      description:
        "Requires the exact id of the upload. Afterwards a built-in symbol with the same file name serves the id; nodes keep the id.",
      responses: { 204: { description: "Deleted" } },
      errors: ["symbol.not-found", "symbol.builtin"],
    },
    getSymbolDimensions: {
      method: "GET",
      path: "/symbols/{symbol_id+}/dimensions",
      summary: "Get a symbol's size in pixels",
      responses: { 200: { description: "The size", schema: dimensions } },
      errors: ["symbol.not-found", "symbol.no-size"],
    },
  },
});
