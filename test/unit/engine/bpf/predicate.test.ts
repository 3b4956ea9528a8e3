/** Verdicts of predicates where BPF differs from handwritten code. */

import { compileFilter, FilterSyntaxError } from "@wirelab/engine/bpf/index";
import { describe, expect, it } from "vitest";
import { packetsOf } from "../../../helpers/bpf/frames.ts";

/** The first frame of the builders: TCP from 10.0.0.1 port 40000 to 192.168.1.2 port 80, a SYN. */
const web = packetsOf("DLT_EN10MB")[0]!.bytes;

function matches(expression: string, packet: Uint8Array = web, wireLength: number = packet.length): boolean {
  return compileFilter(expression)(packet, wireLength);
}

describe("a filter predicate", () => {
  it("matches everything when the expression is empty", () => {
    expect(matches("")).toBe(true);
    expect(matches(" \n ", new Uint8Array())).toBe(true);
  });

  it("distinguishes protocols, addresses and ports", () => {
    expect(matches("tcp port 80 and host 10.0.0.1")).toBe(true);
    expect(matches("src port 80")).toBe(false);
    expect(matches("dst net 192.168 and tcp[tcpflags] = tcp-syn")).toBe(true);
    expect(matches("ip6 or udp")).toBe(false);
  });

  it("rejects a packet for a load past its end, in every context of the load", () => {
    expect(matches("ether[200] = 0")).toBe(false);
    expect(matches("not ether[200] = 0")).toBe(false);
    expect(matches("ether[200] = 0 or ip")).toBe(false);
    expect(matches("ip or ether[200] = 0")).toBe(true);
    expect(matches("arp and ether[200] = 0 or ip")).toBe(true);
  });

  it("rejects a packet cut before the type field even for `not ip`", () => {
    expect(matches("not ip", web.subarray(0, 13))).toBe(false);
    expect(matches("not ip", web.subarray(0, 14))).toBe(false);
    expect(matches("not ip6", web.subarray(0, 14))).toBe(true);
  });

  it("ignores a load that the optimiser removed", () => {
    expect(matches("ether[200] & 0 = 0")).toBe(true);
    expect(matches("ether[200] * 0 = 0 and ip")).toBe(true);
  });

  it("takes `len` from the wire, not from the captured bytes", () => {
    expect(matches("len = 1500", web, 1500)).toBe(true);
    expect(matches("greater 1501", web, 1500)).toBe(false);
    expect(matches("less 1500", web, 1500)).toBe(true);
    expect(matches("len > 0x7fffffff", web, 0xffffffff)).toBe(true);
  });

  it("computes with unsigned 32-bit numbers", () => {
    expect(matches("ip[1] - 1 = 0xffffffff")).toBe(true);
    expect(matches("ip[1] - 1 > 0x7fffffff")).toBe(true);
    expect(matches("-ip[0] > ip[0]")).toBe(true);
    expect(matches("ip[12:4] * 0x10000 = 0x10000")).toBe(true);
    expect(matches("0xffffffff / ip[8] = 67108863")).toBe(true);
    expect(matches("(0 - ip[0]) >> 28 = 15")).toBe(true);
    expect(matches("ip[0] << (ip[0] - 37) = 0")).toBe(true);
  });

  it("rejects a packet for a division by zero, also under `not`", () => {
    expect(matches("ip[0] / ip[1] = 1")).toBe(false);
    expect(matches("not ip[0] / ip[1] = 1")).toBe(false);
    expect(matches("ip[0] % ip[1] = 1 or tcp")).toBe(false);
    expect(matches("tcp or ip[0] % ip[1] = 1")).toBe(true);
  });

  it("looks behind a tag for everything after `vlan`, also after `or`", () => {
    expect(matches("ip or vlan")).toBe(true);
    expect(matches("vlan or ip")).toBe(false);
  });

  it("keeps no state between packets", () => {
    const predicate = compileFilter("tcp[13] & 2 != 0");
    const answers = [web, new Uint8Array(), web, web.subarray(0, 30), web].map((bytes) =>
      predicate(bytes, 60),
    );

    expect(answers).toEqual([true, false, true, false, true]);
  });

  it("works on other link types", () => {
    const hdlc = Uint8Array.from([0x0f, 0, 8, 0, ...web.subarray(14)]);

    expect(compileFilter("tcp dst port 80", "DLT_C_HDLC")(hdlc, hdlc.length)).toBe(true);
    expect(compileFilter("tcp dst port 80", "DLT_FRELAY")(hdlc, hdlc.length)).toBe(false);
  });

  it("returns for an authentication header that leads to itself, on which libpcap loops for ever", () => {
    const circle = web.slice();
    circle[23] = 51;
    // Next header 51 again, and a length that libpcap turns into offset 20, which is this header's own.
    circle.set([51, 3], 34);

    expect(matches("ip protochain 6", circle)).toBe(false);
    expect(matches("not protochain 6 or not protochain 17", circle)).toBe(false);
  });
});

describe("oddities of libpcap that are kept", () => {
  it.each([
    ["`%` takes all that follows as its right side", "ip[0] % 2 + 1 = 0", true],
    ["the right operand of arithmetic is not checked for its protocol", "ip[0] + ip6[0] = 138", true],
    ["`byte N & M` forgets to load the byte", "byte 12 & 8", false],
    ["a short address compares the bits it has, also for `host`", "host 10.0", true],
    ["a port range may run backwards", "portrange 443-80", true],
    ["and what follows it is ignored", "portrange 80-443x", true],
  ])("%s: %s", (_why, expression, matched) => {
    expect(matches(expression)).toBe(matched);
  });

  it("rejects a division by an accessor at offset zero, because the offset is the divisor's first constant", () => {
    expect(() => compileFilter("len / ip[0] = 1")).toThrow(FilterSyntaxError);
    expect(() => compileFilter("len / ip[1] = 1")).not.toThrow();
  });
});
