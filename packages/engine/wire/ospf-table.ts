/** OSPF version 2 as a table: the fields of its packets and of the LSAs in them, and the line of a packet. */
import { readU16, readU32 } from "../base/bytes.ts";
import { formatIpv4, prefixLengthOf } from "./ipv4-address.ts";
import {
  AUTHENTICATION,
  digestBytes,
  OSPF,
  OSPF_HEADER_BYTES,
  OSPF_VERSION,
  readAcknowledgment,
  readDescription,
  readHello,
  readOspfHeader,
  readRequest,
} from "./ospf.ts";
import { LSA, LSA_HEADER_BYTES } from "./ospf-lsa.ts";
import { bytesText, type Field, lacks, type Names, type Place, type Protocol, type Row } from "./protocol.ts";
import {
  dec8,
  dec16,
  dec24,
  dec32,
  flagNames,
  hex16,
  hex32,
  hexOf,
  ipv4,
  printable,
  rowsAt,
  seconds,
} from "./show.ts";

const TYPES: Names = {
  [OSPF.hello]: "hello",
  [OSPF.description]: "database description",
  [OSPF.request]: "link state request",
  [OSPF.update]: "link state update",
  [OSPF.acknowledgment]: "link state acknowledgment",
};
const LSA_TYPES: Names = {
  [LSA.router]: "router",
  [LSA.network]: "network",
  [LSA.summaryNetwork]: "summary",
  [LSA.summaryRouter]: "boundary router",
  [LSA.external]: "external",
  [LSA.nssa]: "NSSA external",
  [LSA.opaqueLink]: "opaque of a link",
  [LSA.opaqueArea]: "opaque of an area",
  [LSA.opaqueSystem]: "opaque",
};
const LINK_TYPES: Names = { 1: "point-to-point", 2: "transit", 3: "stub", 4: "virtual" };
const AUTHENTICATION_TYPES: Names = { 0: "none", 1: "password", 2: "digest" };

const options = (bytes: Uint8Array, at: number): string =>
  flagNames(bytes[at]!, [
    [0x02, "external routes"],
    [0x04, "multicast"],
    [0x08, "NSSA"],
    [0x10, "link-local signaling"],
    [0x20, "demand circuits"],
    [0x40, "opaque"],
    [0x80, "DN"],
  ]);
const secondsOf2 = (bytes: Uint8Array, at: number): string => `${readU16(bytes, at)} s`;
const age = (bytes: Uint8Array, at: number): string =>
  `${readU16(bytes, at) & 0x7fff} s${bytes[at]! & 0x80 ? " (does not age)" : ""}`;
const descriptionFlags = (bytes: Uint8Array, at: number): string =>
  flagNames(bytes[at]!, [
    [4, "init"],
    [2, "more"],
    [1, "master"],
    [8, "out of band"],
  ]);
const routerFlags = (bytes: Uint8Array, at: number): string =>
  flagNames(bytes[at]!, [
    [1, "area border"],
    [2, "boundary"],
    [4, "virtual link"],
    [16, "translates"],
  ]);
const isType2 = (bytes: Uint8Array, at: number): string => (bytes[at]! & 0x80 ? "2" : "1");

const HEADER: readonly Row[] = [
  ["Version", 0, 1, dec8],
  ["Type", 1, 1, dec8, TYPES],
  ["Length", 2, 2, dec16],
  ["Router", 4, 4, ipv4],
  ["Area", 8, 4, ipv4],
  ["Checksum", 12, 2, hex16],
  ["Authentication type", 14, 2, dec16, AUTHENTICATION_TYPES],
];
const FIELD_OF: Readonly<Record<number, readonly Row[]>> = {
  [AUTHENTICATION.none]: [["Authentication", 16, 8, (bytes, at) => hexOf(bytes.subarray(at, at + 8))]],
  [AUTHENTICATION.password]: [
    ["Password", 16, 8, (bytes, at) => printable(bytes.subarray(at, at + 8).filter((byte) => byte !== 0))],
  ],
  [AUTHENTICATION.digest]: [
    ["Key", 18, 1, dec8],
    ["Digest length", 19, 1, dec8],
    ["Sequence number", 20, 4, dec32],
  ],
};

