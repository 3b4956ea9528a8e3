/** Packets of OSPF: what is written is read, and bytes that are no packet are refused. */
import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { decodePacket } from "@wirelab/engine/wire/summary";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  encodeOspf,
  OSPF,
  ospfChecksum,
  PROTOCOL_OSPF,
  readAcknowledgment,
  readDescription,
  readHello,
  readOspfHeader,
  readRequest,
  readUpdate,
} from "../../../../../packages/engine/wire/ospf.ts";
import { HELLO, LSAS, OSPF_PACKETS } from "../../../../helpers/engine/ospf-samples.ts";

const [HELLO_PACKET, DESCRIPTION, REQUEST, UPDATE, ACKNOWLEDGMENT] = OSPF_PACKETS as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

function textOf(payload: Uint8Array): string {
  const [packet] = encodeIpv4({ source: 1, target: 2, protocol: PROTOCOL_OSPF }, payload);
  const frame = encodeEthernet(1, 2, 0x0800, packet!);
  const { protocol, info } = decodePacket(frame, frame.length, "DLT_EN10MB");
  return `${protocol}: ${info}`;
}

describe("a packet of OSPF", () => {
  it("has the layout of RFC 2328, appendix A.3.2", () => {
    expect(Buffer.from(HELLO_PACKET).toString("hex")).toMatch(
      /^020100340101010100000000.{4}00000000000000000000ffffff00000a0201000000280a0000010a0000020202020203030303$/,
    );
    expect(ospfChecksum(HELLO_PACKET, HELLO_PACKET.length)).toBe(0);
    expect(readOspfHeader(HELLO_PACKET)).toEqual({
      type: OSPF.hello,
      length: 52,
      routerId: 0x0101_0101,
      areaId: 0,
      authenticationType: 0,
    });
  });

  it("is read as it was written", () => {
    expect(readHello(HELLO_PACKET, HELLO_PACKET.length)).toEqual(HELLO);
    expect(readDescription(DESCRIPTION, DESCRIPTION.length)).toMatchObject({
      mtuBytes: 1500,
      sequence: 4711,
    });
    const headers = LSAS.map(({ bytes: _bytes, body: _body, ...lsa }, age) => ({ lsa, age }));
    expect(readDescription(DESCRIPTION, DESCRIPTION.length)?.headers).toEqual(headers);
    expect(readAcknowledgment(ACKNOWLEDGMENT, ACKNOWLEDGMENT.length)).toEqual(headers);
    expect(readRequest(REQUEST, REQUEST.length)).toEqual(
      LSAS.map(({ type, id, advertiser }) => ({ type, id, advertiser })),
    );
    expect(readUpdate(UPDATE, UPDATE.length)).toEqual(LSAS.map((lsa, age) => ({ lsa, age })));
  });

  it("is refused in another version, and with more bytes than are there", () => {
    expect(readOspfHeader(HELLO_PACKET.with(0, 3))).toBeNull();
    expect(readOspfHeader(HELLO_PACKET.subarray(0, 51))).toBeNull();
    expect(readOspfHeader(HELLO_PACKET.with(3, 23))).toBeNull();
  });

  it("leaves an LSA out whose checksum is wrong, and keeps the others (section 13, step 1)", () => {
    const at = 28 + 21;
    const broken = readUpdate(UPDATE.with(at, UPDATE[at]! ^ 1), UPDATE.length);
    expect(broken?.map(({ lsa }) => lsa.key)).toEqual(LSAS.slice(1).map(({ key }) => key));
  });

  it("is refused if a body ends in the middle", () => {
    for (const cut of [1, 2, 3, 5, 9]) {
      expect(readUpdate(UPDATE, UPDATE.length - cut)).toBeNull();
      expect(readAcknowledgment(ACKNOWLEDGMENT, ACKNOWLEDGMENT.length - cut)).toBeNull();
      expect(readDescription(DESCRIPTION, DESCRIPTION.length - cut)).toBeNull();
      expect(readRequest(REQUEST, REQUEST.length - cut)).toBeNull();
    }
    expect(readHello(HELLO_PACKET, 43)).toBeNull();
    expect(readHello(HELLO_PACKET, 49)).toBeNull();
  });

  it("never throws, whatever its bytes", () => {
    const types = Object.values(OSPF);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...types), (body, type) => {
        const packet = encodeOspf(type, { routerId: 1, areaId: 0 }, body);
        for (const read of [readHello, readDescription, readRequest, readUpdate, readAcknowledgment])
          read(packet, packet.length);
        expect(textOf(packet)).toMatch(/^OSPF: /);
      }),
    );
  });
});

describe("the line of a packet", () => {
  it("names its type, its sender, and what is in it", () => {
    expect(OSPF_PACKETS.map(textOf)).toEqual([
      "OSPF: Hello of 1.1.1.1 in area 0.0.0.0 mask=/24 dr=10.0.0.1 bdr=10.0.0.2, hears 2.2.2.2 3.3.3.3",
      "OSPF: Database description of 1.1.1.1 in area 0.0.0.0 seq=4711 flags=more+master, 6 LSAs",
      "OSPF: Link state request of 1.1.1.1 in area 0.0.0.0, 6 LSAs",
      "OSPF: Link state update of 1.1.1.1 in area 0.0.0.0, 6 LSAs",
      "OSPF: Link state acknowledgment of 1.1.1.1 in area 0.0.0.0, 6 LSAs",
      "OSPF: Hello of 1.1.1.1 in area 0.0.0.0 mask=/24 dr=10.0.0.1 bdr=10.0.0.2, hears 2.2.2.2 3.3.3.3",
      "OSPF: Hello of 1.1.1.1 in area 0.0.0.0 mask=/24 dr=10.0.0.1 bdr=10.0.0.2, hears 2.2.2.2 3.3.3.3",
    ]);
  });

  it("has only the size of a packet of another version", () => {
    expect(textOf(HELLO_PACKET.with(0, 3))).toMatch(/^OSPF: 52 bytes/);
  });
});
