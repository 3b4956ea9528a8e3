/** Layers and fields of packets, with the bytes that each covers. */
import { encodeArp } from "@wirelab/engine/wire/arp";
import { type Layer, readDetails } from "@wirelab/engine/wire/details";
import { encodeEcho } from "@wirelab/engine/wire/icmp";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { decodePacket } from "@wirelab/engine/wire/summary";
import { encodeVxlan } from "@wirelab/engine/wire/vxlan";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DHCP_DISCOVER,
  encodeDhcp,
  OPTION_LEASE_TIME,
  OPTION_MESSAGE_TYPE,
} from "../../../../../packages/engine/wire/dhcp.ts";
import { encodeDhcpv6 } from "../../../../../packages/engine/wire/dhcpv6.ts";
import { encodeRip } from "../../../../../packages/engine/wire/rip.ts";
import { addDigest } from "../../../../../packages/engine/wire/rip-authentication.ts";
import { SAMPLE_FRAMES } from "../../../../helpers/engine/sample-frames.ts";

const MACS = [0xaa, 0, 0, 0, 0, 2, 0xaa, 0, 0, 0, 0, 1];
const IP_1 = 0x0a000001;
const IP_2 = 0x0a000002;

const ethernet = (type: number, payload: Uint8Array, tags: readonly number[] = []): Uint8Array =>
  Uint8Array.from([
    ...MACS,
    ...tags.flatMap((vlan) => [0x81, 0, vlan >> 8, vlan & 255]),
    type >> 8,
    type & 255,
    ...payload,
  ]);
const ip = (protocol: number, payload: Uint8Array): Uint8Array =>
  encodeIpv4({ source: IP_1, target: IP_2, protocol, id: 7 }, payload)[0]!;
const udp = (from: number, to: number, payload: Uint8Array): Uint8Array => {
  const length = 8 + payload.length;
  return Uint8Array.from([
    from >> 8,
    from & 255,
    to >> 8,
    to & 255,
    length >> 8,
    length & 255,
    0,
    0,
    ...payload,
  ]);
};

const read = (frame: Uint8Array): Layer[] => readDetails(frame, "DLT_EN10MB");
const namesOf = (layers: readonly Layer[]): string[] => layers.map(({ name }) => name);
const field = (layers: readonly Layer[], layer: string, label: string) =>
  layers.find(({ name }) => name === layer)?.fields.find((each) => each.label === label);

