/** What people write in other places, and how it is written here. */
/** Fields of Wireshark's display filters -> the same in a capture filter. */
export const DISPLAY_FILTERS: Readonly<Record<string, string>> = {
  "ip.addr": "host 10.0.0.1",
  "ip.src": "src host 10.0.0.1",
  "ip.dst": "dst host 10.0.0.1",
  "ip.proto": "ip proto 6",
  "ipv6.addr": "ip6 host 2001:db8::1",
  "tcp.port": "tcp port 80",
  "tcp.srcport": "tcp src port 80",
  "tcp.dstport": "tcp dst port 80",
  "tcp.flags.syn": "tcp[tcpflags] & tcp-syn != 0",
  "udp.port": "udp port 53",
  "udp.srcport": "udp src port 53",
  "udp.dstport": "udp dst port 53",
  "eth.addr": "ether host 02:00:00:00:00:01",
  "eth.src": "ether src 02:00:00:00:00:01",
  "eth.dst": "ether dst 02:00:00:00:00:01",
  "eth.type": "ether proto 0x0800",
  "vlan.id": "vlan 10",
  "frame.len": "len > 100",
  "icmp.type": "icmp[icmptype] = icmp-echo",
  "arp.opcode": "arp[6:2] = 1",
  dns: "port 53",
  http: "tcp port 80",
  tls: "tcp port 443",
  ssh: "tcp port 22",
  dhcp: "udp port 67 or 68",
  bgp: "tcp port 179",
};

/** A field has a dot between words; addresses and names of hosts come after a qualifier. */
const FIELD = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/;
const PROTOCOL_BEFORE = /\bproto\s*$/;
const WORD = /^[a-z][a-z0-9]*$/;

/** Returns the end of the message of an error; undefined where there is nothing to add. */
export function hintFor(expression: string, code: string, start: number, end: number): string | undefined {
  const word = expression.slice(start, end);
  if (code === "bpf.bad-character" && /^["'“”‘’`]$/.test(word))
    return "write the filter without quotes, which belong to a shell";
  if (code !== "bpf.unexpected-token" && code !== "bpf.missing-qualifier") return undefined;
  if (PROTOCOL_BEFORE.test(expression.slice(0, start)) && WORD.test(word))
    return `write \\${word}: behind "proto", a word of the language needs a backslash`;
  const same = Object.hasOwn(DISPLAY_FILTERS, word) ? DISPLAY_FILTERS[word] : undefined;
  if (same === undefined && !FIELD.test(word)) return undefined;
  const example = same === undefined ? "" : `, such as: ${same}`;
  return `"${word}" is of Wireshark's display filters; this is a capture filter (pcap-filter)${example}`;
}
