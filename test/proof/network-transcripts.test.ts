/** Whole transcripts of the real program, prompts included: a PC among other hosts. Times are replaced by T. */

import { encodeIcmp } from "@wirelab/engine/wire/icmp";
import { describe, expect, test } from "vitest";
import {
  type Answer,
  icmpError,
  onePc,
  pcAndHost,
  timeless,
  twoPcs,
} from "../unit/engine/devices/pc/commands/pc-bench.ts";

/** Returns the output of A for a line, prompts included. */
const typed = (bench: ReturnType<typeof twoPcs>, line: string): string => timeless(bench.type("A", line));

/** Builds a transcript from the line and the text between its echo and the next prompt. */
const transcript = (line: string, printed: string): string => `VPCS> ${line}\n${printed}\nVPCS> `;

const FIRST_REPLY = "84 bytes from 10.0.0.2 icmp_seq=1 ttl=64 time=T ms\n";

describe("an address", () => {
  test("is checked for a duplicate and printed", () => {
    const line = "ip 10.0.0.1/24 10.0.0.254";
    expect(typed(onePc().bench, line)).toBe(
      transcript(
        line,
        "Checking for duplicate address...\nVPCS : 10.0.0.1 255.255.255.0 gateway 10.0.0.254\n",
      ),
    );
  });

  test("is rejected if another PC has it", () => {
    const printed =
      "Checking for duplicate address...\n10.0.0.2 is being used by MAC 00:50:79:66:68:01\nAddress not changed\n";
    expect(typed(twoPcs(), "ip 10.0.0.2/24")).toBe(transcript("ip 10.0.0.2/24", printed));
  });
});

describe("a ping", () => {
  test.each([
    ["ping 10.0.0.2 -c 1", FIRST_REPLY],
    ["ping 10.0.0.2 -c 2", FIRST_REPLY + FIRST_REPLY.replace("seq=1", "seq=2")],
    ["ping 10.2 -c 1", FIRST_REPLY],
    ["ping 10.0.0.2 -c 1 -2", FIRST_REPLY.replace("icmp", "udp")],
    ["ping 10.0.0.2 -c 1 -l 0", FIRST_REPLY.replace("84", "28")],
    ["ping 10.0.0.2 -c 1 -l 65507", FIRST_REPLY.replace("84", "65535")],
    ["ping 10.0.0.2 -c 1 -3 -f S", FIRST_REPLY.replace("84", "40").replace("icmp", "tcp")],
    ["ping 10.0.0.2 -c 1 -3 -f FPU", "10.0.0.2 tcp_seq=1 timeout\n"],
    [
      "ping 10.0.0.2 -c 1 -3",
      "Connect   7@10.0.0.2 seq=1 ttl=64 time=T ms\n" +
        "SendData  7@10.0.0.2 seq=1 ttl=64 time=T ms\n" +
        "Close     7@10.0.0.2 seq=1 ttl=64 time=T ms\n",
    ],
    ["ping 10.0.0.9", "host (10.0.0.9) not reachable\n"],
    ["ping 192.0.2.1", "host (10.0.0.254) not reachable\n"],
    ["ping 10.0.0.2 -c 0", ""],
    ["ping 10.0.0.1 -c 1", "10.0.0.1 icmp_seq=1 ttl=64 time=T ms\n"],
  ])("%s of a PC next door prints its answers after an empty line", (line, printed) => {
    expect(typed(twoPcs(), line)).toBe(transcript(line, `\n${printed}`));
  });

  test.each([
    ["ping 10.0.0.2 -Z", "Invalid options\n"],
    ["ping 10.0.0.2 -3 -f XYZ", "Invalid options\n"],
    ["ping nowhere", "Cannot resolve nowhere\n"],
    ["ping 0.0.0.0", "Cannot resolve 0.0.0.0\n"],
    ["ping 255.255.255.255", "Cannot resolve 255.255.255.255\n"],
    ["ping 10.0.0.300", "Cannot resolve 10.0.0.300\n"],
  ])("%s is refused, without an empty line", (line, printed) => {
    expect(typed(twoPcs(), line)).toBe(transcript(line, printed));
  });

  test("of another network needs a gateway", () => {
    const bench = twoPcs();
    bench.type("A", "ip 10.0.0.1/24");
    expect(typed(bench, "ping 192.0.2.1")).toBe(transcript("ping 192.0.2.1", "\nNo gateway found\n"));
  });

  test.each([
    [3, 0, "Destination network unreachable"],
    [3, 1, "Destination host unreachable"],
    [3, 2, "Destination protocol unreachable"],
    [3, 3, "Destination port unreachable"],
    [3, 4, "Fragmentation required, and DF flag set"],
    [3, 5, "Source route failed"],
    [3, 6, "Destination network unknown"],
    [3, 7, "Destination host unknown"],
    [3, 8, "Source host isolated"],
    [3, 9, "Network administratively prohibited"],
    [3, 10, "Host administratively prohibited"],
    [3, 11, "Network unreachable for TOS"],
    [3, 12, "Host unreachable for TOS"],
    [3, 13, "Communication administratively prohibited"],
    [3, 14, ""],
    [11, 0, "TTL expired in transit"],
    [11, 1, "Fragment reassembly time exceeded"],
  ])("is ended by ICMP type %i code %i, which is printed as %j", (type, code, text) => {
    const { bench, host } = pcAndHost();
    host.answer = (_packet, _payload, frame) => icmpError("10.0.0.254", type, code, frame);
    const line = "ping 192.0.2.1 -c 1";
    const reason = `(ICMP type:${type}, code:${code}, ${text})`;
    expect(typed(bench, line)).toBe(
      transcript(line, `\n*10.0.0.254 icmp_seq=1 ttl=255 time=T ms ${reason}\n`),
    );
  });

  test.each([
    [4, 0],
    [12, 0],
    [13, 0],
    [5, 1],
  ])("keeps waiting after ICMP type %i code %i", (type, code) => {
    const { bench, host } = pcAndHost();
    host.answer = (_packet, _payload, frame) => icmpError("10.0.0.254", type, code, frame);
    const line = "ping 192.0.2.1 -c 1";
    expect(typed(bench, line)).toBe(transcript(line, "\n192.0.2.1 icmp_seq=1 timeout\n"));
  });
});

