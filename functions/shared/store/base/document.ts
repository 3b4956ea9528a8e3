/**
 * Values that the table need not query are stored as JSON text. JSON nests deeper, and holds a wider range of numbers, than the
 * table's own types.
 */
import { any } from "dynamodb-toolbox/schema/any";
import { jsonStringify } from "dynamodb-toolbox/transformers/jsonStringify";
import { failure } from "../../edge/errors.ts";

export const document = <T>() => any().castAs<T>().transform(jsonStringify());

/** An attribute that items may lack. It may be undefined, as the table's other optional attributes may. */
export const optionalDocument = <T>() => document<T | undefined>().optional();

/** An item of the table holds 400 KB; a request reads a list of many such documents at once. */
const DOCUMENT_MAX_BYTES = 98_304;

/** @throws ApiError `store.too-large` when the value is too large to store. */
export function storable<T>(what: string, value: T): T {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > DOCUMENT_MAX_BYTES) throw failure("store.too-large", { what, limit: DOCUMENT_MAX_BYTES });
  return value;
}