describe("the details of a packet", () => {
  test("of an echo request are its layers, one after the other, and the bytes of each field", () => {
    const layers = read(ethernet(0x0800, ip(1, encodeEcho(0x1234, 3, new Uint8Array(4)))));
    expect(layers.map(({ name, at, length }) => [name, at, length])).toEqual([
      ["Ethernet", 0, 14],
      ["IPv4", 14, 20],
      ["ICMP", 34, 8],
      ["Data", 42, 4],
    ]);
    expect(field(layers, "Ethernet", "Type")).toEqual({
      label: "Type",
      value: "0x0800 (IPv4)",
      at: 12,
      length: 2,
    });
    expect(field(layers, "IPv4", "Destination")).toMatchObject({ value: "10.0.0.2", at: 30, length: 4 });
    expect(field(layers, "IPv4", "Protocol")).toMatchObject({ value: "1 (ICMP)", at: 23 });
    expect(field(layers, "ICMP", "Type")?.value).toBe("8 (echo request)");
    expect(field(layers, "ICMP", "Identifier")).toMatchObject({ value: "0x1234", at: 38, length: 2 });
    expect(field(layers, "ICMP", "Sequence number")?.value).toBe("3");
  });

  test("have a layer for each VLAN tag", () => {
    const layers = read(ethernet(0x0800, ip(1, encodeEcho(1, 1, new Uint8Array(0))), [10, 20]));
    expect(namesOf(layers)).toEqual(["Ethernet", "802.1Q", "802.1Q", "IPv4", "ICMP"]);
    expect(layers[2]!.fields.find(({ label }) => label === "VLAN")?.value).toBe("20");
    expect(layers[3]!.at).toBe(22);
  });

  test("of ARP name the opcode", () => {
    const fields = { opcode: 1, senderMac: 1, senderIp: IP_1, targetMac: 0, targetIp: IP_2 };
    const layers = read(encodeArp(0xffff_ffff_ffff, 1, fields, 60));
    expect(namesOf(layers)).toEqual(["Ethernet", "ARP", "Padding"]);
    expect(field(layers, "ARP", "Opcode")?.value).toBe("1 (request)");
    expect(field(layers, "ARP", "Target IP")).toMatchObject({ value: "10.0.0.2", at: 38, length: 4 });
  });

  test("end with the length in the IP header; what follows is padding", () => {
    const echo = ip(1, encodeEcho(1, 1, new Uint8Array(2)));
    const layers = read(ethernet(0x0800, Uint8Array.from([...echo, 0, 0, 0])));
    expect(layers.slice(2).map(({ name, length }) => [name, length])).toEqual([
      ["ICMP", 8],
      ["Data", 2],
      ["Padding", 3],
    ]);
  });

  test("of DHCP have its options", () => {
    const message = encodeDhcp({
      op: 1,
      xid: 9,
      secs: 0,
      flags: 0,
      clientIp: 0,
      yourIp: 0,
      serverIp: 0,
      relayIp: 0,
      clientMac: 5,
      options: [
        [OPTION_MESSAGE_TYPE, Uint8Array.of(DHCP_DISCOVER)],
        [OPTION_LEASE_TIME, Uint8Array.of(0, 0, 14, 16)],
        [99, Uint8Array.of(1, 2)],
      ],
    });
    const layers = read(ethernet(0x0800, ip(17, udp(68, 67, message))));
    expect(namesOf(layers)).toEqual(["Ethernet", "IPv4", "UDP", "DHCP"]);
    expect(field(layers, "DHCP", "Message type")).toMatchObject({
      value: "1 (discover)",
      at: 42 + 240,
      length: 3,
    });
    expect(field(layers, "DHCP", "Lease time")?.value).toBe("3600 s");
    expect(field(layers, "DHCP", "Option 99")?.value).toBe("2 bytes");
  });

  test("of RIP have the fields of each route", () => {
    const entry = { family: 2, tag: 7, network: IP_1, mask: 0xffff_ff00, nextHop: 0, metric: 16 };
    const message = encodeRip({ command: 2, version: 2, entries: [entry, { ...entry, metric: 3 }] });
    const layers = read(ethernet(0x0800, ip(17, udp(520, 520, message))));
    expect(namesOf(layers)).toEqual(["Ethernet", "IPv4", "UDP", "RIP"]);
    expect(field(layers, "RIP", "Command")).toMatchObject({ value: "2 (response)", at: 42, length: 1 });
    expect(field(layers, "RIP", "Address family")?.value).toBe("2 (IPv4)");
    const metrics = layers[3]!.fields.filter(({ label }) => label === "Metric");
    expect(metrics.map(({ value, at }) => [value, at])).toEqual([
      ["16", 62],
      ["3", 82],
    ]);
  });

  test("of RIP with a digest end with the entries before it", () => {
    const entry = { family: 2, tag: 7, network: IP_1, mask: 0xffff_ff00, nextHop: 0, metric: 3 };
    const message = encodeRip({ command: 2, version: 2, entries: [entry] });
    const signed = addDigest(message, "md5", { id: 1, key: Uint8Array.of(1) }, 9);
    const layers = read(ethernet(0x0800, ip(17, udp(520, 520, signed))));
    const families = layers[3]!.fields.filter(({ label }) => label === "Address family");
    expect(families.map(({ value }) => value)).toEqual(["65535 (authentication)", "2 (IPv4)"]);
  });

  test("of VXLAN go on with the frame inside", () => {
    const inner = ethernet(0x0800, ip(1, encodeEcho(0x1234, 3, new Uint8Array(4))));
    const outer = ethernet(0x0800, ip(17, udp(50_000, 4_789, encodeVxlan({ vni: 10, frame: inner }))));
    const layers = read(outer);
    expect(namesOf(layers)).toEqual(["Ethernet", "IPv4", "UDP", "VXLAN", "Ethernet", "IPv4", "ICMP", "Data"]);
    expect(field(layers, "VXLAN", "VNI")).toEqual({ label: "VNI", value: "10", at: 46, length: 3 });
    expect(decodePacket(outer, outer.length, "DLT_EN10MB")).toMatchObject({
      protocol: "VXLAN",
      info: "VNI 10 IPv4 aa:00:00:00:00:01 -> aa:00:00:00:00:02",
    });
    for (let end = 0; end < outer.length; end++) read(outer.subarray(0, end));
    const short = ethernet(
      0x0800,
      ip(17, udp(50_000, 4_789, encodeVxlan({ vni: 10, frame: inner.subarray(0, 13) }))),
    );
    expect(decodePacket(short, short.length, "DLT_EN10MB")).toMatchObject({ protocol: "UDP" });
  });

  test("of DHCPv6 name the message and its options", () => {
    const options = [
      [1, new Uint8Array(10)],
      [99, new Uint8Array(2)],
    ] as const;
    const message = encodeDhcpv6({ type: 1, transaction: 0xabcdef, options });
    const layers = read(ethernet(0x0800, ip(17, udp(546, 547, message))));
    expect(field(layers, "DHCPv6", "Message type")?.value).toBe("1 (Solicit)");
    expect(field(layers, "DHCPv6", "Transaction")?.value).toBe("0xabcdef");
    expect(field(layers, "DHCPv6", "Client identifier")).toMatchObject({
      value: "10 bytes",
      at: 46,
      length: 14,
    });
    expect(field(layers, "DHCPv6", "Option 99")?.value).toBe("2 bytes");
  });

  test("of TCP and DNS name flags and codes", () => {
    const tcp = new Uint8Array(20);
    tcp.set([0, 80, 0x30, 0x39, 0, 0, 0, 1, 0, 0, 0, 2, 0x50, 0x12]);
    expect(field(read(ethernet(0x0800, ip(6, tcp))), "TCP", "Flags")?.value).toBe("ACK, SYN");
    const dns = Uint8Array.of(0, 9, 0x81, 0x83, 0, 1, 0, 0, 0, 0, 0, 0);
    const layers = read(ethernet(0x0800, ip(17, udp(53, 4000, dns))));
    expect(field(layers, "DNS", "Flags")?.value).toBe("response, recursion desired, recursion available");
    expect(field(layers, "DNS", "Response code")?.value).toBe("3 (no such name)");
  });

  test("of a later fragment stop at IPv4", () => {
    const fields = { source: IP_1, target: IP_2, protocol: 17, fragmentOffset: 8 };
    const fragment = new Uint8Array(encodeIpv4(fields, new Uint8Array(16))[0]!);
    fragment[7] = 1;
    expect(namesOf(read(ethernet(0x0800, fragment)))).toEqual(["Ethernet", "IPv4", "Data"]);
  });

  test("of a truncated packet are those whose bytes are there", () => {
    const layers = read(ethernet(0x0800, ip(1, encodeEcho(1, 1, new Uint8Array(8)))).subarray(0, 30));
    expect(namesOf(layers)).toEqual(["Ethernet", "IPv4"]);
    expect(field(layers, "IPv4", "Source")?.value).toBe("10.0.0.1");
    expect(field(layers, "IPv4", "Destination")).toBeUndefined();
  });

  test("of other link types are those of Cisco HDLC, PPP and Frame Relay", () => {
    const packet = ip(1, encodeEcho(1, 1, new Uint8Array(0)));
    const hdlc = Uint8Array.from([0x0f, 0, 0x08, 0, ...packet]);
    expect(namesOf(readDetails(hdlc, "DLT_C_HDLC"))).toEqual(["Cisco HDLC", "IPv4", "ICMP"]);
    const ppp = Uint8Array.from([0xff, 3, 0, 0x21, ...packet]);
    expect(namesOf(readDetails(ppp, "DLT_PPP_SERIAL"))).toEqual(["PPP", "IPv4", "ICMP"]);
    const relayed = Uint8Array.from([0x18, 0x41, 3, 0xcc, ...packet]);
    expect(namesOf(readDetails(relayed, "DLT_FRELAY"))).toEqual(["Frame Relay", "IPv4", "ICMP"]);
  });

  test("of a packet that cannot be decoded say why", () => {
    const problemOf = (frame: Uint8Array) => read(frame).at(-1)!.problem ?? read(frame).at(-2)?.problem;
    const request = { opcode: 1, senderMac: 1, senderIp: IP_1, targetMac: 0, targetIp: IP_2 };
    expect(problemOf(encodeArp(2, 1, request).subarray(0, 34))).toBe("ARP takes 28 bytes, 20 are there");
    expect(problemOf(ethernet(0x0800, ip(17, udp(5, 6, new Uint8Array(3)).with(5, 99))))).toBe(
      "UDP length 99 in 11 bytes",
    );
    expect(problemOf(ethernet(0x0800, ip(17, udp(68, 67, new Uint8Array(20)))))).toBe(
      "DHCP takes 240 bytes, 20 are there",
    );
    expect(problemOf(ethernet(0x0800, ip(112, Uint8Array.of(0x21, 7))))).toBe(
      "no advertisement of version 3 in 2 bytes",
    );
    expect(problemOf(encodeArp(2, 1, request))).toBeUndefined();
  });

  test("of a packet that the capture cut have no problem", () => {
    const whole = ethernet(0x0800, ip(1, encodeEcho(1, 1, new Uint8Array(8))));
    const cut = readDetails(whole.subarray(0, 36), "DLT_EN10MB", whole.length);
    expect(cut.map(({ name, problem }) => [name, problem])).toEqual([
      ["Ethernet", undefined],
      ["IPv4", undefined],
      ["ICMP", undefined],
    ]);
  });

  test("cover any bytes without gaps, and have no field outside", () => {
    const types = fc.constantFrom(0x0800, 0x86dd, 0x0806, 0x8100, 40);
    fc.assert(
      fc.property(types, fc.uint8Array({ maxLength: 400 }), (type, payload) => {
        const frame = ethernet(type, payload);
        const layers = read(frame);
        let at = 0;
        for (const layer of layers) {
          expect(layer.at).toBe(at);
          at += layer.length;
        }
        expect(at).toBe(frame.length);
        for (const each of layers.flatMap(({ fields }) => fields))
          expect(each.at + each.length).toBeLessThanOrEqual(frame.length);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

/** Kinds whose last bytes belong to an application or to a whole of which the frame has a part. */
const WITH_DATA = ["Ethernet", "802.1Q", "IPv4", "IPv6", "ICMP", "ICMPv6", "UDP", "TCP", "GRE", "VXLAN"];

describe("the details of what devices send", () => {
  test.each(Object.entries(SAMPLE_FRAMES))("%s go to the last field", (kind, frames) => {
    for (const frame of frames) {
      const layers = read(frame);
      expect(layers.flatMap(({ problem }) => problem ?? [])).toEqual([]);
      if (kind !== "MLD") expect(namesOf(layers)).toContain(kind);
      if (!WITH_DATA.includes(kind)) expect(namesOf(layers)).not.toContain("Data");
      for (const layer of layers.filter(({ name }) => name !== "Data" && name !== "Padding"))
        expect(layer.fields.length, layer.name).toBeGreaterThan(0);
    }
  });

  test("go through a tunnel, and into the packet that an error quotes", () => {
    const namesIn = (kind: string, index: number) => namesOf(read(SAMPLE_FRAMES[kind]![index]!)).join(" ");
    expect(namesIn("GRE", 1)).toBe("Ethernet IPv4 GRE IPv6 ICMPv6 Data");
    expect(namesIn("ICMP", 2)).toBe("Ethernet IPv4 ICMP IPv4 UDP");
    expect(namesIn("MLD", 0)).toBe("Ethernet IPv6 IPv6 hop-by-hop options ICMPv6");
  });
});
