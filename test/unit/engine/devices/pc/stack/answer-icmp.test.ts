import { concatBytes, writeU16 } from "@wirelab/engine/base/bytes";
import { encodeEthernet, sourceMac, targetMac } from "@wirelab/engine/wire/ethernet";
import { encodeEcho, encodeIcmp, ICMP_ECHO } from "@wirelab/engine/wire/icmp";
import { decodeIpv4, PROTOCOL_ICMP, writeIpv4Checksum } from "@wirelab/engine/wire/ipv4";
import { BROADCAST_IPV4 } from "@wirelab/engine/wire/ipv4-address";
import { BROADCAST_MAC } from "@wirelab/engine/wire/mac";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checksum } from "../../../../../../packages/engine/base/checksum.ts";
import type { Received, Script } from "../../../../../../packages/engine/devices/pc/host.ts";
import { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import {
  A_IP,
  A_MAC,
  B_IP,
  B_MAC,
  BarePc,
  bytesOf,
  counting,
  hexOf,
  ip,
  ipv4Frame,
  ipv4Frames,
  LonePc,
  stateOf,
} from "./bare-pc.ts";

const DATA = Array.from(counting(56, 8), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
/** VPCS's echo request, from A to B. */
const GOLDEN_REQUEST = bytesOf(`
  00 50 79 66 68 01 00 50 79 66 68 00 08 00 45 00
  00 54 07 5e 00 00 40 01 5f 49 0a 00 00 01 0a 00
  00 02 08 00 c2 03 5e 07 00 01 ${DATA}`);
const GOLDEN_REPLY = bytesOf(`
  00 50 79 66 68 00 00 50 79 66 68 01 08 00 45 00
  00 54 07 5e 00 00 40 01 5f 49 0a 00 00 02 0a 00
  00 01 00 00 ca 03 5e 07 00 01 ${DATA}`);

const echo = (dataBytes = 4, fields = {}, ends = {}): Uint8Array =>
  ipv4Frame({ protocol: PROTOCOL_ICMP, ...fields }, encodeEcho(7, 1, counting(dataBytes)), ends);

describe("an echo request", () => {
  test("of VPCS is sent as the golden frame, and answered with the golden reply", () => {
    const bench = new DeviceBench();
    const a = bench.add("A", (world) => new BarePc(world, stateOf(0), A_MAC));
    bench.add("B", (world) => new BarePc(world, stateOf(1), B_MAC));
    bench.wire(["A", 0], ["B", 0]);
    const fields = { source: A_IP, target: B_IP, protocol: PROTOCOL_ICMP, id: 0x075e };
    a.host.sendIpv4(B_MAC, fields, encodeEcho(0x5e07, 1, counting(56, 8)));
    bench.run();
    const [request, reply] = bench.frames;
    expect(hexOf(request?.frame)).toBe(hexOf(GOLDEN_REQUEST));
    expect(hexOf(reply?.frame)).toBe(hexOf(GOLDEN_REPLY));
    expect(reply?.from).toBe("B");
    expect(bench.frames).toHaveLength(2);
  });

  test("is answered with a fresh TTL, its DF bit, its code and its padding", () => {
    const message = encodeIcmp(ICMP_ECHO, 9, 0x0001_0002, counting(3));
    const frame = concatBytes(
      ipv4Frame({ protocol: PROTOCOL_ICMP, ttl: 3, dontFragment: true }, message),
      Uint8Array.of(0xaa, 0xbb),
    );
    const [reply] = new LonePc().hear(frame);
    expect(decodeIpv4(reply!, 14)).toMatchObject({ ttl: 64, dontFragment: true, id: 0x1234 });
    expect(checksum(reply!, 14, 34)).toBe(0);
    expect(reply![35]).toBe(9);
    expect([...reply!.subarray(-2)]).toEqual([0xaa, 0xbb]);
    expect(checksum(reply!, 34, 45)).toBe(0);
  });

  test("keeps its IP options", () => {
    const frame = echo(0);
    const options = Uint8Array.of(7, 3, 4, 0);
    const longer = concatBytes(frame.subarray(0, 34), options, frame.subarray(34));
    longer[14] = 0x46;
    writeU16(longer, 16, 32);
    writeIpv4Checksum(longer, 14);
    const [reply] = new LonePc().hear(longer);
    expect([...reply!.subarray(34, 38)]).toEqual([...options]);
    expect(reply![38]).toBe(0);
    expect(checksum(reply!, 14, 38)).toBe(0);
    expect(checksum(reply!, 38)).toBe(0);
  });

  test("with a wrong checksum is answered with a wrong one by a PC that ignores checksums", () => {
    const frame = echo();
    frame[36]! ^= 0x55;
    const [reply] = new LonePc({ ignoresChecksums: true }).hear(frame);
    expect(reply![34]).toBe(0);
    expect(checksum(reply!, 34)).not.toBe(0);
  });

  test("in a broadcast frame is answered only to its sender", () => {
    const [reply] = new LonePc().hear(echo(4, {}, { targetMac: BROADCAST_MAC }));
    expect(targetMac(reply!)).toBe(B_MAC);
    expect(sourceMac(reply!)).toBe(A_MAC);
  });

  test.each([
    ["another address", { target: ip("10.0.0.77") }],
    ["the subnet's broadcast address", { target: ip("10.0.0.255") }],
    ["all", { target: BROADCAST_IPV4 }],
  ])("to %s is not answered", (_title, fields) => {
    expect(new LonePc().hear(echo(4, fields), echo(4, fields, { targetMac: BROADCAST_MAC }))).toEqual([]);
  });

  test.each([
    ["address 0.0.0.0", 0],
    ["the PC itself", A_IP],
    ["all", BROADCAST_IPV4],
    ["the subnet's broadcast address", ip("10.0.0.255")],
    ["a group", ip("224.0.0.5")],
  ])("from %s is not answered", (_title, source) => {
    expect(new LonePc().hear(echo(4, { source }))).toEqual([]);
  });

  test("from the higher address of a subnet of two is answered", () => {
    const lone = new LonePc();
    lone.state.ipv4 = { address: A_IP - 1, prefixLength: 31, gateway: 0 };
    expect(lone.hear(echo(4, { source: A_IP, target: A_IP - 1 }))).toHaveLength(1);
  });

  test("cut short, and any other ICMP message, is not answered", () => {
    const lone = new LonePc();
    const others = [0, 3, 4, 5, 11, 13, 17].map((type) =>
      ipv4Frame({ protocol: PROTOCOL_ICMP }, encodeIcmp(type, 0, 0, counting(28))),
    );
    const short = ipv4Frame({ protocol: PROTOCOL_ICMP }, Uint8Array.of(8, 0, 0xf7, 0xff, 0, 0, 0));
    expect(lone.hear(short, ...others)).toEqual([]);
  });

  test("to a PC without an address is not answered", () => {
    const lone = new LonePc();
    lone.state.ipv4 = { address: 0, prefixLength: 0, gateway: 0 };
    expect(lone.hear(echo(4, { target: 0 }), echo())).toEqual([]);
  });

  test("that a script consumed is not answered", () => {
    const lone = new LonePc();
    const taken: (Received | undefined)[] = [];
    lone.pc.spawn(
      (function* (): Script {
        taken.push(yield { timeoutUs: 1000, accept: ({ kind }) => kind === "ipv4" });
      })(),
    );
    expect(lone.hear(echo())).toEqual([]);
    expect(taken).toMatchObject([{ kind: "ipv4", totalBytes: 32, sourceMac: B_MAC }]);
    expect(lone.hear(echo())).toHaveLength(1);
  });

  test("with good checksums is answered with good checksums, for any data", () => {
    const lone = new LonePc();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(0xffff), fc.nat(0xffff), (data, id, sequence) => {
        const message = encodeEcho(id, sequence, data);
        const [reply] = lone.hear(ipv4Frame({ protocol: PROTOCOL_ICMP, id }, message));
        expect(checksum(reply!, 14, 34)).toBe(0);
        expect(checksum(reply!, 34)).toBe(0);
        expect(hexOf(reply!.subarray(38))).toBe(hexOf(message.subarray(4)));
      }),
    );
  });
});

