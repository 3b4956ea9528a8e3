/** Schemas that several resources share. */
import * as z from "zod/mini";
import "./messages.ts";

/**
 * Invisible characters that change the display of the text around them: controls, line and paragraph separators, and the
 * directional formatting characters of the Unicode Bidirectional Algorithm (UAX #9, section 2).
 */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Rejects text that could make one name look like another, or break a line of a transcript or a log. */
export const visibleText = z.refine<string>((text) => !INVISIBLE.test(text), {
  error: ({ input }) =>
    `holds the control character ${codePointOf(INVISIBLE.exec(String(input))?.[0])}; remove it`,
});

const codePointOf = (character = ""): string =>
  `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;

/**
 * Long enough for human names, short enough for a key attribute. Normalized to Unicode form C, so that canonically equivalent
 * names are equal.
 */
export const name = z
  .string()
  .check(z.normalize("NFC"), z.minLength(1, "is empty"), z.maxLength(255), visibleText);

/** Makes the fields of a schema optional. An absent field stays absent, because JSON has no undefined. */
export const optionalFields = <S extends Record<string, z.ZodMiniType>>(fields: S) =>
  Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, z.exactOptional(field)])) as {
    [K in keyof S]: z.ZodMiniExactOptional<S[K]>;
  };

/** Text beside a node or a link end on the canvas; stored and returned as given. Clients send null for a position that they do not know. */
export const label = z
  .strictObject({
    text: z.string().check(z.maxLength(1024)),
    style: z.optional(z.nullable(z.string().check(z.maxLength(1024)))),
    x: z.optional(z.nullable(z.int())),
    y: z.optional(z.nullable(z.int())),
    rotation: z.optional(z.int().check(z.minimum(-359), z.maximum(360))),
  })
  .check(z.meta({ id: "Label" }));
export type Label = z.output<typeof label>;

/** A free-form JSON object stored for the client. `maxBytes` bounds its JSON text, because an item of the table holds 400 KB. */
export const freeFormObject = (maxBytes: number) =>
  z
    .record(z.string(), z.unknown())
    .check(
      z.refine(
        (value) => new TextEncoder().encode(JSON.stringify(value)).length <= maxBytes,
        `is larger than ${maxBytes} bytes of JSON`,
      ),
    );

export const linkType = z.enum(["ethernet", "serial"]);
export type LinkType = z.output<typeof linkType>;

export const dataLinkType = z.enum([
  "DLT_ATM_RFC1483",
  "DLT_EN10MB",
  "DLT_FRELAY",
  "DLT_C_HDLC",
  "DLT_PPP_SERIAL",
]);
export type DataLinkType = z.output<typeof dataLinkType>;

/** The body of every error response. */
export const errorBody = z
  .object({
    /** Identifies the reason; the description of the API lists the codes. */
    code: z.string(),
    message: z.string(),
    status: z.int(),
    errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
    request_id: z.optional(z.string()),
  })
  .check(z.meta({ id: "Error" }));

/** Any 15 digits are a safe integer. */
export const wholeNumber = z.pipe(
  z.string().check(z.regex(/^\d{1,15}$/, "is not a whole number")),
  z.transform(Number),
);
