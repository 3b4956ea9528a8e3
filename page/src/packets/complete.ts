/** Words that can follow in a pcap-filter expression. */

interface Completion {
  readonly word: string;
  readonly about: string;
}

/** The text that a completion replaces, and the completions. */
export interface Completions {
  readonly start: number;
  readonly end: number;
  readonly words: readonly Completion[];
}

const PRIMITIVES: readonly (readonly [string, string])[] = [
  ["arp", "ARP requests and replies"],
  ["icmp", "ICMP: pings and errors"],
  ["icmp6", "ICMPv6: pings, errors, neighbours"],
  ["ip", "IPv4"],
  ["ip6", "IPv6"],
  ["tcp", "TCP"],
  ["udp", "UDP"],
  ["host", "an address at either end: host 10.0.0.1"],
  ["net", "a network at either end: net 10.0.0.0/24"],
  ["port", "a port at either end: port 53"],
  ["portrange", "ports at either end: portrange 5000-5010"],
  ["src", "of the sender: src host 10.0.0.1"],
  ["dst", "of the receiver: dst port 80"],
  ["ether", "MAC addresses: ether host 00:50:79:66:68:00"],
  ["vlan", "a VLAN tag: vlan 10"],
  ["broadcast", "Ethernet broadcasts"],
  ["multicast", "Ethernet multicasts"],
  ["greater", "at least so long: greater 1000"],
  ["less", "at most so long: less 64"],
  ["len", "the length: len > 100"],
  ["proto", "an IP protocol: ip proto 89"],
  ["not", "the opposite of what follows"],
];

const AFTER_OPERAND: readonly (readonly [string, string])[] = [
  ["and", "both"],
  ["or", "one or both"],
];

/** What may follow words that need a value. */
const AFTER: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  src: [
    ["host", "an address"],
    ["net", "a network"],
    ["port", "a port"],
  ],
  dst: [
    ["host", "an address"],
    ["net", "a network"],
    ["port", "a port"],
  ],
  ether: [
    ["host", "a MAC address at either end"],
    ["src", "the sender's MAC address"],
    ["dst", "the receiver's MAC address"],
    ["broadcast", "Ethernet broadcasts"],
    ["multicast", "Ethernet multicasts"],
    ["proto", "an EtherType: ether proto 0x88cc"],
  ],
  port: [
    ["domain", "53: DNS"],
    ["http", "80"],
    ["https", "443"],
    ["ssh", "22"],
    ["bootps", "67: DHCP server"],
    ["ntp", "123"],
  ],
};
const NEEDS_VALUE = new Set(["host", "net", "portrange", "greater", "less", "proto"]);
/** An expression goes on after these. */
const OPENING = new Set(["", "and", "or", "not", "(", "!", "&&", "||"]);

/**
 * Returns the completions of the word at the cursor.
 * @param addresses those in the captures, which `host` offers.
 */
export function completionsAt(text: string, cursor: number, addresses: readonly string[] = []): Completions {
  const before = text.slice(0, cursor);
  const typed = /[\w.:/-]*$/.exec(before)![0];
  const end = cursor + /^[\w.:/-]*/.exec(text.slice(cursor))![0].length;
  const words = before.slice(0, before.length - typed.length).match(/[\w.:/-]+|[()!]|&&|\|\|/g) ?? [];
  const last = words.at(-1)?.toLowerCase() ?? "";
  const offered = offersAfter(last, addresses)
    .filter(([word]) => word.startsWith(typed.toLowerCase()) && word !== typed)
    .map(([word, about]) => ({ word, about }));
  return { start: cursor - typed.length, end, words: offered };
}

function offersAfter(last: string, addresses: readonly string[]): readonly (readonly [string, string])[] {
  if (OPENING.has(last)) return PRIMITIVES;
  if (last === "host") return addresses.map((each) => [each, "in these captures"] as const);
  if (NEEDS_VALUE.has(last)) return [];
  return AFTER[last] ?? AFTER_OPERAND;
}

/** Puts a completion in its place. @returns the text and the cursor. */
export function insertCompletion(
  text: string,
  { start, end }: Completions,
  word: string,
): { readonly text: string; readonly cursor: number } {
  const tail = text.slice(end);
  const space = tail.startsWith(" ") ? "" : " ";
  return { text: `${text.slice(0, start)}${word}${space}${tail}`, cursor: start + word.length + 1 };
}
