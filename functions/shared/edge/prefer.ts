/** The header `Prefer` (RFC 7240): what a client would like, and a server may ignore. */

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
/** A name, and a value unless it is empty; parameters follow, which no preference of the service has. */
const PREFERENCE = new RegExp(`^(${TOKEN})(?:[ \\t]*=[ \\t]*(${TOKEN}|${QUOTED})?)?[ \\t]*(?:;.*)?$`);
/** Commas separate preferences, but not within quotes. */
const LISTED = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;

/**
 * @param prefer the header's value: `respond-async, wait=10`.
 * @returns the value of the first preference of this name; undefined when the header has none, or no value. Malformed preferences are
 *   ignored, as section 2 has it.
 */
function preferred(prefer: string, name: string): string | undefined {
  for (const item of prefer.match(LISTED) ?? []) {
    const [, key, value = ""] = PREFERENCE.exec(item.trim()) ?? [];
    if (key?.toLowerCase() !== name) continue;
    return value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, "$1") : value || undefined;
  }
  return undefined;
}

/**
 * @param mostSeconds the longest time that the service waits.
 * @returns for how many seconds the client would like to wait for the outcome (section 4.3); undefined without such a preference.
 */
export function preferredWait(prefer: string | undefined, mostSeconds: number): number | undefined {
  const value = prefer === undefined ? undefined : preferred(prefer, "wait");
  return value !== undefined && /^\d+$/.test(value) ? Math.min(Number(value), mostSeconds) : undefined;
}
