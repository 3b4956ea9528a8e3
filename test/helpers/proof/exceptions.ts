/**
 * The permitted differences between two simulated PCs and two real ones. The simulated PCs follow release 0.8.3, while Debian has
 * 0.5b2, and do not repeat obvious defects. Any other difference fails the comparison, and so does an exception of the installed
 * release that is not needed.
 */
import type { Exceptions, FieldException, FrameException, TextException } from "./compare.ts";
import { vpcsVersion } from "./real-vpcs.ts";
import { firstOf, type SentRow } from "./rows.ts";

const NEIGHBOUR_SOLICITATION = "135";
const NEIGHBOUR_ADVERTISEMENT = "136";
const ECHO_REPLY_6 = "129";
const MORE_DATA_BYTES = 8;

const icmpv6Type = ({ fields }: SentRow): string => firstOf(fields["icmpv6.type"]!);
const isSolicitation = (row: SentRow): boolean => icmpv6Type(row) === NEIGHBOUR_SOLICITATION;
const isNeighbourDiscovery = (row: SentRow): boolean =>
  isSolicitation(row) || icmpv6Type(row) === NEIGHBOUR_ADVERTISEMENT;

/** Both values can be lists: an ICMP error has its own lengths and those of the packet that it quotes. */
const isMoreBytes = (real: string, ours: string): boolean => {
  const ourValues = ours.split(",");
  return real
    .split(",")
    .every((value, index) => [0, MORE_DATA_BYTES].includes(Number(value) - Number(ourValues[index])));
};

const isLongerData = (real: string, ours: string): boolean =>
  real.startsWith(ours) && real.length - ours.length === 2 * MORE_DATA_BYTES;

/** The release in Debian. */
const OLD = "0.5b2";

const FIELDS: readonly FieldException[] = [
  {
    reason: "0.5b2 sends 64 bytes of data by default, 0.8.3 sends 56: lengths",
    release: OLD,
    commands: /: ping (?!.* -l )/,
    fields: ["frame.len", "ip.len", "ipv6.plen", "udp.length", "tcp.len", "tcp.seq", "tcp.ack"],
    agree: isMoreBytes,
  },
  {
    reason: "0.5b2 sends 64 bytes of data by default, 0.8.3 sends 56: the data themselves",
    release: OLD,
    commands: /: ping (?!.* -l )/,
    fields: ["data.data", "udp.payload", "tcp.payload"],
    agree: isLongerData,
  },
  {
    reason: "0.5b2 always forbids fragments, 0.8.3 only when -D says so",
    release: OLD,
    commands: /: ping (?!.* -D)/,
    fields: ["ip.flags.df"],
    agree: (real, ours) => real === "1" && ours === "0",
  },
  {
    reason:
      "an echo reply keeps the hop limit of the request (docs/interface.md, section 9.16): ours starts at 64",
    commands: /ping 2001:.* -T 9/,
    fields: ["ipv6.hlim"],
    frames: (row) => icmpv6Type(row) === ECHO_REPLY_6,
    agree: (real, ours) => real === "9" && ours === "64",
  },
  {
    reason:
      "a trace over IPv6 goes to the MAC 00:00:00:00:00:00 and is answered from it (docs/interface.md, section 9.16)",
    commands: /trace 2001:/,
    fields: ["eth.dst", "eth.src"],
    agree: (real) => real === "00:00:00:00:00:00",
  },
];

const FRAMES: readonly FrameException[] = [
  {
    reason: "0.5b2 asks three times for an IPv6 neighbour, 0.8.3 once",
    release: OLD,
    sentBy: "real",
    commands: /ping 2001:db8::99/,
    frames: isSolicitation,
    atMost: 2,
  },
  {
    reason: "before its first answer to a neighbour 0.8.3 asks for its MAC",
    release: OLD,
    sentBy: "ours",
    commands: /A: ping 2001:db8::2 -c 3/,
    frames: (row) => isNeighbourDiscovery(row) && isSolicitation(row) === (row.from === "B"),
    atMost: 2,
  },
  {
    reason: "an echo request is answered for any address and any MAC (docs/interface.md, section 9.16)",
    sentBy: "real",
    commands: /ping fe80::1 /,
    frames: (row) => icmpv6Type(row) === ECHO_REPLY_6,
    atMost: 1,
  },
  {
    reason: "0.5b2 asks for a neighbour's MAC at each command, 0.8.3 remembers it",
    release: OLD,
    sentBy: "real",
    commands: /ping 2001:.* (-l 100|-T 9|-2)$/,
    frames: isNeighbourDiscovery,
    atMost: 2,
  },
];

