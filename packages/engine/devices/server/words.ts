/** Short descriptions of the words of a server's commands, for `?`. */

import { PROBE_KEYWORDS } from "../../net/probe/probe-words.ts";
import { ALGORITHMS } from "../../net/tcp/algorithms.ts";
import type { Described } from "../console/assist.ts";
import { byName } from "../console/by-name.ts";
import type { ValueKind } from "../console/match.ts";

export const serverWords: Described = {
  values: byName<ValueKind>({
    ADDR: { meaning: "IPv4 or IPv6 address (10.0.1.1, 2001:db8::1)" },
    "ADDR[%PORT]": { meaning: "Address; %PORT names the interface of one that may be on any" },
    PORT: { meaning: "Name of an interface" },
    VRF: { meaning: "Name of a table of routes" },
    URL: { meaning: "http://ADDR[:PORT][/PATH]" },
    COUNT: { meaning: "Number of bytes: 500k, 10M, 1G" },
    BYTES: { meaning: "Number of bytes" },
    SECONDS: { meaning: "Number of seconds" },
    NUMBER: { meaning: "Port number" },
    HOPS: { meaning: "Number of hops" },
    N: { meaning: "Number" },
  }),
  keywords: byName<string>({
    ...PROBE_KEYWORDS,
    ...ALGORITHMS,
    "-C": "Congestion control",
    "-n": "Bytes to send",
    "-p": "Port of the server (5001)",
    "-t": "Time to send for",
    get: "Fetch a file",
    show: "Print addresses, tables and transfers",
  }),
  names: () => [],
};
