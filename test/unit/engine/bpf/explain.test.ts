import { explain, FilterSyntaxError } from "@wirelab/engine/bpf/index";
import { describe, expect, it } from "vitest";

const lines = (expression: string): string[] => explain(expression).split("\n");

describe("explain", () => {
  it("shows that `and` and `or` have equal precedence and bind to the left, and what a bare value inherits", () => {
    expect(lines("tcp port 80 or 443 and not ip6")).toEqual([
      "all of",
      "  any of",
      "    tcp port 80, source or destination",
      "    tcp port 443, source or destination",
      "  not",
      "    protocol ip6",
    ]);
  });

  it("puts a run of one operator into one group", () => {
    expect(lines("ip and tcp and udp or arp or rarp")).toEqual([
      "any of",
      "  all of",
      "    protocol ip",
      "    protocol tcp",
      "    protocol udp",
      "  protocol arp",
      "  protocol rarp",
    ]);
  });

  it.each([
    ["", "every packet"],
    ["src host 10.0.0.1", "host 10.0.0.1, source"],
    ["src and dst net 10.0.0.0/8", "net 10.0.0.0/8, source and destination"],
    ["net 10.0.0.0 mask 255.0.0.0", "net 10.0.0.0 mask 255.0.0.0, source or destination"],
    ["dst 2001:db8::2", "host 2001:db8::2, destination"],
    ["wlan src 00:11:22:33:44:55", "ether host 00:11:22:33:44:55, source"],
    ["ip proto \\tcp", "ip proto tcp"],
    ["protochain 6", "protochain 6"],
    ["portrange 80-90", "portrange 80-90, source or destination"],
    ["ip[8] & 3 + 1 = 0", "(ip[8:1] & (3 + 1)) = 0"],
    ["-len % 3 < ether[0:2]", "-(length % 3) < ether[0:2]"],
    ["less 60", "at most 60 bytes long"],
    ["greater 60", "at least 60 bytes long"],
    ["byte 12 > 8", "byte 12 of the frame > 8"],
    ["ip multicast", "ip multicast"],
    ["broadcast", "link broadcast"],
    ["vlan 5", "vlan 5, and what follows is inside it"],
    ["pppoed", "PPPoE discovery"],
    ["llc", "llc frame"],
    ["llc rnr", "llc frame of kind rnr"],
  ])("reads %j as %j", (expression, text) => {
    expect(explain(expression)).toBe(text);
  });

  it("rejects an expression that does not compile for the link type", () => {
    expect(() => explain("tcp port")).toThrow(FilterSyntaxError);
    expect(() => explain("ether host 00:11:22:33:44:55", "DLT_FRELAY")).toThrow(FilterSyntaxError);
  });
});
