/** A function with one route whose response a test chooses, for tests of how responses are sent. */
import { Readable } from "node:stream";
import * as z from "zod/mini";
import { bind } from "../../../functions/shared/edge/bind.ts";
import { defineGroup } from "../../../functions/shared/edge/route.ts";

/** The number of bytes that a stream buffers before its writer has to wait. */
const CHUNK_BYTES = 65_536;

const group = defineGroup({
  name: "answers",
  description: "Answers made to order",
  routes: {
    get: {
      method: "GET",
      path: "/answers",
      summary: "Answer as the query says",
      query: z.object({ text: z.optional(z.string()), chunks: z.optional(z.coerce.number()) }),
      responses: {
        200: {
          description: "text as JSON, or chunks before the source fails",
          schema: z.string(),
          contentType: "text/plain",
        },
        204: { description: "neither" },
      },
      errors: [],
    },
  },
});

async function* failAfter(chunks: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < chunks; sent++) yield Buffer.alloc(CHUNK_BYTES, "x");
  throw new Error("the source failed");
}

export const handler = bind(group, {
  get: async ({ query: { text, chunks } }) => {
    if (text !== undefined) return { status: 200 as const, body: text };
    if (chunks !== undefined) return { status: 200 as const, body: Readable.from(failAfter(chunks)) };
    return { status: 204 as const };
  },
});
