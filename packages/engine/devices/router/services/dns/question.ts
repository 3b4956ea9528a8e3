/** The question for a name. */
import { concatBytes, writeU16 } from "../../../../base/bytes.ts";
import { encodeDecodedName } from "../../../../wire/dns.ts";
import { DNS_CLASS_INTERNET, type ServerQuestion } from "../../../../wire/dns-exchange.ts";

/** @param name one that was checked, or decoded. */
export function questionFor(name: string, type: number): ServerQuestion {
  const tail = new Uint8Array(4);
  writeU16(tail, 0, type);
  writeU16(tail, 2, DNS_CLASS_INTERNET);
  return { name, type, class: DNS_CLASS_INTERNET, bytes: concatBytes(encodeDecodedName(name), tail) };
}