describe("a large echo request", () => {
  const message = encodeEcho(7, 1, counting(3000));
  const pieces = (mtuBytes = 1500) => ipv4Frames({ protocol: PROTOCOL_ICMP, ttl: 9 }, message, {}, mtuBytes);

  test("is answered whole, fragmented to the PC's own MTU", () => {
    const lone = new LonePc();
    lone.state.mtuBytes = 1000;
    const replies = lone.hear(...pieces(800));
    const headers = replies.map((frame) => decodeIpv4(frame, 14)!);
    expect(headers.map(({ fragmentOffset }) => fragmentOffset)).toEqual([0, 976, 1952, 2928]);
    expect(headers.map(({ moreFragments }) => moreFragments)).toEqual([true, true, true, false]);
    expect(headers.every(({ id, ttl }) => id === 0x1234 && ttl === 64)).toBe(true);
    const joined = concatBytes(...replies.map((frame) => frame.subarray(34)));
    expect(checksum(joined)).toBe(0);
    expect(hexOf(joined.subarray(4))).toBe(hexOf(message.subarray(4)));
  });

  test("is answered when its fragments come in another order", () => {
    const [first, second, third] = pieces();
    expect(new LonePc().hear(third!, first!, second!)).toHaveLength(3);
  });

  test("of 65,535 bytes is answered with 65,535 bytes", () => {
    const whole = encodeEcho(7, 1, new Uint8Array(65_507));
    const replies = new LonePc().hear(...ipv4Frames({ protocol: PROTOCOL_ICMP }, whole, {}, 1500));
    expect(concatBytes(...replies.map((frame) => frame.subarray(34)))).toHaveLength(65_515);
  });

  test("over the PC's MTU in one piece is refused", () => {
    const lone = new LonePc();
    lone.state.mtuBytes = 1000;
    expect(lone.hear(echo(972))[0]![34]).toBe(0);
    expect([...lone.hear(echo(973))[0]!.subarray(34, 36)]).toEqual([3, 4]);
  });
});

test("a frame that only resembles a reply of the right length is not modified", () => {
  const lone = new LonePc();
  expect(lone.hear(encodeEthernet(A_MAC, B_MAC, 0x0800, new Uint8Array(46)))).toEqual([]);
});
