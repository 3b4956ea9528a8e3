/**
 * LLDP data units (IEEE 802.1AB-2009, clause 8): a list of TLVs, each with seven bits of type and nine of length.
 *
 *     chassis id, port id, time to live, then optional ones in any order, then end
 */
import { concatBytes, readU16 } from "../base/bytes.ts";
import { formatIpv4 } from "./ipv4-address.ts";
import { formatIpv6, readIpv6 } from "./ipv6-address.ts";
import { formatMac, readMac, writeMac } from "./mac.ts";
import { bytesText, type Field, lacks, type Names, type Place, type Protocol } from "./protocol.ts";
import { hexOf, withName } from "./show.ts";

export const ETHERTYPE_LLDP = 0x88cc;
/** The nearest bridge (table 7-1). */
export const LLDP_MAC = 0x0180_c200_000e;

export const LLDP_TLV = {
  end: 0,
  chassis: 1,
  port: 2,
  ttl: 3,
  portDescription: 4,
  systemName: 5,
  systemDescription: 6,
  capabilities: 7,
} as const;

/** Bits of the capabilities TLV (table 8-4), from the least significant. */
export const LLDP_CAPABILITIES = [
  "other",
  "repeater",
  "bridge",
  "wlan-access-point",
  "router",
  "telephone",
  "docsis",
  "station",
] as const;
export const CAPABILITY_BRIDGE = 1 << 2;

/** How a chassis or a port is identified, and the identifier as text. */
export interface LldpId {
  readonly kind: string;
  readonly id: string;
}

export interface Lldpdu {
  readonly chassis: LldpId;
  readonly port: LldpId;
  /** Seconds; 0 withdraws the sender's information. */
  readonly ttl: number;
  readonly portDescription?: string;
  readonly systemName?: string;
  readonly systemDescription?: string;
  /** Bits of `LLDP_CAPABILITIES`. */
  readonly capabilities?: { readonly has: number; readonly uses: number };
}

export interface Tlv {
  readonly type: number;
  /** Offset of the TLV's header. */
  readonly at: number;
  readonly value: Uint8Array;
}

const CHASSIS_KINDS = ["", "component", "alias", "port", "mac", "network", "name", "local"];
const PORT_KINDS = ["", "alias", "component", "mac", "network", "name", "circuit", "local"];

/** Returns the TLVs up to the end TLV; undefined if one has more bytes than are there. */
export function splitTlvs(bytes: Uint8Array, start: number, end: number): Tlv[] | undefined {
  const tlvs: Tlv[] = [];
  for (let at = start; at < end; ) {
    if (at + 2 > end) return undefined;
    const header = readU16(bytes, at);
    const next = at + 2 + (header & 0x1ff);
    if (next > end) return undefined;
    const type = header >> 9;
    tlvs.push({ type, at, value: bytes.subarray(at + 2, next) });
    if (type === LLDP_TLV.end) break;
    at = next;
  }
  return tlvs;
}

/** Returns undefined unless the three mandatory TLVs come first, each once, in their order (9.2.7.7.1). */
export function decodeLldp(bytes: Uint8Array, start: number): Lldpdu | undefined {
  const tlvs = splitTlvs(bytes, start, bytes.length);
  const [first, second, third] = tlvs ?? [];
  if (first?.type !== LLDP_TLV.chassis || second?.type !== LLDP_TLV.port || third?.type !== LLDP_TLV.ttl)
    return undefined;
  if (first.value.length < 2 || second.value.length < 2 || third.value.length < 2) return undefined;
  const rest = tlvs!.slice(3);
  if (rest.some(({ type }) => type >= LLDP_TLV.chassis && type <= LLDP_TLV.ttl)) return undefined;
  const textOf = (type: number): string | undefined => {
    const tlv = rest.find((each) => each.type === type);
    return tlv && new TextDecoder().decode(tlv.value);
  };
  const portDescription = textOf(LLDP_TLV.portDescription);
  const systemName = textOf(LLDP_TLV.systemName);
  const systemDescription = textOf(LLDP_TLV.systemDescription);
  const capable = rest.find(({ type, value }) => type === LLDP_TLV.capabilities && value.length >= 4)?.value;
  return {
    chassis: readChassisId(first.value),
    port: readPortId(second.value),
    ttl: readU16(third.value, 0),
    ...(portDescription !== undefined && { portDescription }),
    ...(systemName !== undefined && { systemName }),
    ...(systemDescription !== undefined && { systemDescription }),
    ...(capable && { capabilities: { has: readU16(capable, 0), uses: readU16(capable, 2) } }),
  };
}

export const readChassisId = (value: Uint8Array): LldpId => readId(value, CHASSIS_KINDS);
export const readPortId = (value: Uint8Array): LldpId => readId(value, PORT_KINDS);

function readId(value: Uint8Array, kinds: readonly string[]): LldpId {
  const kind = kinds[value[0]!] || `kind ${value[0]}`;
  const bytes = value.subarray(1);
  if (kind === "mac" && bytes.length === 6) return { kind, id: formatMac(readMac(bytes, 0)) };
  if (kind === "network") return { kind, id: formatNetworkAddress(bytes) };
  return { kind, id: isPrintable(bytes) ? new TextDecoder().decode(bytes) : hexOf(bytes) };
}

/** An address family (IANA: 1 is IPv4, 2 is IPv6), then the address. */
function formatNetworkAddress(bytes: Uint8Array): string {
  const address = bytes.subarray(1);
  if (bytes[0] === 1 && address.length === 4)
    return formatIpv4(readU16(address, 0) * 0x1_0000 + readU16(address, 2));
  if (bytes[0] === 2 && address.length === 16) return formatIpv6(readIpv6(address, 0));
  return hexOf(bytes);
}

