/** IPv4 packets for the router itself: echo, and errors for everything that it does not serve. */
import { readU16 } from "../../base/bytes.ts";
import { ETHERNET_HEADER_BYTES } from "../../wire/ethernet.ts";
import {
  echoId,
  echoSequence,
  encodeIcmp,
  FRAGMENTATION_NEEDED,
  ICMP_ECHO,
  ICMP_ECHO_REPLY,
  ICMP_HEADER_BYTES,
  ICMP_TIME_EXCEEDED,
  ICMP_UNREACHABLE,
  UNREACHABLE_PORT,
  UNREACHABLE_PROTOCOL,
} from "../../wire/icmp.ts";
import { isPayloadIntact4 } from "../../wire/intact.ts";
import { decodeIpv4, type Ipv4Header, PROTOCOL_ICMP, PROTOCOL_TCP, PROTOCOL_UDP } from "../../wire/ipv4.ts";
import { formatIpv4 } from "../../wire/ipv4-address.ts";
import { decodeTcp, encodeTcp4 } from "../../wire/tcp.ts";
import { decodeUdp } from "../../wire/udp.ts";
import { isErrorType, probeIn } from "../packet/icmp-quote.ts";
import { Reassembly } from "../packet/ipv4-reassembly.ts";
import { expired, failed, fragmentationNeeded, type ProbeError } from "../packet/probe.ts";
import { resetFor } from "../packet/tcp-reset.ts";
import type { Core } from "./core.ts";
import type { Datagram4, Packet4, Takers } from "./delivery.ts";
import type { Ipv4 } from "./ipv4.ts";
import type { RouterPort } from "./tables.ts";

const AT = ETHERNET_HEADER_BYTES;

const UNREACHABLE: Readonly<Record<number, ProbeError>> = {
  0: failed("network unreachable", "!N"),
  1: failed("host unreachable", "!H"),
  2: failed("protocol unreachable", "!P"),
  3: failed("port unreachable", ""),
  13: failed("administratively prohibited", "!X"),
};

export class Ipv4Local {
  readonly #core: Core;
  readonly #ipv4: Ipv4;
  readonly #takers: Takers<Datagram4, Packet4>;
  readonly #reassembly = new Reassembly();

  constructor(core: Core, ipv4: Ipv4, takers: Takers<Datagram4, Packet4>) {
    this.#core = core;
    this.#ipv4 = ipv4;
    this.#takers = takers;
  }

  get fragments(): Reassembly {
    return this.#reassembly;
  }

  deliver(port: RouterPort, frame: Uint8Array, header: Ipv4Header, toAll: boolean): void {
    const isFragment = header.moreFragments || header.fragmentOffset > 0;
    if (!isFragment) {
      this.#deliverWhole(port, frame, header, toAll);
      return;
    }
    const whole = toAll ? undefined : this.#reassembly.add(frame, header, this.#core.world.nowUs);
    const wholeHeader = whole && decodeIpv4(whole, AT);
    if (whole && wholeHeader) this.#deliverWhole(port, whole, wholeHeader, false);
  }

  #deliverWhole(port: RouterPort, frame: Uint8Array, header: Ipv4Header, toAll: boolean): void {
    const payload = frame.subarray(AT + header.headerBytes, AT + header.totalBytes);
    this.#core.counters.delivered += 1;
    if (!isPayloadIntact4(frame, AT, header)) this.#core.drop("badChecksum");
    else if (header.protocol === PROTOCOL_UDP) this.#takeUdp(port, frame, header, payload, toAll);
    else if (isOther(header.protocol) && this.#takers.packet({ port, header, payload })) return;
    else if (toAll) this.#core.drop("notForwarded");
    else if (header.protocol === PROTOCOL_ICMP) this.#takeIcmp(port, header, payload);
    else if (header.protocol === PROTOCOL_TCP) this.#takeTcp(port, header, payload);
    else this.#ipv4.report(port, frame, header, ICMP_UNREACHABLE, UNREACHABLE_PROTOCOL);
  }