/** Three routers away: the second one is silent, the fourth hop is the target itself. */
const threeRoutersAway: Answer = (packet, payload, frame) => {
  const { ttl, protocol } = packet;
  if (ttl === 1) return icmpError("10.0.0.254", 11, 0, frame);
  if (ttl === 2) return undefined;
  if (ttl === 3) return icmpError("192.0.2.5", 11, 0, frame);
  if (protocol !== 1) return icmpError("8.8.8.8", 3, 3, frame);
  const rest = payload.slice(4, 8).reduce((word, byte) => word * 256 + byte, 0);
  return { from: "8.8.8.8", protocol, payload: encodeIcmp(0, 0, rest, payload.slice(8)) };
};

describe("a trace", () => {
  const HOPS = " 1   10.0.0.254   T ms  T ms  T ms\n 2     *  *  *\n 3   192.0.2.5   T ms  T ms  T ms\n";

  test("prints each hop, and the reason for its end", () => {
    const { bench, host } = pcAndHost();
    host.answer = threeRoutersAway;
    expect(typed(bench, "trace 8.8.8.8")).toBe(
      transcript(
        "trace 8.8.8.8",
        `trace to 8.8.8.8, 8 hops max, press Ctrl+C to stop\n${HOPS} 4   *8.8.8.8   T ms (ICMP type:3, code:3, Destination port unreachable)\n`,
      ),
    );
  });

  test("with ICMP ends at the target's own answers", () => {
    const { bench, host } = pcAndHost();
    host.answer = threeRoutersAway;
    expect(typed(bench, "trace 8.8.8.8 -P 1")).toBe(
      transcript(
        "trace 8.8.8.8 -P 1",
        `trace to 8.8.8.8, 8 hops max (ICMP), press Ctrl+C to stop\n${HOPS} 4   8.8.8.8   T ms  T ms  T ms\n`,
      ),
    );
  });

  test.each([
    ["trace 10.0.0.1", "traceroute to 10.0.0.1, 8 hops max\n 1 10.0.0.1     T ms\n"],
    [
      "trace 10.0.0.77",
      "trace to 10.0.0.77, 8 hops max, press Ctrl+C to stop\nhost (10.0.0.77) not reachable\n",
    ],
    ["trace 10.0.0.2 -P", "Missing protocol\n"],
    ["trace 10.0.0.2 -P 99", "Invalid protocol\n"],
    ["trace 10.0.0.2 -m", "Missing TTL\n"],
    ["trace 10.0.0.2 -m 65", "Invalid TTL\n"],
    ["trace nowhere", "Cannot resolve nowhere\n"],
  ])("%s prints %j", (line, printed) => {
    expect(typed(twoPcs(), line)).toBe(transcript(line, printed));
  });
});

describe("IPv6", () => {
  const twoPcsWithIpv6 = () => {
    const bench = twoPcs();
    bench.type("A", "ip 2001:db8::1/64");
    bench.type("B", "ip 2001:db8::2/64");
    return bench;
  };

  test.each([
    [
      "ping 2001:db8::2 -c 2",
      "\n2001:db8::2 icmp6_seq=1 ttl=64 time=T ms\n2001:db8::2 icmp6_seq=2 ttl=64 time=T ms\n",
    ],
    ["ping 2001:db8::2 -c 1 -2", "\n2001:db8::2 udp6_seq=1 ttl=64 time=T ms\n"],
    ["ping 2001:db8::99", "\nhost (2001:db8::99) not reachable\n"],
    [
      "ping 2001:db8::1",
      `\n${[1, 2, 3, 4, 5].map((n) => `2001:db8::1 icmp_seq=${n} ttl=64 time=T ms\n`).join("")}`,
    ],
    ["trace 2001:db8::2", "\ntrace to 2001:db8::2, 64 hops max\n 1 2001:db8::2   T ms  T ms  T ms\n"],
    ["ip auto", "No router answered ICMPv6 Router Solicitation\n"],
  ])("%s prints %j", (line, printed) => {
    expect(typed(twoPcsWithIpv6(), line)).toBe(transcript(line, printed));
  });

  test("neighbours are listed once they are known, until they are cleared", () => {
    const bench = twoPcsWithIpv6();
    bench.type("A", "ping 2001:db8::2 -c 1");
    const entry = "00:50:79:66:68:01   2001:db8::2/128\n";
    expect(bench.type("A", "neighbor")).toBe(transcript("neighbor", `\n${entry}`));
    bench.type("A", "clear neighbor");
    expect(bench.type("A", "neighbor")).toBe(transcript("neighbor", "\n"));
  });
});

describe("the ARP table", () => {
  test("is listed with the remaining seconds", () => {
    const bench = twoPcs();
    bench.type("A", "ping 10.0.0.2 -c 1");
    expect(bench.type("A", "show arp").replace(/in \d+ s/, "in N s")).toBe(
      transcript("show arp", "\n00:50:79:66:68:01  10.0.0.2 expires in N seconds \n"),
    );
    expect(bench.type("A", "show arp all")).toMatch(/^VPCS\[1\]:/m);
  });
});
