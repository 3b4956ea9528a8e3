/**
 * The link types that filters compile for, with the offsets of their type field and payload.
 * Source: the LINKTYPE_ registry (https://www.tcpdump.org/linktypes.html); offsets as libpcap 1.10 uses them.
 */

/**
 * The link types a caller may compile for. DLT_PPP also follows a PPPoE session header. "unknown" is any other link type:
 * its filters can test bytes and lengths, not protocols.
 */
export type LinkType =
  | "DLT_EN10MB"
  | "DLT_C_HDLC"
  | "DLT_PPP_SERIAL"
  | "DLT_FRELAY"
  | "DLT_ATM_RFC1483"
  | "DLT_PPP"
  | "DLT_NULL"
  | "DLT_LOOP"
  | "DLT_RAW"
  | "DLT_IPV4"
  | "DLT_IPV6"
  | "DLT_LINUX_SLL"
  | "DLT_LINUX_SLL2"
  | OpaqueLinkType;

/** Link types whose frames filters do not look into: `ether[...]` begins behind the header that a capture program has put before the frame. */
export type OpaqueLinkType =
  | "DLT_IEEE802_11_RADIO"
  | "DLT_IEEE802_11_RADIO_AVS"
  | "DLT_PRISM_HEADER"
  | "DLT_PPI"
  | "DLT_NETANALYZER"
  | "DLT_NETANALYZER_TRANSPARENT"
  | "unknown";

/** There is no such field: Frame Relay has none at a fixed offset, raw IP has none. Arithmetic on it wraps, as in libpcap. */
export const OFFSET_NOT_SET = 0xffffffff;

export type LinkLayout = {
  readonly name: string;
  /** Bytes before the link header, as far as they are the same in each packet. */
  readonly linkOffset?: number;
  /** Whether a header whose length is in the packet comes before the link header. */
  readonly hasPrefix?: boolean;
  /** Bytes from the start of the frame to its protocol type (for LLC links: to the LLC header). */
  readonly typeOffset: number;
  /** Bytes from the start of the frame to the end of the link header. */
  readonly payloadOffset: number;
  /** Bytes from the payload to the network header, with the usual encapsulation (Ethernet II, or LLC + SNAP). */
  readonly networkOffset: number;
  /** The same when a bare 802.2 LLC header precedes the network header. */
  readonly networkOffsetNoSnap: number;
};

export const LINK_LAYOUTS: Readonly<Record<LinkType, LinkLayout>> = {
  DLT_EN10MB: layout("Ethernet", 12, 14, 0, 3),
  DLT_C_HDLC: layout("Cisco HDLC", 2, 4, 0, 0),
  DLT_PPP_SERIAL: layout("PPP over serial", 2, 4, 0, 0),
  DLT_FRELAY: layout("Frame Relay", OFFSET_NOT_SET, 0, 0, 0),
  DLT_ATM_RFC1483: layout("RFC 1483 LLC-encapsulated ATM", 0, 0, 8, 3),
  DLT_PPP: layout("PPP", 2, 4, 0, 0),
  DLT_NULL: layout("BSD loopback", 0, 4, 0, 0),
  DLT_LOOP: layout("OpenBSD loopback", 0, 4, 0, 0),
  DLT_RAW: layout("raw IP", OFFSET_NOT_SET, 0, 0, 0),
  DLT_IPV4: layout("raw IPv4", OFFSET_NOT_SET, 0, 0, 0),
  DLT_IPV6: layout("raw IPv6", OFFSET_NOT_SET, 0, 0, 0),
  DLT_LINUX_SLL: layout("Linux cooked capture", 14, 16, 0, 0),
  DLT_LINUX_SLL2: layout("Linux cooked capture v2", 0, 20, 0, 0),
  DLT_IEEE802_11_RADIO: { ...opaque("802.11 with radiotap"), hasPrefix: true },
  DLT_IEEE802_11_RADIO_AVS: { ...opaque("802.11 with AVS"), hasPrefix: true },
  DLT_PRISM_HEADER: { ...opaque("802.11 with Prism"), hasPrefix: true },
  DLT_PPI: { ...opaque("per-packet information"), hasPrefix: true },
  DLT_NETANALYZER: { ...opaque("netANALYZER"), linkOffset: 4 },
  DLT_NETANALYZER_TRANSPARENT: { ...opaque("netANALYZER, transparent"), linkOffset: 12 },
  unknown: layout("this link type", OFFSET_NOT_SET, OFFSET_NOT_SET, 0, 0),
};

function layout(
  name: string,
  typeOffset: number,
  payloadOffset: number,
  networkOffset: number,
  networkOffsetNoSnap: number,
): LinkLayout {
  return { name, typeOffset, payloadOffset, networkOffset, networkOffsetNoSnap };
}

function opaque(name: string): LinkLayout {
  return layout(name, OFFSET_NOT_SET, OFFSET_NOT_SET, 0, 0);
}

export function isLinkType(name: string): name is LinkType {
  return Object.hasOwn(LINK_LAYOUTS, name);
}
