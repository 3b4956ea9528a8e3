/** Defines which addresses count as one source of requests, and as one network. */
import { isIPv4, isIPv6 } from "node:net";

/** The number of groups that identify an IPv6 network: the holder of one address usually has the other 2^64, too. */
const NETWORK_GROUPS = 4;

/** Returns an IPv4 address unchanged, and for an IPv6 address its network of 64 bits. */
export function sourceOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = "", tail] = address.split("%")[0]!.toLowerCase().split("::");
  const before = groupsOf(head);
  const after = groupsOf(tail ?? "");
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  const groups = tail === undefined ? before : [...before, ...zeros, ...after];
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}

/** About the size of network that a provider assigns to one customer, who can use all its addresses. */
const SITE_GROUPS = 3;

/** Returns the network around a source: 24 bits of IPv4, 48 of IPv6. Text that is not an address is its own network. */
export function networkOf(address: string): string {
  const source = sourceOf(address);
  if (isIPv4(source)) return `${source.slice(0, source.lastIndexOf("."))}.0/24`;
  const groups = /^(.+)::\/64$/.exec(source)?.[1]?.split(":");
  return groups === undefined ? source : `${groups.slice(0, SITE_GROUPS).join(":")}::/48`;
}

const groupsOf = (text: string): string[] => (text === "" ? [] : text.split(":"));
