/** IPv6 packets for the router itself: echo, neighbour discovery, and errors for everything that it does not serve. */
import { readU16, readU32 } from "../../base/bytes.ts";
import { ETHERNET_HEADER_BYTES } from "../../wire/ethernet.ts";
import {
  encodeIcmpv6,
  ICMPV6_ECHO,
  ICMPV6_ECHO_REPLY,
  ICMPV6_TIME_EXCEEDED,
  ICMPV6_TOO_BIG,
  ICMPV6_UNREACHABLE,
  ROUTER_SOLICITATION,
} from "../../wire/icmpv6.ts";
import { isPayloadIntact6 } from "../../wire/intact.ts";
import { PROTOCOL_ICMPV6, PROTOCOL_TCP, PROTOCOL_UDP } from "../../wire/ipv4.ts";
import { IPV6_HEADER_BYTES, type Ipv6Header } from "../../wire/ipv6.ts";
import { formatIpv6, isLinkLocal, isMulticastIpv6 } from "../../wire/ipv6-address.ts";
import { decodeTcp, encodeTcp } from "../../wire/tcp.ts";
import { decodeUdp } from "../../wire/udp.ts";
import { expired, failed, type ProbeError, type ProbeKey, packetTooBig } from "../packet/probe.ts";
import { resetFor } from "../packet/tcp-reset.ts";
import type { Core } from "./core.ts";
import type { Datagram6, Packet6, Takers } from "./delivery.ts";
import { type Ipv6, probeIn6 } from "./ipv6.ts";
import type { NeighbourDiscovery } from "./neighbour-discovery.ts";
import type { RouterPort } from "./tables.ts";

const AT = ETHERNET_HEADER_BYTES;
const PAYLOAD_AT = AT + IPV6_HEADER_BYTES;
const ICMPV6_HEADER_BYTES = 8;
const PORT_UNREACHABLE = 4;
const ICMPV6_PARAMETER_PROBLEM = 4;
const UNKNOWN_NEXT_HEADER = 1;
const NEXT_HEADER_OFFSET = 6;
/** Hop-by-hop, routing, fragment, none, destination options: known, but not supported here. */
const EXTENSION_HEADERS: ReadonlySet<number> = new Set([0, 43, 44, 59, 60]);

/** The errors by code (RFC 4443, section 3.1). */
const UNREACHABLE: readonly ProbeError[] = [
  failed("no route", "!N"),
  failed("administratively prohibited", "!X"),
  failed("beyond the scope of the source address", "!S"),
  failed("address unreachable", "!H"),
  failed("port unreachable", ""),
];

export class Ipv6Local {
  readonly #core: Core;
  readonly #ipv6: Ipv6;
  readonly #discovery: NeighbourDiscovery;
  readonly #takers: Takers<Datagram6, Packet6>;

  constructor(core: Core, ipv6: Ipv6, discovery: NeighbourDiscovery, takers: Takers<Datagram6, Packet6>) {
    this.#core = core;
    this.#ipv6 = ipv6;
    this.#discovery = discovery;
    this.#takers = takers;
  }