  #takeUdp(
    port: RouterPort,
    frame: Uint8Array,
    header: Ipv4Header,
    payload: Uint8Array,
    toAll: boolean,
  ): void {
    const udp = decodeUdp(payload);
    if (udp === null) {
      this.#core.drop("malformed");
      return;
    }
    if (!toAll && this.#core.host?.takeUdp(header, udp)) return;
    if (this.#takers.datagram({ port, header, udp, toAll })) return;
    if (!toAll) this.#ipv4.report(port, frame, header, ICMP_UNREACHABLE, UNREACHABLE_PORT);
  }

  #takeIcmp(port: RouterPort, header: Ipv4Header, message: Uint8Array): void {
    if (message.length < ICMP_HEADER_BYTES) {
      this.#core.drop("malformed");
      return;
    }
    const [type = 0, code = 0] = message;
    if (type === ICMP_UNREACHABLE && code === FRAGMENTATION_NEEDED)
      (this.#core.host ?? this.#core.tcp4)?.takeTooBig(
        message.subarray(ICMP_HEADER_BYTES),
        readU16(message, 6),
      );
    if (type === ICMP_ECHO) this.#echo(port, header, message);
    else if (type === ICMP_ECHO_REPLY) this.#reportProbe(header, message, message, undefined);
    else if (isErrorType(type)) this.#reportProbe(header, message, undefined, errorOf(message));
  }

  #echo({ vrf }: RouterPort, header: Ipv4Header, request: Uint8Array): void {
    const reply = encodeIcmp(
      ICMP_ECHO_REPLY,
      0,
      echoId(request) * 0x1_0000 + echoSequence(request),
      request.subarray(ICMP_HEADER_BYTES),
    );
    const { source, target, typeOfService } = header;
    this.#ipv4.originate(
      { source: target, target: source, protocol: PROTOCOL_ICMP, ttl: this.#core.ttl, typeOfService },
      reply,
      undefined,
      vrf,
    );
  }

  #reportProbe(
    header: Ipv4Header,
    message: Uint8Array,
    reply: Uint8Array | undefined,
    error: ProbeError | undefined,
  ): void {
    const probe = reply
      ? ({ kind: "echo", id: echoId(reply), sequence: echoSequence(reply) } as const)
      : probeIn(message.subarray(ICMP_HEADER_BYTES));
    if (probe === undefined) return;
    const from = formatIpv4(header.source);
    this.#core.answer({ ...probe, from, sizeBytes: message.length, ttl: header.ttl, error });
  }

  #takeTcp({ vrf }: RouterPort, header: Ipv4Header, payload: Uint8Array): void {
    const { source, target, typeOfService } = header;
    const tcp = decodeTcp(payload);
    if (tcp === null) {
      this.#core.drop("malformed");
      return;
    }
    if (this.#core.host) {
      this.#core.host.takeTcp({ source, target }, tcp, typeOfService);
      return;
    }
    if (this.#core.tcp4 && vrf === undefined) {
      this.#core.tcp4.takeTcp(header, tcp);
      return;
    }
    const reset = resetFor(tcp);
    if (reset === undefined) return;
    const fields = { source: target, target: source, protocol: PROTOCOL_TCP, dontFragment: true };
    this.#ipv4.originate(fields, encodeTcp4(target, source, reset), undefined, vrf);
  }
}

const isOther = (protocol: number): boolean => protocol !== PROTOCOL_ICMP && protocol !== PROTOCOL_TCP;

function errorOf(message: Uint8Array): ProbeError {
  const [type, code = 0] = message;
  if (type === ICMP_TIME_EXCEEDED) return expired("time to live exceeded");
  if (type !== ICMP_UNREACHABLE) return failed(`ICMP type ${type}, code ${code}`, `!${type}/${code}`);
  // RFC 1191, section 4: the MTU of the link is in the second half of the word after the checksum.
  if (code === FRAGMENTATION_NEEDED) {
    const mtuBytes = readU16(message, 6);
    return fragmentationNeeded(mtuBytes);
  }
  return UNREACHABLE[code] ?? failed(`unreachable, code ${code}`, `!${code}`);
}
