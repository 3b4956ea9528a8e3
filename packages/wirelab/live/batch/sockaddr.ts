/** Socket addresses as Linux has them: ip(7), ipv6(7). */
import { parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { parseIpv6, writeIpv6 } from "@wirelab/engine/wire/ipv6-address";
import type { SocketAddress } from "@wirelab/lab/model/outside";
import { fixedMemory } from "./libc.ts";

const AF_INET = 2;
const AF_INET6 = 10;
const PORT_OFFSET = 2;
const IPV4 = { bytes: 16, hostOffset: 4, hostBytes: 4 };
const IPV6 = { bytes: 28, hostOffset: 8, hostBytes: 16 };

/** `struct sockaddr_in` or `struct sockaddr_in6`; undefined for an address with a zone, or an IPv4 address inside IPv6. */
export function toSockaddr({ host, port }: SocketAddress): Uint8Array | undefined {
  const ipv4 = parseIpv4(host);
  const ipv6 = ipv4 === null ? parseIpv6(host) : null;
  if (ipv4 === null && ipv6 === null) return undefined;
  const bytes = fixedMemory(ipv4 === null ? IPV6.bytes : IPV4.bytes);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, ipv4 === null ? AF_INET6 : AF_INET, true);
  view.setUint16(PORT_OFFSET, port);
  if (ipv4 !== null) view.setUint32(IPV4.hostOffset, ipv4);
  else writeIpv6(bytes, IPV6.hostOffset, ipv6!);
  return bytes;
}

export const familyOf = (sockaddr: Uint8Array): number => sockaddr[0] as number;

/** Whether `names`, from `offset` on, has the host of `sockaddr`, and its port, too, if that matters. */
export function isFrom(sockaddr: Uint8Array, withPort: boolean, names: Uint8Array, offset: number): boolean {
  const { hostOffset, hostBytes } = familyOf(sockaddr) === AF_INET ? IPV4 : IPV6;
  if (withPort && !sameBytes(sockaddr, names, offset, PORT_OFFSET, 2)) return false;
  return sameBytes(sockaddr, names, offset, hostOffset, hostBytes);
}

function sameBytes(a: Uint8Array, b: Uint8Array, offset: number, from: number, count: number): boolean {
  for (let index = from; index < from + count; index++) if (a[index] !== b[offset + index]) return false;
  return true;
}
