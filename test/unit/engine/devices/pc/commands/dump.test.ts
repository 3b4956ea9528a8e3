import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { describe, expect, test } from "vitest";
import type { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import { onePc, output, twoPcs } from "./pc-bench.ts";

const ESC = "\x1b";
const STAMP = String.raw`\x1b\[32m\d{4}\.\d{6}\x1b\[0m`;
const COLOUR = new RegExp(`${ESC}\\[\\d+m`, "g");
const A_TO_B = "00:50:79:66:68:00 -> 00:50:79:66:68:01";
const B_TO_A = "00:50:79:66:68:01 -> 00:50:79:66:68:00";

/** What A prints for a line, with stamps as `S`, without colours and without the empty line before each frame. */
function dumped(bench: DeviceBench, flags: string, line = "ping 10.0.0.2 -c 1"): string[] {
  bench.type("A", "ping 10.0.0.2 -c 1", `set dump ${flags}`);
  const text = output(bench, "A", line).replaceAll(new RegExp(STAMP, "g"), "S");
  return text
    .replaceAll(COLOUR, "")
    .replace(/^\n/, "")
    .replaceAll("\n\nS", "\nS")
    .replace(/^\n/, "")
    .split("\n")
    .slice(0, -1);
}

describe("set dump", () => {
  test("combines flags, prints them in the order of the list, and clears them with off", () => {
    const { bench } = onePc();
    expect(output(bench, "A", "set dump detail")).toBe("\ndump flags: detail\n");
    expect(output(bench, "A", "set dump all mac")).toBe("\ndump flags: mac detail all\n");
    expect(output(bench, "A", "show dump")).toBe("\ndump flags: mac detail all\n");
    expect(output(bench, "A", "set dump off")).toBe("\ndump flags: (none)\n");
  });
});

describe("frames that pass", () => {
  test("show nothing without flags", () => {
    expect(output(twoPcs(), "A", "ping 10.0.0.2 -c 1")).not.toMatch(new RegExp(STAMP));
  });

  test("show their MACs, both ways", () => {
    expect(dumped(twoPcs(), "mac")).toEqual([
      `S  ${A_TO_B}`,
      `S  ${B_TO_A}`,
      "84 bytes from 10.0.0.2 icmp_seq=1 ttl=64 time=T ms",
    ]);
  });

  test("stand after a blank line, the stamp green, the rest yellow", () => {
    const bench = twoPcs();
    bench.type("A", "ping 10.0.0.2 -c 1", "set dump detail");
    const stamped = new RegExp(
      `^\\n\\n${STAMP}\\n\\x1b\\[33mIPv4, .*\\nAddress: .*\\nProto: .*\\nDesc: Echo\\n\\x1b\\[0m\\n`,
    );
    expect(output(bench, "A", "ping 10.0.0.2 -c 1")).toMatch(stamped);
  });

  test("show their bytes behind the Ethernet header, sixteen a line", () => {
    const lines = dumped(twoPcs(), "raw");
    expect(lines[0]).toBe("S");
    expect(lines[1]).toMatch(/^4500 0054 .{4} 0000 4001 .{4} 0a00 0001 {4}E\.\.T....@\...\.\.\.\.$/);
    expect(lines[5]).toBe("2c2d 2e2f 3031 3233 3435 3637 3839 3a3b    ,-./0123456789:;");
    expect(lines[6]).toBe("3c3d 3e3f                                  <=>?");
    expect(lines[7]).toBe("S");
  });

  test("show what they mean, as VPCS does", () => {
    const lines = dumped(twoPcs(), "mac detail");
    expect(lines.slice(0, 5)).toEqual([
      `S  ${A_TO_B}`,
      expect.stringMatching(/^IPv4, id: [0-9a-f]+, length: 84, ttl: 64, sum: [0-9a-f]{4}$/),
      "Address: 10.0.0.1 -> 10.0.0.2",
      "Proto: icmp, type: 8, code: 0",
      "Desc: Echo",
    ]);
    expect(lines.slice(8, 10)).toEqual(["Proto: icmp, type: 0, code: 0", "Desc: Echo reply"]);
  });

  test("have an empty line between bytes and meaning", () => {
    const lines = dumped(twoPcs(), "raw detail");
    expect([lines[7], lines[8]]).toEqual(["", expect.stringMatching(/^IPv4, /)]);
  });

  test("show nothing when all is the only flag", () => {
    expect(dumped(twoPcs(), "all")).toEqual(["84 bytes from 10.0.0.2 icmp_seq=1 ttl=64 time=T ms"]);
  });

  test.each([
    ["ping 10.0.0.2 -2 -c 1", /^Proto: udp, len: 64, sum: [0-9a-f]{4}$/],
    ["ping 10.0.0.2 -2 -c 1", /^Port: \d+ -> 7$/],
    ["ping 10.0.0.2 -3 -c 1", /^Proto: tcp, sum: [0-9a-f]{4}, ack: 00000000, seq: [0-9a-f]{8}, flags: S$/],
    ["ping 10.0.0.2 -3 -c 1", /^Proto: tcp, .*, flags: FPA$/],
    ["ping 10.0.0.2 -D -c 1", /^IPv4, .*, DF$/],
    ["ping 10.0.0.9 -c 1", /^ARP, OpCode: 1 \(Request\)$/],
    ["ping 10.0.0.9 -c 1", /^Ether Address: 00:50:79:66:68:00 -> Broadcast$/],
    ["ping 10.0.0.9 -c 1", /^Who has 10\.0\.0\.9\? Tell 10\.0\.0\.1$/],
    ["ip 10.0.0.9/24", /^Who has 10\.0\.0\.9\? Tell 10\.0\.0\.9$/],
    ["trace 10.0.0.2", /^Desc: Destination port unreachable$/],
    ["ip auto", /^IPv6, flowid: 0, length: 8, ttl: 255$/],
    ["ip auto", /^Desc: ICMPv6 router solicitation$/],
  ])("of %s show a line like %s", (line, pattern) => {
    expect(dumped(twoPcs(), "detail", line)).toContainEqual(expect.stringMatching(pattern));
  });

  test("show which host answers for an address", () => {
    const bench = twoPcs();
    bench.type("A", "set dump detail");
    const lines = output(bench, "A", "ip 10.0.0.2/24").split("\n");
    expect(lines).toContain("10.0.0.2 is at 00:50:79:66:68:01");
    expect(lines.join()).toContain(
      "ARP, OpCode: 2 (Reply),Ether Address: 00:50:79:66:68:01 -> 00:50:79:66:68:00",
    );
  });

  test("are shown only with the flag all when they are for another host", () => {
    const bench = twoPcs();
    const frame = encodeEthernet(0xffff_ffff_ffff, 0x0200_0000_0001, 0x9999, new Uint8Array(4));
    const see = (): string => {
      bench.begin("A", "sleep 1");
      bench.inject("A", 0, frame);
      bench.run();
      return bench.transcript("A");
    };
    bench.type("A", "set dump mac");
    expect(see()).not.toContain("ff:ff:ff:ff:ff:ff");
    bench.type("A", "set dump all detail");
    expect(see()).toContain("02:00:00:00:00:01 -> ff:ff:ff:ff:ff:ff\n");
  });

  test("show something for any bytes", () => {
    const bench = twoPcs();
    bench.type("A", "set dump mac raw detail all");
    for (const type of [0x0800, 0x0806, 0x86dd]) {
      for (let size = 0; size < 60; size++) {
        const junk = Uint8Array.from({ length: size }, (_, index) => (index === 0 ? 0x45 : index * 7));
        bench.inject("A", 0, encodeEthernet(0x0050_7966_6800, 1, type, junk));
      }
    }
    bench.inject("A", 0, new Uint8Array(5));
    expect(() => bench.type("A", "sleep 1")).not.toThrow();
  });
});
