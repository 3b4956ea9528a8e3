/**
 * The words and signs of the filter language, pcap-filter(7). Synonyms share one kind: the parser does not distinguish
 * `ether`, `fddi` and `wlan`, and neither does libpcap.
 */

export type Protocol =
  | "link"
  | "ip"
  | "arp"
  | "rarp"
  | "sctp"
  | "tcp"
  | "udp"
  | "icmp"
  | "igmp"
  | "igrp"
  | "pim"
  | "vrrp"
  | "carp"
  | "atalk"
  | "aarp"
  | "decnet"
  | "lat"
  | "sca"
  | "mopdl"
  | "moprc"
  | "ip6"
  | "icmp6"
  | "ah"
  | "esp"
  | "iso"
  | "esis"
  | "isis"
  | "l1"
  | "l2"
  | "iih"
  | "lsp"
  | "snp"
  | "psnp"
  | "csnp"
  | "clnp"
  | "stp"
  | "ipx"
  | "netbeui"
  | "radio";

const PROTOCOLS: readonly Protocol[] = [
  ..."link ip arp rarp sctp tcp udp icmp igmp igrp pim vrrp carp atalk aarp decnet lat sca mopdl moprc".split(
    " ",
  ),
  ..."ip6 icmp6 ah esp iso esis isis l1 l2 iih lsp snp psnp csnp clnp stp ipx netbeui radio".split(" "),
] as Protocol[];

/** Kinds that carry text or a number. */
export type ValueKind =
  | "number" // 80, 0x50, 0120, icmp-echo
  | "name" // http, \tcp, 80-90
  | "ipv4" // two to four dotted parts
  | "ipv6"
  | "mac"
  | "arcnet"; // $ab, refused later: it is for ARCnet only

/** Words of the language. */
export type WordKind =
  | Protocol
  | "src"
  | "dst"
  | "host"
  | "net"
  | "mask"
  | "port"
  | "portrange"
  | "proto"
  | "protochain"
  | "gateway"
  | "less"
  | "greater"
  | "byte"
  | "broadcast"
  | "multicast"
  | "and"
  | "or"
  | "len"
  | "vlan"
  | "mpls"
  | "pppoed"
  | "pppoes"
  | "geneve"
  | "llc"
  | "inbound"
  | "outbound"
  | "ifindex"
  | "rulenum" // `rnr`: a PF word, and the LLC "receiver not ready" frame
  | "elsewhere"; // a word for link types that are not supported

export type SignKind =
  | ("+" | "-" | "*" | "/" | "%" | ":" | "[" | "]" | "!" | "<" | ">" | "(" | ")" | "&" | "|" | "^" | "=")
  | (">=" | "<=" | "!=" | "<<" | ">>");

export type TokenKind = ValueKind | WordKind | SignKind | "end";

export type Token = {
  readonly kind: TokenKind;
  /** As written, but without the backslash of an escaped name. */
  readonly text: string;
  /** The value of a number token; 0 otherwise. */
  readonly value: number;
  readonly start: number;
  readonly end: number;
};

/** What the words of kind `elsewhere` apply to; libpcap rejects them on the supported link types. */
export const ELSEWHERE_WORDS: ReadonlyMap<string, string> = new Map([
  ...group(
    "802.11 frames",
    "type subtype direction dir address1 addr1 address2 addr2 address3 addr3 address4 addr4 ra ta",
  ),
  ...group("raw ATM", "lane metac bcc oam oamf4 oamf4ec oamf4sc sc ilmic vpi vci connectmsg metaconnect"),
  ...group("PF logs", "on ifname rset ruleset srnr subrulenum reason action"),
  ...group("SS7 links", "fisu lssu lsu msu hfisu hlssu hmsu sio opc dpc sls hsio hopc hdpc hsls"),
]);

function group(purpose: string, words: string): [string, string][] {
  return words.split(" ").map((word) => [word, purpose]);
}

const PLAIN_WORDS =
  "src dst host net mask port portrange proto protochain gateway less greater byte broadcast multicast " +
  "and or len vlan mpls pppoed pppoes geneve llc inbound outbound ifindex";

export const WORDS: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ...PROTOCOLS.map((name): [string, TokenKind] => [name, name]),
  ...PLAIN_WORDS.split(" ").map((word): [string, TokenKind] => [word, word as WordKind]),
  ...[...ELSEWHERE_WORDS.keys()].map((word): [string, TokenKind] => [word, "elsewhere"]),
  ...["ether", "ppp", "slip", "fddi", "tr", "wlan"].map((word): [string, TokenKind] => [word, "link"]),
  ["es-is", "esis"],
  ["is-is", "isis"],
  ["length", "len"],
  ["not", "!"],
  ["rnr", "rulenum"],
  ["rulenum", "rulenum"],
]);

const PROTOCOL_SET: ReadonlySet<string> = new Set(PROTOCOLS);

export function isProtocol(kind: TokenKind): kind is Protocol {
  return PROTOCOL_SET.has(kind);
}
