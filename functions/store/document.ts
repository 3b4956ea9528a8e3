/**
 * What the table need not look into is kept as the text of a JSON document: it nests as deep and holds such numbers as
 * JSON does, and not as the table's own types do.
 */
import { any } from "dynamodb-toolbox/schema/any";
import { jsonStringify } from "dynamodb-toolbox/transformers/jsonStringify";
import { failure } from "../api/errors.ts";

export const document = <T>() => any().castAs<T>().transform(jsonStringify());

/** An item of the table holds 400 KB; a list of many such documents has to be read at once. */
const DOCUMENT_MAX_BYTES = 98_304;

/** @throws ApiError `store.too-large` when the value is too large to be kept. */
export function storable<T>(what: string, value: T): T {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > DOCUMENT_MAX_BYTES) throw failure("store.too-large", { what, limit: DOCUMENT_MAX_BYTES });
  return value;
}