const HELLO: readonly Row[] = [
  ["Mask", 0, 4, ipv4],
  ["Hello interval", 4, 2, secondsOf2],
  ["Options", 6, 1, options],
  ["Priority", 7, 1, dec8],
  ["Dead interval", 8, 4, seconds],
  ["Designated router", 12, 4, ipv4],
  ["Backup designated router", 16, 4, ipv4],
];
const DESCRIPTION: readonly Row[] = [
  ["MTU", 0, 2, dec16],
  ["Options", 2, 1, options],
  ["Flags", 3, 1, descriptionFlags],
  ["Sequence number", 4, 4, dec32],
];
const REQUEST: readonly Row[] = [
  ["LSA type", 0, 4, dec32, LSA_TYPES],
  ["Link state id", 4, 4, ipv4],
  ["Advertising router", 8, 4, ipv4],
];
const LSA_HEADER: readonly Row[] = [
  ["Age", 0, 2, age],
  ["LSA options", 2, 1, options],
  ["LSA type", 3, 1, dec8, LSA_TYPES],
  ["Link state id", 4, 4, ipv4],
  ["Advertising router", 8, 4, ipv4],
  ["LSA sequence number", 12, 4, hex32],
  ["LSA checksum", 16, 2, hex16],
  ["LSA length", 18, 2, dec16],
];
const ROUTER: readonly Row[] = [
  ["Router flags", 20, 1, routerFlags],
  ["Links", 22, 2, dec16],
];
const ROUTER_LINK: readonly Row[] = [
  ["Link id", 0, 4, ipv4],
  ["Link data", 4, 4, ipv4],
  ["Link type", 8, 1, dec8, LINK_TYPES],
  ["Metrics by service", 9, 1, dec8],
  ["Metric", 10, 2, dec16],
];
const NETWORK_MASK: Row = ["Mask", 20, 4, ipv4];
const SUMMARY: readonly Row[] = [NETWORK_MASK, ["Metric", 25, 3, dec24]];
const EXTERNAL: readonly Row[] = [
  NETWORK_MASK,
  ["Metric type", 24, 1, isType2],
  ["Metric", 25, 3, dec24],
  ["Forwarding address", 28, 4, ipv4],
  ["Route tag", 32, 4, dec32],
];

function* repeated(place: Place, start: number, bytes: number, rows: readonly Row[]): Generator<Field> {
  for (let at = start; at + bytes <= place.end; at += bytes) yield* rowsAt(place, at, rows);
}

function lsaFields(place: Place, at: number): Field[] {
  const { bytes } = place;
  const end = Math.min(place.end, at + readU16(bytes, at + 18));
  const own = { ...place, end };
  const fields = rowsAt(own, at, LSA_HEADER);
  switch (bytes[at + 3]) {
    case LSA.router:
      return [...fields, ...rowsAt(own, at, ROUTER), ...routerLinks(own, at + LSA_HEADER_BYTES + 4)];
    case LSA.network:
      return [
        ...fields,
        ...rowsAt(own, at, [NETWORK_MASK]),
        ...repeated(own, at + LSA_HEADER_BYTES + 4, 4, [["Attached router", 0, 4, ipv4]]),
      ];
    case LSA.summaryNetwork:
    case LSA.summaryRouter:
      return [...fields, ...rowsAt(own, at, SUMMARY)];
    case LSA.external:
    case LSA.nssa:
      return [...fields, ...rowsAt(own, at, EXTERNAL)];
    default:
      return end > at + LSA_HEADER_BYTES
        ? [
            ...fields,
            ...rowsAt(own, at, [
              [
                "Data",
                LSA_HEADER_BYTES,
                end - at - LSA_HEADER_BYTES,
                (data, start) => bytesText(data.subarray(start, end).length),
              ],
            ]),
          ]
        : fields;
  }
}

function routerLinks(place: Place, start: number): Field[] {
  const fields: Field[] = [];
  for (let at = start; at + 12 <= place.end; at += 12 + 4 * place.bytes[at + 9]!)
    fields.push(...rowsAt(place, at, ROUTER_LINK));
  return fields;
}

function updateFields(place: Place, body: number): Field[] {
  const fields = rowsAt(place, body, [["LSAs", 0, 4, dec32]]);
  let at = body + 4;
  while (at + LSA_HEADER_BYTES <= place.end) {
    fields.push(...lsaFields(place, at));
    at += Math.max(LSA_HEADER_BYTES, readU16(place.bytes, at + 18));
  }
  return fields;
}

