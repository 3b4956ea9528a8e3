import { describe, expect, it } from "vitest";
import { matchIpv6, parseIpv6 } from "../../../../packages/engine/bpf/ipv6-text.ts";
import { tokenize } from "../../../../packages/engine/bpf/lexer.ts";

/** Kinds and texts of the tokens, without the end. */
const kinds = (text: string): string[] =>
  tokenize(text)
    .slice(0, -1)
    .map((token) => `${token.kind} ${token.text}`);

describe("the filter lexer", () => {
  it.each([
    ["tcp port 80", ["tcp tcp", "port port", "number 80"]],
    ["ether fddi wlan", ["link ether", "link fddi", "link wlan"]],
    ["a&&b||!c", ["name a", "and &&", "name b", "or ||", "! !", "name c"]],
    ["ip[0:2]==5", ["ip ip", "[ [", "number 0", ": :", "number 2", "] ]", "= ==", "number 5"]],
    [
      "1<<2>>3<=4>=5!=6",
      [
        "number 1",
        "<< <<",
        "number 2",
        ">> >>",
        "number 3",
        "<= <=",
        "number 4",
        ">= >=",
        "number 5",
        "!= !=",
        "number 6",
      ],
    ],
    ["10.0.0.1 10.1 1.2.3.4.5", ["ipv4 10.0.0.1", "ipv4 10.1", "name 1.2.3.4.5"]],
    ["1.2.3.4.5.6 1-2-3-4-5-6 0011.2233.4455", ["mac 1.2.3.4.5.6", "mac 1-2-3-4-5-6", "mac 0011.2233.4455"]],
    [
      "123456789012 12345678901a 12345678901ab",
      ["mac 123456789012", "mac 12345678901a", "name 12345678901ab"],
    ],
    ["fe80::1 :: 1::", ["ipv6 fe80::1", "ipv6 ::", "ipv6 1::"]],
    ["80-90 http-alt tcp- ftp-data", ["name 80-90", "name http-alt", "tcp tcp", "- -", "name ftp-data"]],
    ["tcp-syn tcp-foo icmp-echoreply", ["number tcp-syn", "name tcp-foo", "number icmp-echoreply"]],
    ["\\tcp \\a:b", ["name tcp", "name a:b"]],
    ["$a", ["arcnet $a"]],
  ])("takes the longest token, and the more specific kind: %s", (text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });

  it("reads numbers as C does, and named constants as numbers", () => {
    const values = tokenize("80 0x50 0120 0 4294967295 tcp-syn tcpflags icmp6-echo").map(
      ({ value }) => value,
    );

    expect(values).toEqual([80, 80, 80, 0, 4294967295, 2, 13, 128, 0]);
  });

  it("reports the position of each token", () => {
    expect(tokenize("ip and\n  tcp").map(({ start, end }) => [start, end])).toEqual([
      [0, 2],
      [3, 6],
      [9, 12],
      [12, 12],
    ]);
  });
});

describe("IPv6 text", () => {
  it.each([
    ["1:2:3:4:5:6:7:8", 15],
    ["1:2:3:4:5:6:7:8:9", 15],
    ["::", 2],
    ["::1", 3],
    ["1::2::3", 4],
    ["1:2:3:4:5:6:1.2.3.4", 19],
    ["::1.2.3.4", 9],
    ["1:2", 0],
    ["ip", 0],
    ["12345::", 0],
    ["1::12345", 7],
  ])("the address in %s is %i characters long", (text, length) => {
    expect(matchIpv6(text, 0)).toBe(length);
  });

  it.each([
    ["::", [0, 0, 0, 0]],
    ["::1", [0, 0, 0, 1]],
    ["2001:db8::ff00:42:8329", [0x20010db8, 0, 0xff00, 0x00428329]],
    ["::ffff:10.0.0.1", [0, 0, 0xffff, 0x0a000001]],
    ["1:2:3:4:5:6:7::", [0x00010002, 0x00030004, 0x00050006, 0x00070000]],
  ])("%s is four words", (text, words) => {
    expect(parseIpv6(text)).toEqual(words);
  });

  it.each(["1::2::3", "1:2:3", "::300.1.1.1", "::01.2.3.4", "1:2:3:4:5:6:7:8::", "g::", ""])(
    "%j is not an address",
    (text) => {
      expect(parseIpv6(text)).toBeNull();
    },
  );
});
