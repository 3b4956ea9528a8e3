/**
 * Describes a packet in one line for people: protocol, source, target and content.
 *
 * It describes any bytes and never throws: data that the capture cut off are reported as truncated, data that are short or
 * wrong by themselves as malformed. It keeps no state between packets: no streams, no reassembly of fragments.
 */
import type { DataLinkTypeName } from "../pcap/index.ts";
import { bytesText, type Place, type Seen } from "./protocol.ts";
import { protocolOf } from "./protocols.ts";
import { type Step, walk } from "./walk.ts";

export interface DecodedPacket {
  /** Bytes on the wire, and bytes captured. */
  readonly length: number;
  readonly captured_length: number;
  /** Addresses of the network layer if there is one, else MACs. */
  readonly source: string | null;
  readonly target: string | null;
  readonly source_mac: string | null;
  readonly target_mac: string | null;
  /** The outermost 802.1Q id. */
  readonly vlan: number | null;
  /** The highest protocol recognised. */
  readonly protocol: string;
  readonly source_port: number | null;
  readonly target_port: number | null;
  readonly info: string;
}

export function decodePacket(
  data: Uint8Array,
  originalLength: number,
  linkType: DataLinkTypeName,
): DecodedPacket {
  const isCut = originalLength > data.length;
  const seen: Seen = {
    protocol: "unknown",
    source: null,
    target: null,
    sourceMac: null,
    targetMac: null,
    vlan: null,
    sourcePort: null,
    targetPort: null,
    info: "",
    nameOf: (table, number) => protocolOf(table, number)?.name,
  };
  for (const step of walk(data, isCut, linkType)) {
    describe(step, seen);
    if (step.next?.isInside === true) break;
  }
  return {
    length: originalLength,
    captured_length: data.length,
    source: seen.source ?? seen.sourceMac,
    target: seen.target ?? seen.targetMac,
    source_mac: seen.sourceMac,
    target_mac: seen.targetMac,
    vlan: seen.vlan,
    protocol: seen.protocol,
    source_port: seen.sourcePort,
    target_port: seen.targetPort,
    info: isCut ? `${seen.info} [truncated]` : seen.info,
  };
}

/** Why a packet's last layer could not be read although its line does not say so: its port or its version promises another content. */
export function unreadOf(data: Uint8Array, linkType: DataLinkTypeName): string | undefined {
  for (const { protocol, fault, next } of walk(data, false, linkType)) {
    if (fault !== undefined && (protocol?.isGuess === true || fault.isOther === true)) return fault.text;
    if (next?.isInside === true) return undefined;
  }
  return undefined;
}

function describe({ protocol, place, isNoted, fault, from }: Step, seen: Seen): void {
  if (protocol === undefined) {
    if (from?.unknown !== undefined) seen.info = `${from.unknown}, ${sizeOf(place)}`;
    return;
  }
  if (protocol.isGuess === true && (fault !== undefined || protocol.line === undefined)) return;
  if (protocol.isPart !== true) seen.protocol = protocol.name;
  if (isNoted) protocol.note?.(place, seen);
  if (protocol.isSized === true || fault?.isOther === true) seen.info = sizeOf(place);
  else if (fault !== undefined) seen.info = fault.isCut === true ? fault.text : `malformed: ${fault.text}`;
  else seen.info = protocol.line?.(place, seen) ?? seen.info;
}

function sizeOf({ at, end, ip }: Place): string {
  if (ip === undefined) return bytesText(Math.max(0, end - at));
  return `${bytesText(Math.max(0, ip.payloadBytes))} ttl=${ip.ttl}`;
}
