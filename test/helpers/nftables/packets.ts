/** Packets of the hosts. */
import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIcmp } from "@wirelab/engine/wire/icmp";
import { encodeIpv4, type Ipv4Fields } from "@wirelab/engine/wire/ipv4";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import { encodeTcp4 } from "../../../packages/engine/wire/tcp.ts";
import { HOST_MACS, ROUTER_MACS } from "./network.ts";

export interface Ends {
  readonly source: number;
  readonly target: number;
  readonly sourcePort: number;
  readonly targetPort: number;
}

export type Upper = readonly [protocol: number, payload: Uint8Array];

const data = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, index) => index * 7);

export function tcp({ source, target, sourcePort, targetPort }: Ends, flags: number, size: number): Upper {
  const ends = {
    sourcePort,
    targetPort,
    sequence: 1_000,
    acknowledgement: 2_000,
    window: 4_096,
    options: data(0),
  };
  return [6, encodeTcp4(source, target, { ...ends, flags, data: data(size) })];
}

export const udp = ({ source, target, sourcePort, targetPort }: Ends, size: number): Upper => [
  17,
  encodeUdp4(source, target, { sourcePort, targetPort, data: data(size) }),
];

export const icmp = (type: number, code: number, size: number, rest = 0): Upper => [
  1,
  encodeIcmp(type, code, rest, data(size)),
];

/** A frame to the router. @param side where it enters. */
export function frameOf(side: number, fields: Ipv4Fields, payload: Uint8Array): Uint8Array {
  const [packet] = encodeIpv4(fields, payload);
  return encodeEthernet(ROUTER_MACS[side]!, HOST_MACS[side]!, 0x0800, packet!);
}
