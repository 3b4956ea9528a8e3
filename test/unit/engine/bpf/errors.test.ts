/** The error of a rejected expression: its code, its position and what was expected. */

import { compileForPeople } from "@wirelab/engine/bpf/compile-for-people";
import {
  compileFilter,
  type FilterErrorCode,
  FilterSyntaxError,
  type LinkType,
} from "@wirelab/engine/bpf/index";
import { describe, expect, it } from "vitest";
import { DISPLAY_FILTERS } from "../../../../packages/engine/bpf/hints.ts";

function refusal(expression: string, linkType: LinkType = "DLT_EN10MB"): FilterSyntaxError {
  try {
    compileForPeople(expression, linkType);
  } catch (error) {
    if (error instanceof FilterSyntaxError) return error;
    throw error;
  }
  throw new Error(`"${expression}" was accepted`);
}

describe("what people write in other places", () => {
  it.each([
    ["ip proto icmp", 'write \\icmp: behind "proto", a word of the language needs a backslash'],
    ["not ether proto arp or icmp", "write \\arp"],
    [
      "tcp.port == 80",
      `"tcp.port" is of Wireshark's display filters; this is a capture filter (pcap-filter), such as: tcp port 80`,
    ],
    ["icmp && ip.src==1.2.3.4", "such as: src host 10.0.0.1"],
    ["tcp.analysis.retransmission", "this is a capture filter (pcap-filter))"],
    ["http", "such as: tcp port 80"],
    ['"tcp port 80"', "write the filter without quotes"],
    ["'icmp'", "write the filter without quotes"],
  ])("%s is refused with how it is written here", (expression, hint) => {
    expect(refusal(expression).message).toContain(hint);
  });

  it.each(["tcp port", "host example.com", "tcp and 80", "10.0.0.1", "__proto__", "constructor", "foo"])(
    "%s gets no hint",
    (expression) => {
      expect(refusal(expression).message).not.toMatch(/\(.*(write|Wireshark)/);
    },
  );

  it("are examples that compile", () => {
    const examples = Object.keys(DISPLAY_FILTERS).map((field) => {
      const message = refusal(field).message;
      return /such as: (.*)\)$/.exec(message)![1]!;
    });
    for (const example of examples) compileFilter(example);
    expect(examples.length).toBeGreaterThan(20);
  });
});

describe("a refused filter expression", () => {
  const cases: readonly [expression: string, code: FilterErrorCode, line: number, column: number][] = [
    ["host 256.1.1.1", "bpf.bad-address", 1, 6],
    ["net 10.0.0.1/8", "bpf.bad-address", 1, 5],
    ["ip and host 1::2::3", "bpf.bad-address", 1, 13],
    ["host ::1.2.3.400", "bpf.bad-address", 1, 6],
    ["ether host 00:11:22:33", "bpf.bad-address", 1, 12],
    ["tcp, udp", "bpf.bad-character", 1, 4],
    ["port 08", "bpf.bad-number", 1, 6],
    ["port 65536", "bpf.bad-number", 1, 6],
    ["less 4294967296", "bpf.bad-number", 1, 6],
    ["vlan 4096", "bpf.bad-number", 1, 1],
    ["ip and ip[0:3] = 1", "bpf.bad-number", 1, 8],
    ["icmp port 80", "bpf.bad-qualifier", 1, 11],
    ["tcp host 10.0.0.1", "bpf.bad-qualifier", 1, 10],
    ["ip[0] / 0 = 1", "bpf.division-by-zero", 1, 9],
    ["ip[0] << 32 = 1", "bpf.division-by-zero", 1, 10],
    ["host example.com", "bpf.host-name", 1, 6],
    ["tcp and 80", "bpf.missing-qualifier", 1, 9],
    ["ip and not ip", "bpf.rejects-all", 1, 1],
    [`${"1+(".repeat(17)}1${")".repeat(17)} = 18`, "bpf.too-complex", 1, 1],
    [`${"(".repeat(201)}ip${")".repeat(201)}`, "bpf.too-complex", 1, 201],
    [`${"ip or ".repeat(20_000)}ip`, "bpf.too-complex", 1, 1],
    ["tcp port", "bpf.unexpected-token", 1, 9],
    ["tcp\nand\n  )", "bpf.unexpected-token", 3, 3],
    ["tcp\r\nand\r  )", "bpf.unexpected-token", 3, 3],
    ["port nosuchport", "bpf.unknown-name", 1, 6],
    ["ip proto \\nosuch", "bpf.unknown-name", 1, 10],
    ["llc foo", "bpf.unknown-name", 1, 1],
    ["tcp and inbound", "bpf.unsupported", 1, 9],
    ["wlan type data", "bpf.unsupported", 1, 6],
    ["gateway foo", "bpf.unsupported", 1, 9],
    ["ip[0] / (0 * ip[1]) = 1", "bpf.division-by-zero", 1, 10],
    ["ip[0] / (1 - 1) = 1", "bpf.division-by-zero", 1, 1],
  ];

  it.each(cases)("%s", (expression, code, line, column) => {
    const error = refusal(expression);

    expect({ code: error.code, line: error.line, column: error.column }).toEqual({ code, line, column });
  });

  it("has a test for every code but `invalid-program`, which only an unoptimised program can reach", () => {
    const reached = new Set(cases.map(([, code]) => code));

    expect([...reached].sort()).toEqual([
      "bpf.bad-address",
      "bpf.bad-character",
      "bpf.bad-number",
      "bpf.bad-qualifier",
      "bpf.division-by-zero",
      "bpf.host-name",
      "bpf.missing-qualifier",
      "bpf.rejects-all",
      "bpf.too-complex",
      "bpf.unexpected-token",
      "bpf.unknown-name",
      "bpf.unsupported",
    ]);
  });

  it("has a message of one sentence with position, fault and alternatives", () => {
    expect(refusal("tcp port").message).toBe(
      "line 1, column 9: the expression ends too early; expected an address, a name or a number",
    );
    expect(refusal("tcp port )").message).toBe(
      'line 1, column 10: unexpected ")"; expected an address, a name or a number',
    );
    expect(refusal("host example.com").message).toBe(
      'line 1, column 6: "example.com" is a host name, and a filter cannot look up names: write the address',
    );
    expect(refusal("port 80 and inbound").message).toBe(
      "line 1, column 13: packets on Ethernet do not say whether they are inbound",
    );
    expect(refusal("broadcast", "DLT_C_HDLC").message).toBe(
      "line 1, column 1: there is no broadcast on Cisco HDLC",
    );
  });

  it("lists what was expected", () => {
    expect(refusal("tcp or").expected).toContain("a protocol");
    expect(refusal("(tcp").expected).toEqual(['")"']);
    expect(refusal("less x").expected).toEqual(["a length in bytes"]);
    expect(refusal("ip and not ip").expected).toEqual([]);
  });
});
