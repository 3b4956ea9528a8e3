/** What counts as one source of requests, and as the network that it is in. */
import { isIPv4, isIPv6 } from "node:net";

/** Groups of an IPv6 address that its network is told by: whoever has one address has the other 2^64 of it, too. */
const NETWORK_GROUPS = 4;

/** An IPv4 address as it is, of an IPv6 address its network of 64 bits. */
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

/** Networks as they are handed out to one customer, or nearly so: many addresses of one are cheap to have. */
const SITE_GROUPS = 3;

/** The network around a source: of IPv4 24 bits, of IPv6 48. What is no address is its own network. */
export function networkOf(address: string): string {
  const source = sourceOf(address);
  if (isIPv4(source)) return `${source.slice(0, source.lastIndexOf("."))}.0/24`;
  const groups = /^(.+)::\/64$/.exec(source)?.[1]?.split(":");
  return groups === undefined ? source : `${groups.slice(0, SITE_GROUPS).join(":")}::/48`;
}

const groupsOf = (text: string): string[] => (text === "" ? [] : text.split(":"));
