/** Packets for tests of translation, and what they look like after it. */
import { readU16 } from "@wirelab/engine/base/bytes";
import { echoId, encodeEcho, encodeIcmp } from "@wirelab/engine/wire/icmp";
import { decodeIpv4, encodeIpv4, type Ipv4Fields } from "@wirelab/engine/wire/ipv4";
import { formatIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import { isHeaderIntact4, isPayloadIntact4 } from "../../../../../../packages/engine/wire/intact.ts";
import {
  encodeTcp4,
  TCP_ACK,
  TCP_FIN,
  TCP_RST,
  TCP_SYN,
} from "../../../../../../packages/engine/wire/tcp.ts";
import { type Bed, bytes, ip, makeBed, type Packet4, type Probe, ROUTER_MAC } from "../probe.ts";

export const INSIDE = "10.0.1.10";
export const OUTSIDE = "10.0.2.10";
/** The router's address outside. */
export const OWN = "10.0.2.1";
const NOTHING = new Uint8Array(0);

/** A router with A inside, on port 0, and B outside, on port 1. */
export const bedWith = (nat: object, more: object = {}, state?: Parameters<typeof makeBed>[1]): Bed =>
  makeBed({ ports: [{ ipv4: "10.0.1.1/24" }, { ipv4: "10.0.2.1/24" }], nat, ...more }, state);

export const MASQUERADE = { source: [{ out: "Ethernet1", from: "10.0.1.0/24" }] };

export interface Flow {
  readonly from: string;
  readonly to: string;
  readonly sourcePort: number;
  readonly targetPort: number;
}

type Packet = readonly [protocol: number, payload: Uint8Array];

export const udp = ({ from, to, sourcePort, targetPort }: Flow, data = bytes(9)): Packet => [
  17,
  encodeUdp4(ip(from), ip(to), { sourcePort, targetPort, data }),
];

const FLAGS = { S: TCP_SYN, A: TCP_ACK, F: TCP_FIN, R: TCP_RST } as const;

/** @param flags letters: `SA` is SYN and ACK. */
export function tcp({ from, to, sourcePort, targetPort }: Flow, flags: string): Packet {
  const bits = [...flags].reduce((sum, letter) => sum | FLAGS[letter as keyof typeof FLAGS], 0);
  const ends = { sourcePort, targetPort, sequence: 1, acknowledgement: 1, window: 99, options: NOTHING };
  return [6, encodeTcp4(ip(from), ip(to), { ...ends, flags: bits, data: bytes(5) })];
}

export const echo = (id: number, isReply = false): Packet => {
  const message = encodeEcho(id, 7, bytes(11));
  if (!isReply) return [1, message];
  message[0] = 0;
  message[2]! += 8;
  return [1, message];
};

/** Sends a packet and runs the lab. @returns what the other probe received. */
export function pass(
  bed: Bed,
  from: Probe,
  to: Probe,
  fields: Partial<Ipv4Fields> & Pick<Flow, "to">,
  [protocol, payload]: Packet,
): Packet4[] {
  const before = to.packets4.length;
  from.send4(ROUTER_MAC + (from === bed.a ? 0 : 1), { ...fields, target: ip(fields.to), protocol }, payload);
  bed.bench.run();
  return to.packets4.slice(before);
}

/** From A to B. */
export const out = (bed: Bed, flow: Flow, packet: Packet, fields: Partial<Ipv4Fields> = {}): string[] =>
  pass(bed, bed.a, bed.b, { ...fields, source: ip(flow.from), to: flow.to }, packet).map(describePacket);

/** From B to A. */
export const back = (bed: Bed, flow: Flow, packet: Packet, fields: Partial<Ipv4Fields> = {}): string[] =>
  pass(bed, bed.b, bed.a, { ...fields, source: ip(flow.from), to: flow.to }, packet).map(describePacket);

export const turned = ({ from, to, sourcePort, targetPort }: Flow): Flow => ({
  from: to,
  to: from,
  sourcePort: targetPort,
  targetPort: sourcePort,
});

/** The ends of a packet; `damaged` for a wrong checksum. */
export function describePacket({ header, frame, payload }: Packet4): string {
  const isWhole = !header.moreFragments && header.fragmentOffset === 0;
  const isIntact = isHeaderIntact4(frame, 14, header) && (!isWhole || isPayloadIntact4(frame, 14, header));
  const [source, target] = [formatIpv4(header.source), formatIpv4(header.target)];
  const suffix = isIntact ? "" : " damaged";
  if (header.fragmentOffset > 0) return `fragment ${source} > ${target}${suffix}`;
  if (header.protocol === 1 && [0, 8].includes(payload[0]!))
    return `echo ${source} > ${target} id ${echoId(payload)}${suffix}`;
  if (header.protocol === 1)
    return `icmp ${payload[0]}/${payload[1]} ${source} > ${target}${suffix} [${describeQuote(payload.subarray(8))}]`;
  if (header.protocol !== 6 && header.protocol !== 17)
    return `${header.protocol} ${source} > ${target}${suffix}`;
  const [sourcePort, targetPort] = [readU16(payload, 0), readU16(payload, 2)];
  return `${header.protocol === 6 ? "tcp" : "udp"} ${source}:${sourcePort} > ${target}:${targetPort}${suffix}`;
}

/** The packet that an error quotes, whole. */
function describeQuote(quote: Uint8Array): string {
  const frame = Uint8Array.of(...new Uint8Array(14), ...quote);
  const header = decodeIpv4(frame, 14);
  if (header === null) return "not whole";
  return describePacket({ header, frame, payload: frame.subarray(14 + header.headerBytes) });
}

/** An ICMP error about a packet. */
export const error = (flow: Flow, [protocol, payload]: readonly [number, Uint8Array], type = 3, code = 1) => {
  const [packet] = encodeIpv4({ source: ip(flow.from), target: ip(flow.to), protocol, id: 5 }, payload);
  return [1, encodeIcmp(type, code, 0, packet!)] as const;
};
