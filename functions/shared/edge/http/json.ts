/** Decodes a JSON body. Rejects values that the service could not store and return unchanged. */
import { failure } from "../errors.ts";

/** The table nests at most 32 levels; nothing in this interface needs more than a few. */
const MAX_DEPTH = 24;

/** @throws ApiError `request.malformed-json` when the bytes are not UTF-8, not JSON, or nested too deeply. */
export function decodeJson(bytes: Uint8Array): unknown {
  const value = parse(decodeUtf8(bytes));
  const fault = findFault(value);
  if (fault !== null) throw failure("request.malformed-json", { detail: fault });
  return value;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw failure("request.malformed-json", { detail: "the body is not UTF-8" });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw failure("request.malformed-json", { detail: (error as Error).message });
  }
}

/** Uses its own stack, because the nesting of a hostile body could overflow the call stack. */
function findFault(root: unknown): string | null {
  const pending: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (typeof value === "string" && !value.isWellFormed()) return "a string holds half of a surrogate pair";
    if (typeof value !== "object" || value === null) continue;
    if (depth >= MAX_DEPTH) return `the value is nested more than ${MAX_DEPTH} levels deep`;
    for (const [key, child] of Object.entries(value)) {
      if (!key.isWellFormed()) return "a key holds half of a surrogate pair";
      // Objects built from the value would silently lose this key.
      if (key === "__proto__") return "a key is __proto__";
      pending.push({ value: child, depth: depth + 1 });
    }
  }
  return null;
}
