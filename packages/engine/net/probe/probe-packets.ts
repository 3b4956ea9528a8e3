/** Builds and sends probes of either kind, over IPv4 or IPv6. */
import { encodeEcho } from "../../wire/icmp.ts";
import { encodeIcmpv6, ICMPV6_ECHO } from "../../wire/icmpv6.ts";
import { PROTOCOL_ICMP, PROTOCOL_ICMPV6, PROTOCOL_UDP } from "../../wire/ipv4.ts";
import { encodeUdp, encodeUdp4 } from "../../wire/udp.ts";
import type { ProbeKey } from "../packet/probe.ts";
import type { Core } from "../plane/core.ts";
import type { Ipv4 } from "../plane/ipv4.ts";
import type { Ipv6 } from "../plane/ipv6.ts";
import type { ProbePath } from "./probe-path.ts";

/** The parts of a device that send probes. */
export interface Prober {
  readonly core: Core;
  readonly ipv4: Ipv4;
  readonly ipv6: Ipv6;
}

export interface ProbeSettings {
  readonly ttl: number;
  /** Has no effect for IPv6, whose packets routers never fragment. */
  readonly dontFragment: boolean;
  readonly data: Uint8Array;
}

/** @returns why the probe could not be sent; undefined if it was sent. */
export function sendProbe(
  { ipv4, ipv6 }: Prober,
  path: ProbePath,
  key: ProbeKey,
  settings: ProbeSettings,
): string | undefined {
  return typeof path.target === "number"
    ? sendProbe4(ipv4, path, path.target, key, settings)
    : sendProbe6(ipv6, path, path.target, key, settings);
}

function sendProbe4(
  ipv4: Ipv4,
  { source, port, vrf }: ProbePath,
  target: number,
  { kind, id, sequence }: ProbeKey,
  { ttl, dontFragment, data }: ProbeSettings,
): string | undefined {
  const from = (source as number | undefined) ?? ipv4.sourceFor(target, port, vrf);
  if (from === undefined) return "no route";
  const isEcho = kind === "echo";
  const payload = isEcho
    ? encodeEcho(id, sequence, data)
    : encodeUdp4(from, target, { sourcePort: id, targetPort: sequence, data });
  const protocol = isEcho ? PROTOCOL_ICMP : PROTOCOL_UDP;
  return ipv4.originate({ source: from, target, protocol, ttl, dontFragment }, payload, port, vrf);
}

function sendProbe6(
  ipv6: Ipv6,
  { source, port, vrf }: ProbePath,
  target: bigint,
  { kind, id, sequence }: ProbeKey,
  { ttl, data }: ProbeSettings,
): string | undefined {
  const from = (source as bigint | undefined) ?? ipv6.sourceFor(target, port, vrf);
  if (from === undefined) return "no route";
  const isEcho = kind === "echo";
  // The packet's encoder computes the checksum.
  const payload = isEcho
    ? encodeIcmpv6(ICMPV6_ECHO, 0, id * 0x1_0000 + sequence, data)
    : encodeUdp({ sourcePort: id, targetPort: sequence, data }, 0);
  const nextHeader = isEcho ? PROTOCOL_ICMPV6 : PROTOCOL_UDP;
  return ipv6.originate({ source: from, target, nextHeader, hopLimit: ttl }, payload, port, vrf);
}

/** The alphabet, repeated: the traditional padding of ping programs. */
export const probeData = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => 0x61 + (index % 26));

export const formatMs = (timeUs: number): string => (timeUs / 1_000).toFixed(3);

/** The timeout of a probe, in microseconds: longer than a failing neighbour resolution. */
export const PROBE_WAIT_US = 4_000_000;
