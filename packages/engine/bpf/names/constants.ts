/**
 * The named numbers of pcap-filter(7): offsets of header fields, ICMP and ICMPv6 types, TCP flags.
 * Sources: RFC 792, RFC 950, RFC 1256 (ICMP), RFC 4443 and the IANA ICMPv6 registry, RFC 9293 and RFC 3168 (TCP).
 */
const ICMP: Record<string, number> = {
  icmptype: 0,
  icmpcode: 1,
  "icmp-echoreply": 0,
  "icmp-unreach": 3,
  "icmp-sourcequench": 4,
  "icmp-redirect": 5,
  "icmp-echo": 8,
  "icmp-routeradvert": 9,
  "icmp-routersolicit": 10,
  "icmp-timxceed": 11,
  "icmp-paramprob": 12,
  "icmp-tstamp": 13,
  "icmp-tstampreply": 14,
  "icmp-ireq": 15,
  "icmp-ireqreply": 16,
  "icmp-maskreq": 17,
  "icmp-maskreply": 18,
};

const ICMP6: Record<string, number> = {
  icmp6type: 0,
  icmp6code: 1,
  "icmp6-destinationunreach": 1,
  "icmp6-packettoobig": 2,
  "icmp6-timeexceeded": 3,
  "icmp6-parameterproblem": 4,
  "icmp6-echo": 128,
  "icmp6-echoreply": 129,
  "icmp6-multicastlistenerquery": 130,
  "icmp6-multicastlistenerreportv1": 131,
  "icmp6-multicastlistenerdone": 132,
  "icmp6-routersolicit": 133,
  "icmp6-routeradvert": 134,
  "icmp6-neighborsolicit": 135,
  "icmp6-neighboradvert": 136,
  "icmp6-redirect": 137,
  "icmp6-routerrenum": 138,
  "icmp6-nodeinformationquery": 139,
  "icmp6-nodeinformationresponse": 140,
  "icmp6-ineighbordiscoverysolicit": 141,
  "icmp6-ineighbordiscoveryadvert": 142,
  "icmp6-multicastlistenerreportv2": 143,
  "icmp6-homeagentdiscoveryrequest": 144,
  "icmp6-homeagentdiscoveryreply": 145,
  "icmp6-mobileprefixsolicit": 146,
  "icmp6-mobileprefixadvert": 147,
  "icmp6-certpathsolicit": 148,
  "icmp6-certpathadvert": 149,
  "icmp6-multicastrouteradvert": 151,
  "icmp6-multicastroutersolicit": 152,
  "icmp6-multicastrouterterm": 153,
};

const TCP: Record<string, number> = {
  tcpflags: 13,
  "tcp-fin": 0x01,
  "tcp-syn": 0x02,
  "tcp-rst": 0x04,
  "tcp-push": 0x08,
  "tcp-ack": 0x10,
  "tcp-urg": 0x20,
  "tcp-ece": 0x40,
  "tcp-cwr": 0x80,
};

export const NAMED_CONSTANTS: ReadonlyMap<string, number> = new Map(
  [ICMP, ICMP6, TCP].flatMap((table) => Object.entries(table)),
);
