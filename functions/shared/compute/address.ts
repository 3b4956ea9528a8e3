/**
 * The addresses of computes that the service may call. In the cloud, an address of the function itself or of a metadata service could
 * reveal credentials, so these ranges are refused; the ranges are in RFC 6890 and RFC 4291.
 */
import { BlockList, isIPv4, isIPv6 } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

const never = new BlockList();
never.addSubnet("0.0.0.0", 8, "ipv4");
never.addSubnet("169.254.0.0", 16, "ipv4");
// Multicast, reserved and broadcast addresses.
never.addSubnet("224.0.0.0", 3, "ipv4");
// The unspecified address, and IPv4-compatible ones, which are deprecated.
never.addSubnet("::", 96, "ipv6");
never.addSubnet("fe80::", 10, "ipv6");
never.addSubnet("ff00::", 8, "ipv6");
// AWS serves the metadata of instances and the time here.
never.addSubnet("fd00:ec2::", 32, "ipv6");

/** Prefixes of IPv6 addresses with an IPv4 address in them, and the first of its two groups: RFC 4291, 6052 and 3056. */
const EMBEDDING: readonly (readonly [RegExp, number])[] = [
  [/^0:0:0:0:0:ffff:/, 6],
  [/^0:0:0:0:ffff:0:/, 6],
  [/^64:ff9b:/, 6],
  [/^2002:/, 1],
];

/** Returns the eight groups of an IPv6 address in hexadecimal. */
function groupsOf(address: string): string[] {
  const [plain = ""] = address.split("%");
  const shortened = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [left = "", right] = shortened.split("::");
  const head = left === "" ? [] : left.split(":");
  const tail = right ? right.split(":") : [];
  if (right === undefined) return head;
  return [...head, ...new Array(8 - head.length - tail.length).fill("0"), ...tail];
}

/** Returns the IPv4 address in an IPv6 address that stands for one; undefined for others. */
function embeddedIn(address: string): string | undefined {
  const groups = groupsOf(address);
  const found = EMBEDDING.find(([prefix]) => prefix.test(groups.join(":")));
  if (found === undefined) return undefined;
  return groups
    .slice(found[1], found[1] + 2)
    .flatMap((group) => {
      const value = Number.parseInt(group, 16);
      return [value >> 8, value & 0xff];
    })
    .join(".");
}

/**
 * Returns whether the service may connect to the IP address.
 * @param allowsLoopback for a service that runs on one machine.
 */
export function isCallable(address: string, allowsLoopback: boolean): boolean {
  if (isIPv4(address)) {
    return !never.check(address, "ipv4") && (allowsLoopback || !loopback.check(address, "ipv4"));
  }
  if (!isIPv6(address)) return false;
  const embedded = embeddedIn(address);
  if (embedded !== undefined) return isCallable(embedded, allowsLoopback);
  const [plain = ""] = address.split("%");
  if (loopback.check(plain, "ipv6")) return allowsLoopback;
  return !never.check(plain, "ipv6");
}
