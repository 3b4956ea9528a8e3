/** The names that are configured on the router, and the names of their addresses. */

import { parseAnyAddress } from "../../../../net/address/prefix.ts";
import { DNS_A, DNS_AAAA, DNS_CNAME, DNS_PTR, RCODE_NO_SUCH_NAME, RCODE_OK } from "../../../../wire/dns.ts";
import { DNS_ANY, type StoredRecord } from "../../../../wire/dns-exchange.ts";
import type { DnsSpec } from "./settings.ts";

export interface LocalAnswer {
  readonly rcode: number;
  readonly answers: readonly StoredRecord[];
  /** A name that other servers know, to which the aliases in the answer lead. */
  readonly elsewhere?: string;
}

/** @returns undefined if the name is not one of the router's. */
export function findLocal(spec: DnsSpec, question: string, type: number): LocalAnswer | undefined {
  const answers: StoredRecord[] = [];
  let name = question.toLowerCase();
  const add = (recordType: number, value: string): void => {
    if (type === recordType || type === DNS_ANY || recordType === DNS_CNAME)
      answers.push({ name, type: recordType, ttlSeconds: spec.ttlSeconds, value });
  };
  // The parser limits the length of chains.
  while (Object.hasOwn(spec.aliases, name)) {
    add(DNS_CNAME, spec.aliases[name]!);
    if (type === DNS_CNAME || type === DNS_ANY) return { rcode: RCODE_OK, answers };
    name = spec.aliases[name]!;
  }
  if (Object.hasOwn(spec.hosts, name)) {
    for (const address of spec.hosts[name]!) add(address.includes(":") ? DNS_AAAA : DNS_A, address);
    return { rcode: RCODE_OK, answers };
  }
  const host = hostOfReverseName(spec, name);
  if (host !== undefined) add(DNS_PTR, host);
  if (host !== undefined) return { rcode: RCODE_OK, answers };
  const zone = spec.zones.find((each) => name === each || name.endsWith(`.${each}`));
  if (zone !== undefined) return { rcode: isPartOfName(spec, name) ? RCODE_OK : RCODE_NO_SUCH_NAME, answers };
  return answers.length === 0 ? undefined : { rcode: RCODE_OK, answers, elsewhere: name };
}

/** Whether longer names end with this one: it exists then, without records (RFC 8020). */
const isPartOfName = ({ hosts, aliases, zones }: DnsSpec, name: string): boolean =>
  zones.includes(name) ||
  [...Object.keys(hosts), ...Object.keys(aliases)].some((each) => each.endsWith(`.${name}`));

/** The first host with the address of a name such as `1.0.0.10.in-addr.arpa`. */
function hostOfReverseName({ hosts }: DnsSpec, name: string): string | undefined {
  if (!name.endsWith(".arpa")) return undefined;
  return Object.keys(hosts).find((host) => hosts[host]!.some((address) => reverseName(address) === name));
}

/** The name that has the PTR record of an address (RFC 1035, section 3.5; RFC 3596, section 2.5). */
function reverseName(text: string): string {
  const address = parseAnyAddress(text)!;
  if (typeof address === "number") return `${text.split(".").toReversed().join(".")}.in-addr.arpa`;
  const digits = address.toString(16).padStart(32, "0");
  return `${[...digits].toReversed().join(".")}.ip6.arpa`;
}
