import {
  CaptureError,
  encodeInterface,
  encodeSectionHeader,
  type InterfaceDescription,
  PacketBlockEncoder,
  readCapture,
} from "@wirelab/engine/pcap/index";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concat, hex } from "../../../helpers/engine/pcap.ts";
import { isInstalled, linesOf, withFile } from "../../../helpers/engine/programs.ts";

const ETHERNET: InterfaceDescription = { linkType: 1, snaplen: 65_535 };
const FINE: InterfaceDescription = { linkType: 50, snaplen: 96, resolution: "nanosecond" };

interface Sent {
  readonly interfaceId: number;
  readonly seconds: number;
  readonly nanoseconds: number;
  readonly data: Uint8Array;
  readonly originalLength: number;
}

function encodeFile(interfaces: readonly InterfaceDescription[], packets: readonly Sent[]): Uint8Array {
  const encoder = new PacketBlockEncoder(interfaces.map(({ resolution }) => resolution));
  for (const { interfaceId, seconds, nanoseconds, data, originalLength } of packets)
    encoder.write(interfaceId, seconds, nanoseconds, data, originalLength);
  return concat(encodeSectionHeader("wirelab"), ...interfaces.map(encodeInterface), encoder.take());
}

describe("a pcapng", () => {
  test("is section header, interfaces and packets, byte for byte", () => {
    const file = encodeFile(
      [{ linkType: 1, snaplen: 96, name: "eth0", filter: "ip" }, FINE],
      [
        { interfaceId: 0, seconds: 1, nanoseconds: 2999, data: hex("0a0b0c"), originalLength: 60 },
        {
          interfaceId: 1,
          seconds: 1_700_000_000,
          nanoseconds: 123_456_789,
          data: hex(""),
          originalLength: 0,
        },
      ],
    );
    const expected = hex(`
      0a0d0d0a 2c000000 4d3c2b1a 0100 0000 ffffffffffffffff 0400 0700 776972656c616200 0000 0000 2c000000
      01000000 28000000 0100 0000 60000000 0200 0400 65746830 0b00 0300 00697000 0000 0000 28000000
      01000000 20000000 3200 0000 60000000 0900 0100 09000000 0000 0000 20000000
      06000000 24000000 00000000 00000000 42420f00 03000000 3c000000 0a0b0c00 24000000
      06000000 20000000 01000000 fe9c9717 15cd853d 00000000 00000000 20000000`);
    expect(Buffer.from(file).toString("hex")).toBe(Buffer.from(expected).toString("hex"));
  });

  test("reads back as written, times in the interface's resolution", () => {
    const packets = fc.array(
      fc.record({
        interfaceId: fc.nat(1),
        seconds: fc.nat(4_294_967_295),
        nanoseconds: fc.nat(999_999_999),
        data: fc.uint8Array({ maxLength: 50 }),
        originalLength: fc.nat(70_000),
      }),
    );
    fc.assert(
      fc.property(packets, (sent) => {
        const file = readCapture(encodeFile([ETHERNET, FINE], sent));
        if (!file.ok) throw file.error;
        expect(file.interfaces.map(({ linkType, snaplen }) => [linkType, snaplen])).toEqual([
          [1, 65_535],
          [50, 96],
        ]);
        const expected = sent.map((packet) => ({
          ...packet,
          nanoseconds:
            packet.interfaceId === 1 ? packet.nanoseconds : Math.floor(packet.nanoseconds / 1000) * 1000,
          linkType: packet.interfaceId === 1 ? 50 : 1,
        }));
        expect(file.frames).toEqual(expected);
      }),
    );
  });

  test("accepts names of any length, truncated after a whole character", () => {
    const file = readCapture(encodeFile([{ ...ETHERNET, name: "é".repeat(40_000), description: "x" }], []));
    expect(file.ok).toBe(true);
  });

  test("rejects times before 1970 and interfaces without a description", () => {
    const encoder = new PacketBlockEncoder([undefined]);
    expect(() => encoder.write(0, -1, 0, hex(""), 0)).toThrow(CaptureError);
    expect(() => encoder.write(0, 2 ** 45, 0, hex(""), 0)).toThrow(CaptureError);
    expect(() => encoder.write(1, 0, 0, hex(""), 0)).toThrow(RangeError);
    expect(encoder.sizeBytes).toBe(0);
  });
});

describe.skipIf(!isInstalled("tshark") || !isInstalled("capinfos"))(
  "tshark and capinfos (skipped if they are not installed)",
  () => {
    const interfaces = [
      { ...ETHERNET, name: "PC1 0/0 - SW1 0/2", description: "a.pcap", filter: "icmp or arp" },
      FINE,
    ];
    const data = hex("ffffffffffff 020000000001 9000 0000");
    const packets = [
      { interfaceId: 0, seconds: 1_700_000_000, nanoseconds: 1000, data, originalLength: 60 },
      { interfaceId: 1, seconds: 1_700_000_000, nanoseconds: 1001, data, originalLength: 16 },
    ];

    test("read interfaces, names, times and lengths", () => {
      const fields = [
        "frame.interface_name",
        "frame.interface_id",
        "frame.time_epoch",
        "frame.cap_len",
        "frame.len",
      ];
      const options = ["-T", "fields", ...fields.flatMap((field) => ["-e", field])];
      const rows = withFile(encodeFile(interfaces, packets), (path) =>
        linesOf("tshark", ["-r", path, ...options]),
      );
      expect(rows.map((row) => row.split("\t"))).toEqual([
        ["PC1 0/0 - SW1 0/2", "0", "1700000000.000001000", "16", "60"],
        ["unknown", "1", "1700000000.000001001", "16", "16"],
      ]);
    });

    test("find the filter and the resolution, and no fault", () => {
      const facts = withFile(encodeFile(interfaces, packets), (path) => linesOf("capinfos", [path])).join(
        "\n",
      );
      for (const fact of [
        /Filter string = icmp or arp/,
        /Number of packets:\s+2/,
        /Name = PC1 0\/0 - SW1 0\/2/,
      ])
        expect(facts).toMatch(fact);
    });

    test.each([
      ["no packets", interfaces],
      ["no interfaces", []],
    ])("accept a file of %s", (_what, described) => {
      expect(withFile(encodeFile(described, []), (path) => linesOf("tshark", ["-r", path]))).toEqual([]);
      withFile(encodeFile(described, []), (path) => linesOf("capinfos", [path]));
    });
  },
);