  deliver(port: RouterPort, frame: Uint8Array, header: Ipv6Header): void {
    const { nextHeader, payloadBytes, target } = header;
    const payload = frame.subarray(PAYLOAD_AT, PAYLOAD_AT + payloadBytes);
    this.#core.counters.delivered += 1;
    if (!isPayloadIntact6(frame, AT, header)) this.#core.drop("badChecksum");
    else if (port.virtual?.refused6.has(target) && !isDiscovery(nextHeader, payload))
      this.#core.drop("notForUs");
    else if (nextHeader === PROTOCOL_ICMPV6) this.#takeIcmp(port, frame, header, payload);
    else if (EXTENSION_HEADERS.has(nextHeader)) this.#core.drop("notForwarded");
    else if (nextHeader === PROTOCOL_UDP) this.#takeUdp(port, frame, header, payload);
    else if (nextHeader !== PROTOCOL_TCP && this.#takers.packet({ port, header, payload })) return;
    else if (isMulticastIpv6(target)) this.#core.drop("notForwarded");
    else if (nextHeader === PROTOCOL_TCP) this.#takeTcp(port, header, payload);
    else {
      const [type, code] = [ICMPV6_PARAMETER_PROBLEM, UNKNOWN_NEXT_HEADER];
      this.#ipv6.report(port, frame, header, type, code, NEXT_HEADER_OFFSET);
    }
  }

  #takeUdp(port: RouterPort, frame: Uint8Array, header: Ipv6Header, payload: Uint8Array): void {
    const udp = decodeUdp(payload);
    const toAll = isMulticastIpv6(header.target);
    if (udp === null) this.#core.drop("malformed");
    else if (!toAll && this.#core.host?.takeUdp(header, udp)) return;
    else if (this.#takers.datagram({ port, header, udp, toAll })) return;
    else if (toAll) this.#core.drop("notForwarded");
    else this.#ipv6.report(port, frame, header, ICMPV6_UNREACHABLE, PORT_UNREACHABLE);
  }

  #takeTcp(port: RouterPort, { source, target, trafficClass }: Ipv6Header, payload: Uint8Array): void {
    const tcp = decodeTcp(payload);
    if (tcp === null) {
      this.#core.drop("malformed");
      return;
    }
    if (this.#core.host) {
      this.#core.host.takeTcp({ source, target }, tcp, trafficClass);
      return;
    }
    const reset = resetFor(tcp);
    if (reset === undefined) return;
    // The packet's encoder computes the checksum.
    const fields = { source: target, target: source, nextHeader: PROTOCOL_TCP };
    this.#ipv6.originate(fields, encodeTcp(reset, 0), port);
  }

  #takeIcmp(port: RouterPort, frame: Uint8Array, header: Ipv6Header, message: Uint8Array): void {
    if (message.length < ICMPV6_HEADER_BYTES) {
      this.#core.drop("malformed");
      return;
    }
    const type = message[0] as number;
    if (type === ICMPV6_TOO_BIG)
      this.#core.host?.takeTooBig(message.subarray(ICMPV6_HEADER_BYTES), readU32(message, 4));
    if (type === ICMPV6_ECHO) this.#echo(port, header, message);
    else if (type === ICMPV6_ECHO_REPLY) this.#reportProbe(header, message, replied(message), undefined);
    else if (type < 128)
      this.#reportProbe(header, message, probeIn6(message.subarray(ICMPV6_HEADER_BYTES)), errorOf(message));
    else this.#discovery.receive(port, frame, header, message);
  }

  #echo(port: RouterPort, { source, target }: Ipv6Header, request: Uint8Array): void {
    const ipv6 = port.ipv6;
    if (ipv6 === undefined || source === 0n) return;
    const toGroup = isMulticastIpv6(target);
    const own = isLinkLocal(source) ? ipv6.linkLocal : ipv6.address;
    const rest = readU16(request, 4) * 0x1_0000 + readU16(request, 6);
    this.#ipv6.originate(
      {
        source: toGroup ? own : target,
        target: source,
        nextHeader: PROTOCOL_ICMPV6,
        hopLimit: this.#core.ttl,
      },
      encodeIcmpv6(ICMPV6_ECHO_REPLY, 0, rest, request.subarray(ICMPV6_HEADER_BYTES)),
      port,
    );
  }

  #reportProbe(
    { source, hopLimit }: Ipv6Header,
    message: Uint8Array,
    probe: ProbeKey | undefined,
    error: ProbeError | undefined,
  ): void {
    if (probe === undefined) return;
    const from = formatIpv6(source);
    this.#core.answer({ ...probe, from, sizeBytes: message.length, ttl: hopLimit, error });
  }
}

/** Neighbour discovery, which a master answers for addresses that it takes no other packets to. */
const isDiscovery = (nextHeader: number, message: Uint8Array): boolean =>
  nextHeader === PROTOCOL_ICMPV6 && (message[0] as number) >= ROUTER_SOLICITATION;

const replied = (message: Uint8Array): ProbeKey => ({
  kind: "echo",
  id: readU16(message, 4),
  sequence: readU16(message, 6),
});

function errorOf(message: Uint8Array): ProbeError {
  const [type, code = 0] = message;
  if (type === ICMPV6_TIME_EXCEEDED) return expired("hop limit exceeded");
  if (type === ICMPV6_TOO_BIG) return packetTooBig(readU32(message, 4));
  if (type === ICMPV6_UNREACHABLE)
    return UNREACHABLE[code] ?? failed(`unreachable, code ${code}`, `!${code}`);
  return failed(`ICMPv6 type ${type}, code ${code}`, `!${type}/${code}`);
}
