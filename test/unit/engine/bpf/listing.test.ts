/**
 * Listings, against output of `tcpdump -r empty.pcap -d EXPRESSION` recorded with tcpdump 4.99.3 and libpcap 1.10.3 (Ethernet,
 * snapshot length 262144), so that these comparisons run without an installed tcpdump.
 */

import { compileProgram, formatProgram } from "@wirelab/engine/bpf/index";
import { describe, expect, it } from "vitest";
import { hasOracle, OracleCapture, oracleNote } from "../../../helpers/bpf/oracle.ts";

const listing = (expression: string): string => formatProgram(compileProgram(expression));

describe("the listing of a program", () => {
  it("is tcpdump's for a port and a host: the IPv6 half is gone, and the port is read once", () => {
    expect(listing("tcp port 80 and host 10.0.0.1")).toBe(
      [
        "(000) ldh      [12]",
        "(001) jeq      #0x86dd          jt 17\tjf 2",
        "(002) jeq      #0x800           jt 3\tjf 17",
        "(003) ldb      [23]",
        "(004) jeq      #0x6             jt 5\tjf 17",
        "(005) ldh      [20]",
        "(006) jset     #0x1fff          jt 17\tjf 7",
        "(007) ldxb     4*([14]&0xf)",
        "(008) ldh      [x + 14]",
        "(009) jeq      #0x50            jt 12\tjf 10",
        "(010) ldh      [x + 16]",
        "(011) jeq      #0x50            jt 12\tjf 17",
        "(012) ld       [26]",
        "(013) jeq      #0xa000001       jt 16\tjf 14",
        "(014) ld       [30]",
        "(015) jeq      #0xa000001       jt 16\tjf 17",
        "(016) ret      #262144",
        "(017) ret      #0",
      ].join("\n"),
    );
  });

  it("is tcpdump's for arithmetic: `%` takes all that follows it as its right side", () => {
    expect(listing("ip[0] % 2 + 1 = 3")).toBe(
      [
        "(000) ldh      [12]",
        "(001) jeq      #0x800           jt 2\tjf 6",
        "(002) ldb      [14]",
        "(003) mod      #3",
        "(004) jeq      #0x3             jt 5\tjf 6",
        "(005) ret      #262144",
        "(006) ret      #0",
      ].join("\n"),
    );
  });

  it.skipIf(!hasOracle)(`is tcpdump's for every kind of instruction${oracleNote}`, () => {
    const expressions = [
      "",
      "ip protochain 6",
      "geneve 5 and tcp port 80",
      "ether[len - 1] = ip[ip[0]] ^ (5 | len)",
      "ip[0] * ip[1] / ip[2] % ip[3] << ip[4]",
      "-ip[0] = len >> 3",
      "ip[-1] = 1 or byte 4294967295 > 5",
      "tcp[0] > ip[0] and len >= ip[0] and tcp[0] != -5",
      Array.from({ length: 16 }, (_, i) => `portrange ${i * 3}-${i * 3 + 1}`).join(" or "),
    ].map((expression) => (expression.includes("<<") ? `${expression} = 1` : expression));
    const capture = new OracleCapture("DLT_EN10MB", []);

    const theirs = capture.listings(expressions);
    capture.remove();

    expect(expressions.map(listing)).toEqual(theirs);
  });
});
