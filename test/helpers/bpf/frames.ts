/**
 * Frames of every protocol of the filter language, built by hand so that each byte is where its standard puts it, and the same
 * frames truncated at every place that a filter might read.
 */
import type { CapturedPacket, LINKTYPES } from "./pcap.ts";

type Bytes = readonly number[];

const u16 = (value: number): Bytes => [(value >> 8) & 0xff, value & 0xff];
const u32 = (value: number): Bytes => [...u16(value >>> 16), ...u16(value & 0xffff)];
const zeros = (count: number): Bytes => new Array<number>(count).fill(0);
const mac = (text: string): Bytes => text.split(":").map((byte) => Number.parseInt(byte, 16));
const v4 = (text: string): Bytes => text.split(".").map(Number);

function v6(text: string): Bytes {
  const [head = "", tail] = text.split("::");
  const words = (part: string): string[] => (part === "" ? [] : part.split(":"));
  const left = words(head);
  const right = tail === undefined ? [] : words(tail);
  const middle = new Array<string>(8 - left.length - right.length).fill("0");
  return [...left, ...middle, ...right].flatMap((word) => u16(Number.parseInt(word, 16)));
}

const MAC_A = "00:11:22:33:44:55";
const MAC_B = "66:77:88:99:aa:bb";
const BROADCAST = "ff:ff:ff:ff:ff:ff";
const MULTICAST = "01:00:5e:00:00:fb";

type Ends = { readonly src?: string; readonly dst?: string };

function ethernet(type: number, payload: Bytes, { src = MAC_A, dst = MAC_B }: Ends = {}): Bytes {
  return [...mac(dst), ...mac(src), ...u16(type), ...payload];
}

/** 802.3: the type field holds a length, and an 802.2 header follows. */
function llc(header: Bytes, payload: Bytes = zeros(40)): Bytes {
  return ethernet(header.length + payload.length, [...header, ...payload]);
}

function snap(organization: number, type: number, payload: Bytes): Bytes {
  return llc(
    [0xaa, 0xaa, 3, organization >> 16, (organization >> 8) & 0xff, organization & 0xff, ...u16(type)],
    payload,
  );
}

type Ipv4Options = Ends & { readonly fragment?: number; readonly options?: Bytes };

function ipv4(protocol: number, payload: Bytes, header: Ipv4Options = {}): Bytes {
  const { src = "10.0.0.1", dst = "192.168.1.2", fragment = 0, options = [] } = header;
  const words = 5 + options.length / 4;
  const length = 4 * words + payload.length;
  const fixed = [0x40 | words, 0, ...u16(length), 0x12, 0x34, ...u16(fragment), 64, protocol, 0xab, 0xcd];
  return [...fixed, ...v4(src), ...v4(dst), ...options, ...payload];
}

function ipv6(next: number, payload: Bytes, { src = "fe80::1", dst = "2001:db8::2" }: Ends = {}): Bytes {
  return [0x60, 0, 0, 0, ...u16(payload.length), next, 64, ...v6(src), ...v6(dst), ...payload];
}

function tcp(source: number, destination: number, flags = 0x02, payload: Bytes = zeros(4)): Bytes {
  return [
    ...u16(source),
    ...u16(destination),
    ...u32(0x01020304),
    ...u32(0),
    0x50,
    flags,
    ...zeros(6),
    ...payload,
  ];
}

function udp(source: number, destination: number, payload: Bytes = zeros(12)): Bytes {
  return [...u16(source), ...u16(destination), ...u16(8 + payload.length), 0x11, 0x22, ...payload];
}

function sctp(source: number, destination: number): Bytes {
  return [...u16(source), ...u16(destination), ...u32(0xdeadbeef), ...zeros(20)];
}

const icmp = (type: number, code = 0): Bytes => [type, code, 0, 0, 0, 1, 0, 2, ...zeros(16)];

function arp(operation: number, sender = "10.0.0.1", target = "10.0.0.254"): Bytes {
  const macs = [mac(MAC_A), mac("00:00:00:00:00:00")] as const;
  return [
    0,
    1,
    8,
    0,
    6,
    4,
    ...u16(operation),
    ...macs[0],
    ...v4(sender),
    ...macs[1],
    ...v4(target),
    ...zeros(18),
  ];
}

