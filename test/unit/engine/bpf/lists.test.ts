/** Long lists of ports and addresses, compiled to one test, compared with libpcap and with each member alone. */

import { compileFilter, compileProgram, FilterSyntaxError, interpret } from "@wirelab/engine/bpf/index";
import { DATA_LINK_TYPES } from "@wirelab/engine/pcap/index";
import { describe, expect, it } from "vitest";
import { packetsOf } from "../../../helpers/bpf/frames.ts";
import { hasOracle, OracleCapture, oracleNote, ourProgram } from "../../../helpers/bpf/oracle.ts";

/** The shortest length that counts as long, and a length that libpcap still compiles in a second for each kind. */
const SHORTEST = 17;
const LONG = 70;

/** The interface's link types. On BSD loopback a long list can compile to another program (docs/pcap-filter.md). */
const linkTypes = DATA_LINK_TYPES.map(({ name }) => name);

function listOf(length: number, member: (index: number) => string, joint = " or "): string {
  return Array.from({ length }, (_, index) => member(index)).join(joint);
}

/** The frames of the tests have ports 53, 80, ... and addresses 10.0.0.1, ... among others. */
const KINDS: Readonly<Record<string, (length: number) => string>> = {
  ports: (length) => listOf(length, (i) => `port ${2 * i + 1}`),
  "TCP source ports": (length) => listOf(length, (i) => `tcp src port ${2 * i}`),
  "ports at both ends": (length) => listOf(length, (i) => `src and dst port ${50 + i}`),
  "inherited ports": (length) => `udp port 50 or ${listOf(length, (i) => String(51 + i))}`,
  "port ranges": (length) => listOf(length, (i) => `portrange ${10 * i}-${10 * i + 3}`),
  "UDP port ranges at both ends": (length) =>
    listOf(length, (i) => `udp src and dst portrange ${i}-${i + 50}`),
  hosts: (length) => listOf(length, (i) => `host 10.0.0.${i}`),
  "IPv4 destinations": (length) => listOf(length, (i) => `ip dst host 192.168.1.${i}`),
  "ARP hosts": (length) => listOf(length, (i) => `arp host 10.0.0.${i}`),
  "networks and hosts": (length) =>
    listOf(length, (i) => (i % 2 === 0 ? `net ${i}.0.0.0/7` : `host 10.0.0.${i}`)),
  "masked networks": (length) => listOf(length, (i) => `net 10.${i}.0.0 mask 255.255.0.0`),
  "negated ports": (length) => listOf(length, (i) => `not port ${2 * i + 1}`, " and "),
  "negated hosts": (length) => listOf(length, (i) => `not src host 10.0.0.${i}`, " and "),
};

/** Kinds that are not compared: libpcap orders the tests of several masks differently, and keeps more range tests. */
const OTHERS = ["networks and hosts", "port ranges", "UDP port ranges at both ends"];
const OF_LIBPCAP = Object.entries(KINDS).filter(([name]) => !OTHERS.includes(name));

/** Protocol words; each is tested once. */
const WORDS = ["l1", "ipx", "tcp", "l2", "arp", "aarp", "ah", "snp"];

/** Contexts of a list. Next to tests of the same fields, libpcap's program can differ. */
const PLACES: readonly ((list: string) => string)[] = [
  (list) => `vlan and (${list})`,
  (list) => `tcp or ${list} or arp`,
  (list) => `not (${list})`,
];

describe.skipIf(!hasOracle)(`a long list and tcpdump${oracleNote}`, () => {
  it.each(linkTypes)("become the same program on %s", { timeout: 120_000 }, (linkType) => {
    const capture = new OracleCapture(linkType, []);
    const kinds = OF_LIBPCAP.map(([, list]) => list);
    const expressions = [
      ...kinds.map((list) => list(SHORTEST)),
      ...kinds.map((list) => list(linkType === "DLT_EN10MB" ? LONG : SHORTEST + 1)),
      ...PLACES.flatMap((place) => [place(KINDS.ports!(LONG)), place(KINDS.hosts!(LONG))]),
    ];

    const theirs = capture.programs(expressions);
    capture.remove();

    const differing = expressions.filter((text, i) => ourProgram(text, linkType) !== theirs[i]);
    expect(differing).toEqual([]);
  });

  it("compiles to another unoptimised program than libpcap's, and a shorter list to the same", {
    timeout: 60_000,
  }, () => {
    const capture = new OracleCapture("DLT_EN10MB", []);
    const expressions = [SHORTEST - 1, SHORTEST].map((length) => KINDS.ports!(length));

    const theirs = capture.programs(expressions, true);
    capture.remove();

    const same = expressions.map((text, i) => ourProgram(text, "DLT_EN10MB", true) === theirs[i]);
    expect(same).toEqual([true, false]);
  });
});