const isPrintable = (bytes: Uint8Array): boolean => bytes.every((byte) => byte >= 0x20 && byte < 0x7f);

export const capabilityNames = (bits: number): string[] =>
  LLDP_CAPABILITIES.filter((_, bit) => bits & (1 << bit));

/** What a bridge announces; its chassis is its address, and its port is named. */
export interface BridgeAnnouncement {
  readonly mac: number;
  readonly portName: string;
  readonly ttl: number;
  readonly portDescription: string;
  readonly systemName: string;
}

const ID_MAC = 4;
const ID_NAME = 5;
const MAX_TEXT_BYTES = 255;
const MIN_FRAME_BYTES = 60;

/** @param source the address of the port that sends. @returns a frame. */
export function encodeLldp(
  { mac, portName, ttl, portDescription, systemName }: BridgeAnnouncement,
  source: number,
): Uint8Array {
  const header = new Uint8Array(14);
  writeMac(header, 0, LLDP_MAC);
  writeMac(header, 6, source);
  header.set([ETHERTYPE_LLDP >> 8, ETHERTYPE_LLDP & 0xff], 12);
  const chassis = new Uint8Array(7);
  chassis[0] = ID_MAC;
  writeMac(chassis, 1, mac);
  const frame = concatBytes(
    header,
    tlv(LLDP_TLV.chassis, chassis),
    tlv(LLDP_TLV.port, concatBytes(Uint8Array.of(ID_NAME), text(portName))),
    tlv(LLDP_TLV.ttl, u16(ttl)),
    tlv(LLDP_TLV.portDescription, text(portDescription)),
    tlv(LLDP_TLV.systemName, text(systemName)),
    tlv(LLDP_TLV.capabilities, concatBytes(u16(CAPABILITY_BRIDGE), u16(CAPABILITY_BRIDGE))),
    tlv(LLDP_TLV.end, new Uint8Array(0)),
  );
  return frame.length >= MIN_FRAME_BYTES
    ? frame
    : concatBytes(frame, new Uint8Array(MIN_FRAME_BYTES - frame.length));
}

const u16 = (value: number): Uint8Array => Uint8Array.of(value >> 8, value & 0xff);
const text = (value: string): Uint8Array => new TextEncoder().encode(value).subarray(0, MAX_TEXT_BYTES);
const tlv = (type: number, value: Uint8Array): Uint8Array =>
  concatBytes(u16((type << 9) | value.length), value);

const LABELS = (): Names => ({
  [LLDP_TLV.end]: "End",
  [LLDP_TLV.chassis]: "Chassis",
  [LLDP_TLV.port]: "Port",
  [LLDP_TLV.ttl]: "Time to live",
  [LLDP_TLV.portDescription]: "Port description",
  [LLDP_TLV.systemName]: "System name",
  [LLDP_TLV.systemDescription]: "System description",
  [LLDP_TLV.capabilities]: "Capabilities",
  8: "Management address",
  127: "Organization",
});
/** The three mandatory TLVs with one byte of identifiers each. */
const SMALLEST_BYTES = 12;

const decodeAt = ({ bytes, at, end }: Place): Lldpdu | undefined => decodeLldp(bytes.subarray(0, end), at);
const tlvsAt = ({ bytes, at, end }: Place): Tlv[] => splitTlvs(bytes, at, end) ?? [];

const endOf = (place: Place): number => {
  const last = tlvsAt(place).at(-1);
  return last === undefined ? place.end : last.at + 2 + last.value.length;
};

export const LLDP: Protocol = {
  name: "LLDP",
  length: (place) => endOf(place) - place.at,
  check: (place) =>
    lacks(place, SMALLEST_BYTES, "LLDP") ??
    (decodeAt(place) === undefined && !place.isCut
      ? { text: "chassis, port and time to live do not begin the TLVs, or one does not end" }
      : endOf(place)),
  list: (place) =>
    tlvsAt(place).map(
      (tlv): Field => ({
        label: LABELS()[tlv.type] ?? `TLV ${tlv.type}`,
        value: shown(tlv),
        at: tlv.at,
        length: 2 + tlv.value.length,
      }),
    ),
  line: (place) => {
    const pdu = decodeAt(place);
    if (pdu === undefined) return bytesText(Math.max(0, place.end - place.at));
    const { chassis, port, ttl, systemName } = pdu;
    return `${chassis.id} port ${port.id} TTL=${ttl}${systemName ? ` ${systemName}` : ""}`;
  },
};

function shown({ type, value }: Tlv): string {
  switch (type) {
    case LLDP_TLV.chassis:
    case LLDP_TLV.port: {
      if (value.length < 2) break;
      const { kind, id } = type === LLDP_TLV.chassis ? readChassisId(value) : readPortId(value);
      return withName(id, kind);
    }
    case LLDP_TLV.ttl:
      if (value.length >= 2) return `${readU16(value, 0)} s`;
      break;
    case LLDP_TLV.portDescription:
    case LLDP_TLV.systemName:
    case LLDP_TLV.systemDescription:
      return new TextDecoder().decode(value);
    case LLDP_TLV.capabilities:
      if (value.length >= 4)
        return withName(
          capabilityNames(readU16(value, 0)).join(", "),
          `on: ${capabilityNames(readU16(value, 2)).join(", ")}`,
        );
      break;
  }
  return bytesText(value.length);
}