const IP = 0x0800;
const IP6 = 0x86dd;
const web4 = ipv4(6, tcp(40_000, 80));
const dns4 = ipv4(17, udp(53, 5353));
const web6 = ipv6(6, tcp(443, 50_000, 0x12));

/** A Geneve packet around `inner`, with `options` words of options. */
function geneve(vni: number, type: number, inner: Bytes, options: Bytes = []): Bytes {
  return udp(12_345, 6081, [options.length / 4, 0, ...u16(type), ...u32(vni * 256), ...options, ...inner]);
}

const vxlan = (vni: number, inner: Bytes): Bytes =>
  udp(12_345, 4789, [8, 0, 0, 0, ...u32(vni * 256), ...inner]);
const label = (value: number, bottom: boolean): Bytes => u32(value * 4096 + (bottom ? 0x100 : 0) + 64);
const pppoe = (session: number, protocol: number, payload: Bytes): Bytes => [
  ...[0x11, 0, ...u16(session), ...u16(payload.length + 2), ...u16(protocol)],
  ...payload,
];

const isis = (pdu: number): Bytes => [0x83, 27, 1, 0, pdu, 1, 0, 0, ...zeros(20)];

/** The four DECnet headers that hold addresses, from and to node 1.2. */
function decnet(form: "long" | "padded long" | "short" | "padded short"): Bytes {
  const node = [0x02, 0x04];
  const length = [40, 0];
  const longHeader = [
    0x06,
    0,
    0,
    ...[0xaa, 0, 4, 0],
    ...node,
    0,
    0,
    ...[0xaa, 0, 4, 0],
    ...node,
    ...zeros(6),
  ];
  const shortHeader = [0x02, ...node, ...node, 0, ...zeros(16)];
  const header = form.endsWith("long") ? longHeader : shortHeader;
  return [...length, ...(form.startsWith("padded") ? [0x81] : []), ...header];
}

