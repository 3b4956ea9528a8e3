import { writeU16 } from "@wirelab/engine/base/bytes";
import { decodeUdp, encodeUdp, encodeUdp4, udpBytes } from "@wirelab/engine/wire/udp";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checksum, pseudoHeaderSum4 } from "../../../../packages/engine/base/checksum.ts";
import { toHex } from "./hex.ts";

const port = fc.nat(0xffff);
const address = fc.integer({ min: 0, max: 0xffff_ffff });
const data = fc.uint8Array({ maxLength: 100 });

describe("UDP datagrams", () => {
  it("are encoded and decoded as on the wire", () => {
    const udp = { sourcePort: 4_000, targetPort: 7, data: new TextEncoder().encode("hey") };
    const datagram = encodeUdp4(0x0a00_0102, 0x0a00_0101, udp);
    expect(toHex(datagram)).toBe("0fa00007000bf8c8686579");
    expect(decodeUdp(datagram)).toEqual(udp);
  });

  it("survive being encoded and decoded, with a checksum over the pseudo header", () => {
    fc.assert(
      fc.property(port, port, data, address, address, (sourcePort, targetPort, bytes, source, target) => {
        const udp = { sourcePort, targetPort, data: bytes };
        const datagram = encodeUdp4(source, target, udp);
        expect(datagram).toHaveLength(udpBytes(bytes));
        expect(decodeUdp(datagram)).toEqual(udp);
        const sum = pseudoHeaderSum4(source, target, 17, datagram.length);
        expect(checksum(datagram, 0, datagram.length, sum)).toBe(0);
      }),
    );
  });

  it("have a checksum of all ones in place of zero, because zero means no checksum", () => {
    // The words 1, 2 and 8 are the ports and the length; the other words complete the sum to all ones.
    const datagram = encodeUdp({ sourcePort: 1, targetPort: 2, data: new Uint8Array(0) }, 0xffff - 1 - 2 - 8);
    expect(toHex(datagram)).toBe("000100020008ffff");
  });

  it("end at their own length, not at the end of the packet", () => {
    const datagram = Uint8Array.of(0, 1, 0, 2, 0, 10, 0, 0, 0xaa, 0xbb, 0xcc);
    expect(decodeUdp(datagram)!.data).toEqual(Uint8Array.of(0xaa, 0xbb));
  });

  it.each([0, 7, 12])("are not decoded with a length of %i in 11 bytes", (length) => {
    const datagram = new Uint8Array(11);
    writeU16(datagram, 4, length);
    expect(decodeUdp(datagram)).toBeNull();
  });

  it("are not decoded from fewer than 8 bytes, and no bytes make the decoder throw", () => {
    for (let length = 0; length < 8; length++) expect(decodeUdp(new Uint8Array(length))).toBeNull();
    fc.assert(fc.property(data, (bytes) => void decodeUdp(bytes)));
  });
});
