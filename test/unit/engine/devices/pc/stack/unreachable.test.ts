import { encodeEcho, encodeIcmp } from "@wirelab/engine/wire/icmp";
import { decodeIpv4, PROTOCOL_ICMP, PROTOCOL_UDP } from "@wirelab/engine/wire/ipv4";
import { BROADCAST_MAC } from "@wirelab/engine/wire/mac";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, test } from "vitest";
import { checksum } from "../../../../../../packages/engine/base/checksum.ts";
import { A_IP, B_IP, counting, hexOf, ip, ipv4Frame, ipv4Frames, LonePc } from "./bare-pc.ts";

/** A probe of a trace: 64 bytes of data, on its last hop. */
const probe = (ttl = 1, dataBytes = 64, ends = {}): Uint8Array =>
  ipv4Frame(
    { protocol: PROTOCOL_UDP, ttl, dontFragment: true },
    encodeUdp4(B_IP, A_IP, { sourcePort: 20_000, targetPort: 20_001, data: counting(dataBytes) }),
    ends,
  );

describe("the end of a trace", () => {
  test("is a port unreachable in VPCS's form", () => {
    const lone = new LonePc();
    const frame = probe();
    const [error, ...more] = lone.hear(frame);
    const low = lone.host.clockSeconds & 0xff;
    const high = (lone.host.clockSeconds >>> 8) & 0xff;
    expect(more).toEqual([]);
    expect(error).toHaveLength(86);
    expect(decodeIpv4(error!, 14)).toEqual({
      headerBytes: 20,
      typeOfService: 0,
      totalBytes: 72,
      id: low * 256 + high,
      dontFragment: true,
      moreFragments: false,
      fragmentOffset: 0,
      ttl: 64,
      protocol: PROTOCOL_ICMP,
      source: A_IP,
      target: B_IP,
    });
    expect([...error!.subarray(34, 36)]).toEqual([3, 3]);
    expect([...error!.subarray(38, 42)]).toEqual([low, high, 0, 1]);
    expect(hexOf(error!.subarray(42))).toBe(hexOf(frame.subarray(14, 14 + 44)));
    expect(checksum(error!, 34)).toBe(0);
  });

  test("quotes a shorter packet whole, without its padding", () => {
    const frame = new Uint8Array(60);
    frame.set(probe(1, 5));
    const [error] = new LonePc().hear(frame);
    expect(hexOf(error!.subarray(42))).toBe(hexOf(frame.subarray(14, 14 + 33)));
  });

  test("is not reported with more TTL left, or for a broadcast frame", () => {
    const lone = new LonePc();
    expect(lone.hear(probe(2))[0]![23]).toBe(PROTOCOL_UDP);
    expect(lone.hear(probe(1, 64, { targetMac: BROADCAST_MAC }))).toEqual([]);
  });
});

describe("a packet over the PC's MTU", () => {
  const narrow = (): LonePc => {
    const lone = new LonePc();
    lone.state.mtuBytes = 600;
    return lone;
  };
  const large = (fields = {}, message = encodeEcho(1, 1, counting(700))): Uint8Array =>
    ipv4Frame({ protocol: PROTOCOL_ICMP, ...fields }, message);

  test("is refused with fragmentation needed, whatever its protocol", () => {
    for (const protocol of [PROTOCOL_ICMP, PROTOCOL_UDP, 6, 99]) {
      const frame = large({ protocol });
      const [error] = narrow().hear(frame);
      expect([...error!.subarray(34, 36)]).toEqual([3, 4]);
      expect(hexOf(error!.subarray(42))).toBe(hexOf(frame.subarray(14, 58)));
    }
  });

  test("is refused when it is an echo reply, too", () => {
    const reply = encodeIcmp(0, 0, 0, counting(700));
    expect([...narrow().hear(large({}, reply))[0]!.subarray(34, 36)]).toEqual([3, 4]);
  });

  test("is dropped without an answer when it is for another host, or an ICMP error", () => {
    expect(narrow().hear(large({ target: ip("10.0.0.3") }))).toEqual([]);
    expect(narrow().hear(large({}, encodeIcmp(3, 3, 0, counting(700))))).toEqual([]);
  });

  test("in fragments is refused once, for the first fragment", () => {
    const datagram = encodeUdp4(B_IP, A_IP, { sourcePort: 1, targetPort: 2, data: counting(4000) });
    const fragments = ipv4Frames({ protocol: PROTOCOL_UDP }, datagram, {}, 1500);
    const [error, ...more] = narrow().hear(...fragments);
    expect(more).toEqual([]);
    expect(hexOf(error!.subarray(42))).toBe(hexOf(fragments[0]!.subarray(14, 58)));
  });

  test("may be as long as the MTU", () => {
    expect(narrow().hear(large({}, encodeEcho(1, 1, counting(572))))[0]![34]).toBe(0);
  });
});
