/** Sends UDP datagrams of services, over IPv4 or IPv6. */

import type { TimerKind } from "../../../../base/world.ts";
import { OWN_TTL } from "../../../../net/plane/core.ts";
import type { RouterPort } from "../../../../net/plane/tables.ts";
import { PROTOCOL_UDP } from "../../../../wire/ipv4.ts";
import { encodeUdp, encodeUdp4, type Udp } from "../../../../wire/udp.ts";
import type { ServiceWorld } from "./service.ts";

interface Carriage {
  /** Or the hop limit. */
  readonly ttl?: number;
  /** Or the traffic class. */
  readonly typeOfService?: number;
  /** The kind of the timers that resolve the next hop. */
  readonly timers?: TimerKind;
}

/**
 * @param source the address to send from; by default that of the port to the target.
 * @param port of IPv6 targets that are of a link.
 * @returns why the datagram could not be sent; undefined if it was sent.
 */
export function sendUdp(
  { ipv4, ipv6 }: ServiceWorld,
  target: number | bigint,
  udp: Udp,
  source?: number | bigint,
  port?: RouterPort,
  { ttl = OWN_TTL, typeOfService = 0, timers }: Carriage = {},
): string | undefined {
  if (typeof target === "number") {
    const from = (source as number | undefined) ?? ipv4.sourceFor(target);
    if (from === undefined) return "no route";
    const fields = { source: from, target, protocol: PROTOCOL_UDP, ttl, typeOfService };
    return ipv4.originate(fields, encodeUdp4(from, target, udp), undefined, undefined, timers);
  }
  const from = (source as bigint | undefined) ?? ipv6.sourceFor(target, port);
  if (from === undefined) return "no route";
  // The packet's encoder computes the checksum.
  const fields = {
    source: from,
    target,
    nextHeader: PROTOCOL_UDP,
    hopLimit: ttl,
    trafficClass: typeOfService,
  };
  return ipv6.originate(fields, encodeUdp(udp, 0), port, undefined, timers);
}
