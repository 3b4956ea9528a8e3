import { concatBytes } from "@wirelab/engine/base/bytes";
import { sourceMac, targetMac } from "@wirelab/engine/wire/ethernet";
import { decodeIpv4, PROTOCOL_UDP } from "@wirelab/engine/wire/ipv4";
import { BROADCAST_MAC, writeMac } from "@wirelab/engine/wire/mac";
import { decodeUdp, encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, test } from "vitest";
import { checksum, pseudoHeaderSum4 } from "../../../../../../packages/engine/base/checksum.ts";
import { A_IP, A_MAC, B_IP, B_MAC, counting, hexOf, ip, ipv4Frame, ipv4Frames, LonePc } from "./bare-pc.ts";

function udpFrame({ sourcePort = 4000, targetPort = 9, data = counting(20), ttl = 64, target = A_IP } = {}) {
  const datagram = encodeUdp4(B_IP, target, { sourcePort, targetPort, data });
  return ipv4Frame({ protocol: PROTOCOL_UDP, ttl, target }, datagram);
}

/** The data that the PC with this MAC sends in a ping over UDP. */
function pingData(mac: number): Uint8Array {
  const data = counting(56, 8);
  writeMac(data, 0, mac);
  return data;
}

describe("a UDP datagram", () => {
  test.each([7, 9, 53, 33_434])("for port %i is sent back with ports and addresses swapped", (targetPort) => {
    const frame = udpFrame({ targetPort, ttl: 17 });
    const [reply, ...more] = new LonePc().hear(frame);
    expect(more).toEqual([]);
    expect([targetMac(reply!), sourceMac(reply!)]).toEqual([B_MAC, A_MAC]);
    expect(decodeIpv4(reply!, 14)).toMatchObject({ source: A_IP, target: B_IP, ttl: 64, id: 0x1234 });
    expect(decodeUdp(reply!.subarray(34))).toEqual({
      sourcePort: targetPort,
      targetPort: 4000,
      data: counting(20),
    });
  });

  test("is echoed with its checksum unchanged, which is still correct", () => {
    const frame = udpFrame();
    const [reply] = new LonePc().hear(frame);
    expect(hexOf(reply!.subarray(40, 42))).toBe(hexOf(frame.subarray(40, 42)));
    expect(checksum(reply!, 14, 34)).toBe(0);
    expect(checksum(reply!, 34, reply!.length, pseudoHeaderSum4(A_IP, B_IP, PROTOCOL_UDP, 28))).toBe(0);
  });

  test("of a peer's UDP ping is echoed", () => {
    const [reply] = new LonePc().hear(udpFrame({ targetPort: 7, data: pingData(B_MAC) }));
    expect(hexOf(reply!.subarray(42))).toBe(hexOf(pingData(B_MAC)));
  });

  test.each([
    ["begins with the PC's MAC", { data: pingData(A_MAC) }],
    ["comes from a name server", { sourcePort: 53 }],
    ["comes from a DHCP server", { sourcePort: 67, targetPort: 68 }],
    ["is an echo itself", { sourcePort: 7 }],
    ["is an echo with the least data", { sourcePort: 7, targetPort: 4000, data: counting(1) }],
  ])("is not echoed when it %s", (_title, datagram) => {
    expect(new LonePc().hear(udpFrame(datagram))).toEqual([]);
  });

  test("with less than a MAC of data is echoed, even when it begins like the PC's", () => {
    expect(new LonePc().hear(udpFrame({ data: pingData(A_MAC).subarray(0, 5) }))).toHaveLength(1);
  });

  test("from port 67 to another port than 68 is echoed", () => {
    expect(new LonePc().hear(udpFrame({ sourcePort: 67, targetPort: 67 }))).toHaveLength(1);
  });

  test.each(["255.255.255.255", "10.0.0.255", "224.0.0.9", "10.0.0.3"])("to %s is not answered", (target) => {
    const lone = new LonePc();
    const datagram = encodeUdp4(B_IP, ip(target), { sourcePort: 4000, targetPort: 9, data: counting(20) });
    for (const mac of [A_MAC, BROADCAST_MAC]) {
      const fields = { protocol: PROTOCOL_UDP, target: ip(target) };
      expect(lone.hear(ipv4Frame(fields, datagram, { targetMac: mac }))).toEqual([]);
      expect(lone.hear(ipv4Frame({ ...fields, ttl: 1 }, datagram, { targetMac: mac }))).toEqual([]);
    }
  });

  test("with a wrong length is not answered", () => {
    const datagram = encodeUdp4(B_IP, A_IP, { sourcePort: 4000, targetPort: 9, data: counting(20) });
    for (const length of [0, 7, 29]) {
      const lying = datagram.slice();
      lying[5] = length;
      expect(new LonePc().hear(ipv4Frame({ protocol: PROTOCOL_UDP }, lying))).toEqual([]);
    }
  });

  test("in fragments is answered in fragments", () => {
    const data = counting(2000);
    const datagram = encodeUdp4(B_IP, A_IP, { sourcePort: 4000, targetPort: 9, data });
    const replies = new LonePc().hear(...ipv4Frames({ protocol: PROTOCOL_UDP }, datagram, {}, 1500));
    expect(replies).toHaveLength(2);
    const joined = concatBytes(...replies.map((frame) => frame.subarray(34)));
    expect(decodeUdp(joined)).toEqual({ sourcePort: 9, targetPort: 4000, data });
    expect(checksum(joined, 0, 2008, pseudoHeaderSum4(A_IP, B_IP, PROTOCOL_UDP, 2008))).toBe(0);
  });
});