const IPV4_PING = /: ping (10|fe80)/;

const TEXTS: readonly TextException[] = [
  {
    reason: "times are not the same twice",
    printedBy: "both",
    commands: /: (ping|trace)/,
    text: /\d+\.\d{3} ms/g,
    becomes: "T ms",
  },
  {
    reason: "the age of an ARP entry is not the same twice",
    printedBy: "both",
    commands: /: (show )?arp/,
    text: /in \d+ seconds/g,
    becomes: "in N seconds",
  },
  {
    reason: "the port of a real one is the one of its cable, in the table",
    printedBy: "both",
    commands: /: show\b/,
    text: /\d+ +127\.0\.0\.1:\d+/g,
    becomes: "LPORT RHOST",
  },
  {
    reason: "the port of a real one is the one of its cable, in the list",
    printedBy: "both",
    commands: /: show ip/,
    text: /^((?:LPORT|RHOST:PORT) +): .*$/gm,
    becomes: "$1: PORT",
  },
  {
    reason: "0.5b2 puts no empty line before the lines of an IPv4 ping",
    release: OLD,
    printedBy: "real",
    commands: /: ping 10/,
    text: /^(?=\d|Connect|host|No gateway found\n$|$)/,
    becomes: "\n",
  },
  {
    reason: "0.5b2 also says why it could not ask for a name",
    release: OLD,
    printedBy: "real",
    commands: /: ping 10\.0\.0\.300/,
    text: /^\n?No gateway found\n(?=Cannot resolve)/,
    becomes: "",
  },
  {
    reason: "0.5b2 does not say how long an answer is",
    release: OLD,
    printedBy: "ours",
    commands: IPV4_PING,
    text: /^\d+ bytes from (?=\S+ (icmp|udp|tcp)_seq)/gm,
    becomes: "",
  },
  {
    reason: "0.5b2 names its number in the result of ip, 0.8.3 its name",
    release: OLD,
    printedBy: "real",
    commands: /: ip [01]/,
    text: /^PC1 : (?=\d+\.)/m,
    becomes: "VPCS : ",
  },
  {
    reason: "0.5b2 writes MTU with two colons and 0 while there is no address",
    release: OLD,
    printedBy: "real",
    commands: /: show ip\b/,
    text: /^MTU: {8}: (0|1500)$/m,
    becomes: "MTU         : 1500",
  },
  {
    reason: "0.5b2 forgets a neighbour's MAC within a moment",
    release: OLD,
    printedBy: "both",
    commands: /: neighbor/,
    text: /^[0-9a-f:]{17} {3}2001:db8::[12]\/128\n/m,
    becomes: "",
  },
  {
    reason:
      "an echo reply keeps the hop limit of the request (docs/interface.md, section 9.16), and the console says so",
    printedBy: "real",
    commands: /ping 2001:.* -T 9/,
    text: /ttl=9/,
    becomes: "ttl=64",
  },
  {
    reason:
      "an echo request is answered for any address and any MAC (docs/interface.md, section 9.16), and the console says so",
    printedBy: "real",
    commands: /ping fe80::1 /,
    text: /ttl=64 time=T ms/,
    becomes: "timeout",
  },
  {
    reason: "0.5b2 does not list IPv6 DNS servers",
    release: OLD,
    printedBy: "ours",
    commands: /: show ipv6/,
    text: /^DNS +: \n/m,
    becomes: "",
  },
  {
    reason: "0.5b2 does not say the MTU of IPv6",
    release: OLD,
    printedBy: "real",
    commands: /: show ipv6/,
    text: /^MTU: +: $/m,
    becomes: "MTU:              : 1500",
  },
];

const ofInstalled = <E extends { readonly release?: string }>(exceptions: readonly E[]): E[] =>
  exceptions.filter(({ release }) => release === undefined || release === vpcsVersion);

export const EXCEPTIONS: Exceptions = {
  fields: ofInstalled(FIELDS),
  frames: ofInstalled(FRAMES),
  texts: ofInstalled(TEXTS),
};