const ethernetFrames: readonly Bytes[] = [
  ethernet(IP, web4),
  ethernet(IP, ipv4(6, tcp(80, 40_001, 0x10), { src: "192.168.1.2", dst: "10.0.0.1" })),
  ethernet(IP, ipv4(6, tcp(22, 22, 0x18), { src: "172.16.5.5", dst: "172.16.5.6" })),
  ethernet(IP, ipv4(6, tcp(8080, 443, 0x11))),
  ethernet(IP, ipv4(6, tcp(80, 80, 0x04), { options: [7, 7, 4, 0, 0, 0, 0, 0] })),
  ethernet(IP, ipv4(6, tcp(80, 81, 0x3f), { options: zeros(40) })),
  ethernet(IP, ipv4(6, tcp(80, 90), { fragment: 0x2000 })),
  ethernet(IP, ipv4(6, tcp(80, 90), { fragment: 0x2010 })),
  ethernet(IP, ipv4(17, udp(53, 53), { fragment: 0x00b9 })),
  ethernet(IP, dns4),
  ethernet(IP, ipv4(17, udp(68, 67), { src: "0.0.0.0", dst: "255.255.255.255" }), { dst: BROADCAST }),
  ethernet(IP, ipv4(17, udp(5353, 5353), { dst: "224.0.0.251" }), { dst: MULTICAST }),
  ethernet(IP, ipv4(17, udp(123, 123), { src: "127.0.0.1", dst: "127.0.0.1" })),
  ethernet(IP, ipv4(132, sctp(80, 36_412))),
  ...[0, 3, 5, 8, 11, 13, 17].map((type) => ethernet(IP, ipv4(1, icmp(type)))),
  ...[2, 9, 46, 47, 50, 51, 88, 89, 103, 112, 115, 255].map((protocol) =>
    ethernet(IP, ipv4(protocol, zeros(24))),
  ),
  ethernet(IP, ipv4(51, [6, 4, 0, 0, ...zeros(20), ...tcp(80, 80)])),
  ethernet(IP, ipv4(51, [51, 1, 0, 0, ...zeros(8), 17, 1, 0, 0, ...zeros(8), ...udp(1, 2)])),
  ethernet(IP, ipv4(4, web4)),
  ethernet(IP, [0x4f, ...web4.slice(1)]),
  ethernet(IP, [0x40, ...web4.slice(1)]),
  ethernet(IP6, web6),
  ethernet(IP6, ipv6(6, tcp(80, 40_000), { src: "2001:db8::2", dst: "fe80::1" })),
  ethernet(IP6, ipv6(17, udp(53, 53), { dst: "ff02::1" }), { dst: "33:33:00:00:00:01" }),
  ethernet(IP6, ipv6(132, sctp(80, 81), { src: "::1", dst: "::1" })),
  ...[1, 2, 128, 129, 133, 134, 135, 136, 143].map((type) => ethernet(IP6, ipv6(58, icmp(type)))),
  ...[0, 43, 60].map((next) => ethernet(IP6, ipv6(next, [6, 0, ...zeros(6), ...tcp(80, 443)]))),
  ethernet(IP6, ipv6(0, [60, 1, ...zeros(14), 43, 0, ...zeros(6), 17, 0, ...zeros(6), ...udp(53, 80)])),
  ethernet(IP6, ipv6(44, [6, 0, 0, 0, 0, 0, 0, 1, ...tcp(80, 443)])),
  ethernet(IP6, ipv6(44, [58, 0, 0, 1, 0, 0, 0, 1, ...icmp(128)])),
  ethernet(IP6, ipv6(51, [6, 4, 0, 0, ...zeros(20), ...tcp(80, 80)])),
  ...[50, 59, 89, 103, 112].map((next) => ethernet(IP6, ipv6(next, zeros(24)))),
  ethernet(0x0806, arp(1), { dst: BROADCAST }),
  ethernet(0x0806, arp(2, "192.168.1.2", "10.0.0.1")),
  ethernet(0x8035, arp(3)),
  ethernet(0x8035, arp(4, "10.0.0.9", "10.0.0.1")),
  ...[0x0200, 0x0600, 0x6001, 0x6002, 0x6004, 0x6007, 0x809b, 0x80f3, 0x8137, 0x88cc, 0x9000].map((type) =>
    ethernet(type, zeros(46)),
  ),
  ...(["long", "padded long", "short", "padded short"] as const).map((form) =>
    ethernet(0x6003, decnet(form)),
  ),
  llc([0x42, 0x42, 3], [0, 0, 0, 0, 0, ...zeros(35)]),
  llc([0xe0, 0xe0, 3]),
  llc([0xff, 0xff], zeros(40)),
  llc([0xf0, 0xf0, 3]),
  llc([0x06, 0x06, 3], web4),
  ...[0x81, 0x82].map((nlpid) => llc([0xfe, 0xfe, 3], [nlpid, ...zeros(40)])),
  ...[15, 16, 17, 18, 20, 24, 25, 26, 27, 99].map((pdu) => llc([0xfe, 0xfe, 3], isis(pdu))),
  ...[0x00, 0x02, 0x01, 0x05, 0x09, 0x03, 0x13, 0x63, 0x73, 0x43, 0x0f, 0x6f, 0xe3, 0xaf, 0x87].map(
    (control) => llc([0x04, 0x04, control, 0x01]),
  ),
  snap(0, 0x8137, zeros(40)),
  snap(0x080007, 0x809b, zeros(40)),
  snap(0, 0x80f3, zeros(40)),
  snap(0, IP, web4),
  snap(0x00000c, 0x2000, zeros(40)),
  ethernet(1500, [0xe0, 0xe0, 3, ...zeros(60)]),
  ethernet(1501, [0xe0, 0xe0, 3, ...zeros(60)]),
  ethernet(0x8100, [0x00, 0x05, ...u16(IP), ...web4]),
  ethernet(0x8100, [0x60, 0x64, ...u16(IP6), ...web6]),
  ethernet(0x88a8, [0x00, 0x06, ...u16(0x8100), 0x00, 0x07, ...u16(IP), ...dns4]),
  ethernet(0x9100, [0x0f, 0xff, ...u16(0x8100), 0x00, 0x05, ...u16(IP), ...web4]),
  ethernet(0x8100, [0x00, 0x05, ...u16(0x0806), ...arp(1)]),
  ethernet(0x8100, [0x00, 0x05, ...u16(0x8847), ...label(100, true), ...web4]),
  ethernet(0x8100, [0x00, 0x05, ...u16(0x8864), ...pppoe(7, 0x0021, web4)]),
  ethernet(0x8100, [0x00, 0x05, 0x00, 0x26, 0x42, 0x42, 3, ...zeros(40)]),
  ethernet(0x8847, [...label(100, true), ...web4]),
  ethernet(0x8847, [...label(100, false), ...label(200, true), ...dns4]),
  ethernet(0x8847, [...label(100, false), ...label(200, false), ...label(1024, true), ...web6]),
  ethernet(0x8848, [...label(100, true), ...web4]),
  ethernet(0x8863, [0x11, 9, 0, 0, 0, 4, 1, 1, 0, 0, ...zeros(36)], { dst: BROADCAST }),
  ethernet(0x8864, pppoe(7, 0x0021, web4)),
  ethernet(0x8864, pppoe(0x1234, 0x0057, web6)),
  ethernet(0x8864, pppoe(7, 0xc021, zeros(30))),
  ethernet(0x8864, pppoe(7, 0x0281, [...label(100, true), ...web4])),
  ethernet(IP, ipv4(17, geneve(5, 0x6558, ethernet(IP, web4)))),
  ethernet(IP, ipv4(17, geneve(0xabcdef, 0x6558, ethernet(IP6, web6, { dst: BROADCAST }), zeros(8)))),
  ethernet(IP, ipv4(17, geneve(5, IP, dns4))),
  ethernet(IP, ipv4(17, geneve(5, 0x6558, ethernet(0x8100, [0, 5, ...u16(IP), ...web4])))),
  ethernet(IP6, ipv6(17, geneve(5, 0x6558, ethernet(0x0806, arp(1))))),
  ethernet(IP, ipv4(17, geneve(5, 0x6558, ethernet(IP, ipv4(17, geneve(6, 0x6558, ethernet(IP, web4))))))),
  ethernet(IP, ipv4(17, udp(1, 6081, [0x40, 0, 0x65, 0x58, ...zeros(40)]))),
  ethernet(IP, ipv4(17, vxlan(42, ethernet(IP, web4)))),
  ethernet(0x88f7, zeros(46)),
];