function bodyFields(place: Place, type: number): Field[] {
  const body = place.at + OSPF_HEADER_BYTES;
  switch (type) {
    case OSPF.hello:
      return [...rowsAt(place, body, HELLO), ...repeated(place, body + 20, 4, [["Neighbour", 0, 4, ipv4]])];
    case OSPF.description:
      return [
        ...rowsAt(place, body, DESCRIPTION),
        ...repeated(place, body + 8, LSA_HEADER_BYTES, LSA_HEADER),
      ];
    case OSPF.request:
      return [...repeated(place, body, 12, REQUEST)];
    case OSPF.update:
      return updateFields(place, body);
    case OSPF.acknowledgment:
      return [...repeated(place, body, LSA_HEADER_BYTES, LSA_HEADER)];
    default:
      return [];
  }
}

const packetAt = ({ bytes, at, end }: Place): Uint8Array => bytes.subarray(at, end);

export const OSPF_V2: Protocol = {
  name: "OSPF",
  least: [OSPF_HEADER_BYTES, "OSPF header"],
  length: ({ at, end }) => end - at,
  check: (place) => {
    const packet = packetAt(place);
    if (packet[0] !== OSPF_VERSION) return { text: `OSPF version ${packet[0]}`, isOther: true };
    const length = readU16(packet, 2);
    if (length < OSPF_HEADER_BYTES) return { text: `OSPF length ${length}` };
    return lacks(place, length + digestBytes(packet), "OSPF");
  },
  layout: ({ bytes, at }) => [...HEADER, ...(FIELD_OF[readU16(bytes, at + 14)] ?? [])],
  list: (place) => {
    const packet = packetAt(place);
    const length = Math.min(packet.length, readU16(packet, 2));
    const end = place.at + length;
    const size = digestBytes(packet);
    return [
      ...bodyFields({ ...place, end }, packet[1]!),
      ...rowsAt(
        place,
        end,
        size === 0 ? [] : [["Digest", 0, size, (bytes, at) => hexOf(bytes.subarray(at, at + size))]],
      ),
    ];
  },
  line: (place) => lineOf(packetAt(place)),
};

function lineOf(packet: Uint8Array): string {
  const header = readOspfHeader(packet);
  if (header === null) return "";
  const { type, length, routerId, areaId } = header;
  const name = TYPES[type] ?? `type ${type}`;
  const of = `${name.charAt(0).toUpperCase()}${name.slice(1)} of ${formatIpv4(routerId)} in area ${formatIpv4(areaId)}`;
  const details = detailsOf(packet, type, length);
  return details === null ? `${of}, malformed` : `${of}${details}`;
}

function detailsOf(packet: Uint8Array, type: number, length: number): string | null {
  switch (type) {
    case OSPF.hello: {
      const hello = readHello(packet, length);
      if (hello === null) return null;
      const { designated, backup, neighbours, mask } = hello;
      const prefix = prefixLengthOf(mask) ?? formatIpv4(mask);
      const hears = neighbours.length === 0 ? "" : `, hears ${neighbours.map(formatIpv4).join(" ")}`;
      return ` mask=/${prefix} dr=${formatIpv4(designated)} bdr=${formatIpv4(backup)}${hears}`;
    }
    case OSPF.description: {
      const description = readDescription(packet, length);
      if (description === null) return null;
      const flags = flagNames(description.flags, [
        [4, "init"],
        [2, "more"],
        [1, "master"],
      ]);
      return ` seq=${description.sequence} flags=${flags.replaceAll(", ", "+")}, ${countOf(description.headers.length)}`;
    }
    case OSPF.request: {
      const names = readRequest(packet, length);
      return names && `, ${countOf(names.length)}`;
    }
    case OSPF.update:
      return length < OSPF_HEADER_BYTES + 4 ? null : `, ${countOf(readU32(packet, OSPF_HEADER_BYTES))}`;
    case OSPF.acknowledgment: {
      const headers = readAcknowledgment(packet, length);
      return headers && `, ${countOf(headers.length)}`;
    }
    default:
      return "";
  }
}

const countOf = (count: number): string => (count === 1 ? "1 LSA" : `${count} LSAs`);
