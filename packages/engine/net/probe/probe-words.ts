/** Descriptions of the options of `ping` and `traceroute`, for `?`. */
export const PROBE_KEYWORDS = {
  "-c": "Number of echo requests (5)",
  "-D": "Forbid to fragment",
  "-I": "Interface to send by",
  "-m": "Hops at most (30)",
  "-P": "Kind of the probes",
  "-q": "Probes for each hop (3)",
  "-s": "Bytes of data (56)",
  "-S": "Address to send from",
  "-V": "Table of routes",
  icmp: "ICMP echo requests",
  udp: "UDP datagrams",
} as const;