/** Frame Relay's two address bytes, the control byte, then the NLPID. */
const frameRelay = (nlpid: number, payload: Bytes): Bytes => [0x18, 0x41, 0x03, nlpid, ...payload];
const hdlc = (type: number, payload: Bytes): Bytes => [0x0f, 0x00, ...u16(type), ...payload];
const serialPpp = (protocol: number, payload: Bytes): Bytes => [0xff, 0x03, ...u16(protocol), ...payload];
const atmSnap = (type: number, payload: Bytes): Bytes => [0xaa, 0xaa, 3, 0, 0, 0, ...u16(type), ...payload];

/** Linux cooked capture: packet type (4 is outgoing), ARPHRD_ETHER, the sender's address, protocol. */
const cooked = (kind: number, protocol: number, payload: Bytes): Bytes => [
  ...u16(kind),
  ...u16(1),
  ...u16(6),
  ...mac(MAC_A),
  ...zeros(2),
  ...u16(protocol),
  ...payload,
];
/** The same for version 2, which names the interface. */
const cookedV2 = (kind: number, interfaceIndex: number, protocol: number, payload: Bytes): Bytes => [
  ...u16(protocol),
  ...zeros(2),
  ...u32(interfaceIndex),
  ...u16(1),
  kind,
  6,
  ...mac(MAC_A),
  ...zeros(2),
  ...payload,
];

