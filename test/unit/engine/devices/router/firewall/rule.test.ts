import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRule } from "../../../../../../packages/engine/devices/router/services/firewall/parse-rule.ts";
import { formatRule } from "../../../../../../packages/engine/devices/router/services/firewall/rule.ts";

const read = (text: string, family: "ipv4" | "ipv6" = "ipv4"): string => {
  const rule = parseRule(family, text, 10);
  return typeof rule === "string" ? `error: ${rule}` : formatRule(family, rule);
};

describe("the text of a rule", () => {
  it.each([
    ["permit ip any any", "10 permit ip any any"],
    ["5 deny ip any any log", "5 deny ip any any log"],
    ["  PERMIT   TCP any  eq 80 host 10.0.0.1", "10 permit tcp any eq 80 host 10.0.0.1"],
    ["permit udp 10.0.0.0/8 range 1000 2000 any eq 53", "10 permit udp 10.0.0.0/8 range 1000 2000 any eq 53"],
    ["permit tcp any range 7 7 any", "10 permit tcp any eq 7 any"],
    ["reject icmp 10.0.0.1 0.0.0.0/0 type 8", "10 reject icmp host 10.0.0.1 any type 8"],
    ["permit icmp any any type 3 code 4", "10 permit icmp any any type 3 code 4"],
    ["permit 47 any 10.0.0.1/32", "10 permit 47 any host 10.0.0.1"],
    ["permit 6 any any eq 80", "10 permit tcp any any eq 80"],
    ["permit tcp any any established", "10 permit tcp any any established"],
    ["permit ip any any state related,established log", "10 permit ip any any state established,related log"],
  ])("`%s` is stored as `%s`", (text, stored) => {
    expect(read(text)).toBe(stored);
    expect(read(stored)).toBe(stored);
  });

  it.each([
    ["permit ipv6 any any", "10 permit ipv6 any any"],
    [
      "permit tcp 2001:DB8::/32 host 2001:db8::0:1 eq 443",
      "10 permit tcp 2001:db8::/32 host 2001:db8::1 eq 443",
    ],
    ["deny icmpv6 any any type 128", "10 deny icmpv6 any any type 128"],
  ])("of IPv6: `%s` is stored as `%s`", (text, stored) => {
    expect(read(text, "ipv6")).toBe(stored);
    expect(read(stored, "ipv6")).toBe(stored);
  });

  it.each([
    ["", "the rule ends before permit, deny or reject"],
    ["10", "the rule ends before permit, deny or reject"],
    ["0 permit ip any any", "the number of the rule must be 1 to 65535, not 0"],
    ["70000 permit ip any any", "the number of the rule must be 1 to 65535, not 70000"],
    ["allow ip any any", "allow is not permit, deny or reject"],
    ["permit", "a protocol is not ip, tcp, udp, icmp or a number"],
    ["permit icmpv6 any any", "icmpv6 is not ip, tcp, udp, icmp or a number"],
    ["permit constructor any any", "constructor is not ip, tcp, udp, icmp or a number"],
    ["permit 256 any any", "the protocol must be 0 to 255, not 256"],
    ["permit ip", "the rule ends before the source"],
    ["permit ip any", "the rule ends before the target"],
    ["permit ip 10.0.0.1/24 any", "10.0.0.1/24 has bits set after its prefix; the network is 10.0.0.0/24"],
    ["permit ip host 10.0.0.0/24 any", "10.0.0.0/24 is not an IPv4 address"],
    ["permit ip 2001:db8::/32 any", "2001:db8::/32 is not any, host or an IPv4 prefix"],
    ["permit ip any eq 80 any", "eq needs the protocol tcp or udp"],
    ["permit icmp any any range 1 2", "range needs the protocol tcp or udp"],
    ["permit tcp any eq 65536 any", "a port must be 0 to 65535, not 65536"],
    ["permit tcp any eq", "the rule ends before a port"],
    ["permit tcp any range 10 9 any", "the range ends at 9, before 10"],
    ["permit ip any any type 8", "type needs the protocol icmp"],
    ["permit icmp any any type 256", "the ICMP type must be 0 to 255, not 256"],
    ["permit icmp any any type 3 code x", "the ICMP code must be 0 to 255, not x"],
    ["permit udp any any established", "established needs the protocol tcp"],
    ["permit ip any any state", "the rule ends before a state"],
    ["permit ip any any state old", "old is not a state: new, established, related, invalid"],
    ["permit ip any any state new,", "nothing is not a state: new, established, related, invalid"],
  ])("`%s` is rejected", (text, message) => {
    expect(read(text)).toBe(`error: ${message}`);
  });

  it("names a word that is not expected, and the grammar", () => {
    expect(read("permit ip any any log log")).toMatch(/^error: log is not expected here: \[SEQ\] permit/);
  });

  it("is an error or is stored in a form that reads the same, whatever it is", () => {
    const words = [
      "permit",
      "deny",
      "ip",
      "tcp",
      "any",
      "host",
      "10.0.0.1",
      "10.0.0.0/8",
      "eq",
      "range",
      "80",
      "90",
      "type",
    ];
    const more = ["established", "state", "new", "log", "7", "icmp", "code"];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words, ...more), { maxLength: 12 }), (given) => {
        const stored = read(given.join(" "));
        if (!stored.startsWith("error")) expect(read(stored)).toBe(stored);
      }),
    );
  });
});