describe("a long list", () => {
  it.each(linkTypes)("gives the verdict of its members for whole frames on %s", (linkType) => {
    const frames = packetsOf(linkType).filter(({ bytes, wireLength }) => bytes.length === wireLength);
    for (const [name, list] of Object.entries(KINDS)) {
      // Frame Relay has no ARP, and a filter that can match no packet is rejected.
      if (linkType === "DLT_FRELAY" && name === "ARP hosts") continue;
      const text = list(LONG);
      const negated = name.startsWith("negated");
      const members = text.split(negated ? " and " : " or ").map((member) => {
        // A bare port inherits "udp port" here.
        const whole = /^\d+$/.test(member) ? `udp port ${member}` : member;
        return interpret(compileProgram(whole, linkType, { optimize: false }));
      });
      const predicates = [true, false].map((optimize) =>
        interpret(compileProgram(text, linkType, { optimize })),
      );
      for (const { bytes, wireLength } of frames) {
        const verdicts = members.map((matches) => matches(bytes, wireLength));
        const expected = negated ? verdicts.every(Boolean) : verdicts.some(Boolean);
        const given = predicates.map((matches) => matches(bytes, wireLength));
        expect(given, name).toEqual([expected, expected]);
      }
    }
  });

  it("of protocol words gives the verdict of one test per word, for truncated frames too", () => {
    const words = listOf(LONG, (i) => WORDS[i % WORDS.length]!);
    for (const place of [(text: string) => text, ...PLACES]) {
      const [one, other] = [words, WORDS.join(" or ")].map((text) =>
        interpret(compileProgram(place(text), "DLT_EN10MB", { optimize: false })),
      );
      const verdicts = packetsOf("DLT_EN10MB").map(({ bytes, wireLength }) => [
        one!(bytes, wireLength),
        other!(bytes, wireLength),
      ]);
      expect(verdicts.filter(([a, b]) => a !== b)).toEqual([]);
      expect(new Set(verdicts.map(([verdict]) => verdict)).size).toBe(2);
    }
  });

  it("does not include a member that another operator joins, or of another kind", () => {
    const frames = packetsOf("DLT_EN10MB").filter(({ bytes, wireLength }) => bytes.length === wireLength);
    const ports = KINDS.ports!(LONG);
    const cases: [text: string, same: string][] = [
      [`tcp and ${ports}`, `(tcp and port 1) or (${ports.replace("port 1 or ", "")})`],
      [`${ports} and udp or host 10.0.0.1`, `((${ports}) and udp) or host 10.0.0.1`],
      [`${ports} or tcp dst port 22 or arp`, `arp or tcp dst port 22 or (${ports})`],
      [`not port 22 and ${ports}`, `(not port 22 and port 1) or (${ports.replace("port 1 or ", "")})`],
    ];
    for (const [text, same] of cases) {
      const [one, other] = [compileFilter(text), compileFilter(same)];
      const verdicts = frames.map(({ bytes, wireLength }) => [
        one(bytes, wireLength),
        other(bytes, wireLength),
      ]);
      expect(
        verdicts.filter(([a, b]) => a !== b),
        text.slice(-40),
      ).toEqual([]);
      expect(new Set(verdicts.map(([verdict]) => verdict)).size, text.slice(-40)).toBe(2);
    }
  });

  it.each([
    ["a range's end out of range", KINDS["port ranges"]!(LONG).replace("200-203", "200-70003"), "200-70003"],
    ["a range of a protocol without ports", listOf(LONG, (i) => `icmp portrange ${i}-9`), "0-9"],
    ["a word that is no test", listOf(LONG, (i) => (i === 40 ? "radio" : "tcp")), "radio"],
    ["a port out of range", KINDS.ports!(LONG).replace("port 21 ", "port 70001 "), "70001"],
    ["a qualifier that ports do not have", listOf(LONG, (i) => `icmp port ${i}`), "0"],
    ["a broken address", KINDS.hosts!(LONG).replace("10.0.0.50 ", "10.0.0.500 "), "10.0.0.500"],
    ["bits outside a mask", listOf(LONG, (i) => `net 10.0.0.${i}/24`), "10.0.0.1/24"],
    ["an address where the link layer is asked", listOf(LONG, (i) => `ether host 10.0.0.${i}`), "10.0.0.0"],
    ["an address that is no port", listOf(LONG, (i) => `port 10.0.0.${i}`), "10.0.0.0"],
  ])("is rejected for %s, with its position", (_name, text, place) => {
    let refusal: unknown;
    try {
      compileFilter(text);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(FilterSyntaxError);
    expect(refusal).toMatchObject({ line: 1, column: text.indexOf(place) + 1 });
  });
});