const framesByLink: Readonly<Record<keyof typeof LINKTYPES, readonly Bytes[]>> = {
  DLT_EN10MB: ethernetFrames,
  DLT_C_HDLC: [
    hdlc(IP, web4),
    hdlc(IP, dns4),
    hdlc(IP6, web6),
    hdlc(0x8035, zeros(18)),
    hdlc(0x8847, [...label(100, true), ...web4]),
    ...[15, 17, 20].map((pdu) => hdlc(0xfefe, [3, ...isis(pdu)])),
    hdlc(0xfefe, [3, 0x82, ...zeros(20)]),
  ],
  DLT_PPP_SERIAL: [
    serialPpp(0x21, web4),
    serialPpp(0x21, dns4),
    serialPpp(0x57, web6),
    serialPpp(0xc021, zeros(20)),
    serialPpp(0x23, isis(17)),
    serialPpp(0x2b, zeros(30)),
    serialPpp(0x27, decnet("long")),
  ],
  DLT_FRELAY: [
    frameRelay(0xcc, web4),
    frameRelay(0xcc, dns4),
    frameRelay(0x8e, web6),
    ...[0x81, 0x82, 0x83].map((nlpid) => frameRelay(nlpid, isis(17))),
    frameRelay(0x80, zeros(30)),
  ],
  DLT_ATM_RFC1483: [
    atmSnap(IP, web4),
    atmSnap(IP, dns4),
    atmSnap(IP6, web6),
    atmSnap(0x0806, arp(1)),
    [0xaa, 0xaa, 3, 8, 0, 7, 0x80, 0x9b, ...zeros(30)],
    [0xfe, 0xfe, 3, ...isis(17)],
    [0x42, 0x42, 3, ...zeros(30)],
    [0xe0, 0xe0, 3, ...zeros(30)],
    [0x04, 0x04, 0x01, 0x00, ...zeros(30)],
  ],
  DLT_PPP: [
    serialPpp(0x21, web4),
    serialPpp(0x57, web6),
    serialPpp(0x281, [...label(100, true), ...web4]),
    serialPpp(0xc021, zeros(20)),
  ],
  DLT_NULL: [
    ...[2, 10, 24, 28, 30].flatMap((family) => [
      [family, 0, 0, 0, ...web6],
      [family, 0, 0, 0, ...dns4],
    ]),
    [0, 0, 0, 2, ...web4],
  ],
  DLT_LOOP: [
    [0, 0, 0, 2, ...web4],
    [0, 0, 0, 10, ...web6],
    [0, 0, 0, 24, ...web6],
    [2, 0, 0, 0, ...dns4],
  ],
  DLT_RAW: [web4, dns4, web6, zeros(40)],
  DLT_IPV4: [web4, dns4, web6],
  DLT_IPV6: [web6, dns4],
  DLT_LINUX_SLL: [
    ...[0, 1, 3, 4].map((kind) => cooked(kind, IP, web4)),
    cooked(4, IP, dns4),
    cooked(0, IP6, web6),
    cooked(1, 0x0806, arp(1)),
    cooked(0, 0x8137, zeros(40)),
    cooked(0, 1, zeros(40)),
    cooked(0, 0x8100, [0x00, 0x05, ...u16(IP), ...web4]),
    cooked(0, 0x8864, pppoe(7, 0x0021, web4)),
    ...[0x42, 0xe0, 0xf0, 0x06].map((sap) => cooked(0, 4, [sap, sap, 3, ...zeros(40)])),
    cooked(0, 4, [0xfe, 0xfe, 3, ...isis(17)]),
    cooked(0, 4, [0xaa, 0xaa, 3, 0, 0, 0, 0x81, 0x37, ...zeros(30)]),
    cooked(0, 4, [0xaa, 0xaa, 3, 8, 0, 7, 0x80, 0x9b, ...zeros(30)]),
  ],
  DLT_LINUX_SLL2: [
    ...[0, 1, 3, 4].map((kind) => cookedV2(kind, 7, IP, web4)),
    cookedV2(4, 8, IP, dns4),
    cookedV2(0, 0x10007, IP6, web6),
    cookedV2(1, 7, 0x0806, arp(1)),
    cookedV2(0, 7, 4, [0xfe, 0xfe, 3, ...isis(17)]),
    cookedV2(0, 7, 0x8864, pppoe(7, 0x0021, web4)),
  ],
  unknown: [web4, web6, zeros(40)],
};

/** Offsets at which frames are truncated: around every field that a filter reads, and a few bytes inside each. */
const CUTS = [
  0, 1, 6, 12, 13, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 26, 28, 30, 33, 34, 35, 36, 37, 38, 40, 42, 46, 48,
  54, 55,
];

/** Every frame whole, and truncated at each place; a truncated frame keeps its length on the wire. */
export function packetsOf(linkType: keyof typeof LINKTYPES): CapturedPacket[] {
  return framesByLink[linkType].flatMap((frame) => {
    const bytes = Uint8Array.from(frame);
    const cuts = CUTS.filter((cut) => cut < bytes.length);
    const short = cuts.map((cut) => ({ bytes: bytes.subarray(0, cut), wireLength: bytes.length }));
    return [{ bytes, wireLength: bytes.length }, ...short];
  });
}
