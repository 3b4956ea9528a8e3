import * as z from "zod/mini";
import { defineGroup, NOT_MODIFIED } from "../shared/edge/route.ts";
import { defaultSymbols, dimensions, symbol } from "../shared/schemas/symbol.ts";

const RAW = "/symbols/{symbol_id+}/raw";

/** Base64 makes it 5.6 MB, which fits into a function's payload of 6 MB. */
const UPLOAD_MAX_BYTES = 4 * 1024 * 1024;

export const group = defineGroup({
  name: "symbols",
  description:
    "Pictures that stand for nodes on the canvas: the built-in ones, and those that clients upload",
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
        "An unknown id whose last segment is the file name of a built-in symbol answers that one. " +
        "If-None-Match is honoured.",
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
        "SVG, PNG, JPEG, GIF or WebP, told by the content. Readers see the old image or the new one.",
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
        "Takes the very id under which it was uploaded. A built-in symbol of the same file name answers for the id again; nodes keep it.",
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
