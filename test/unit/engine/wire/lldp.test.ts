/** LLDP data units as bytes, in one line and in fields. */
import { readDetails } from "@wirelab/engine/wire/details";
import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { decodePacket } from "@wirelab/engine/wire/summary";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeLldp, ETHERTYPE_LLDP, encodeLldp, LLDP_MAC } from "../../../../packages/engine/wire/lldp.ts";
import { decodeFields, hasTshark } from "../../../helpers/proof/tshark.ts";

const MAC = 0x0200_0000_0100;
const ours = encodeLldp(
  { mac: MAC, portName: "Ethernet3", ttl: 121, portDescription: "Port 3 of SW1", systemName: "SW1" },
  MAC + 3,
);
const read = (...bytes: number[]) => decodeLldp(Uint8Array.from(bytes), 0);
const CHASSIS = [0x02, 0x02, 0x07, 0x61];
const PORT = [0x04, 0x02, 0x07, 0x62];
const TTL = [0x06, 0x02, 0x00, 0x78];

test("an announcement is read as it was written", () => {
  expect(decodeLldp(ours, 14)).toEqual({
    chassis: { kind: "mac", id: "02:00:00:00:01:00" },
    port: { kind: "name", id: "Ethernet3" },
    ttl: 121,
    portDescription: "Port 3 of SW1",
    systemName: "SW1",
    capabilities: { has: 4, uses: 4 },
  });
});

describe("a unit of another system", () => {
  test("may end without an end TLV, and have TLVs that are not known", () => {
    expect(read(...CHASSIS, ...PORT, ...TTL, 0xfe, 0x02, 1, 2)).toEqual({
      chassis: { kind: "local", id: "a" },
      port: { kind: "local", id: "b" },
      ttl: 120,
    });
  });

  test.each([
    [[0x02, 0x06, 5, 1, 10, 0, 0, 1], { kind: "network", id: "10.0.0.1" }],
    [
      [0x02, 0x12, 5, 2, 0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
      { kind: "network", id: "fe80::1" },
    ],
    [[0x02, 0x03, 5, 9, 1], { kind: "network", id: "0x0901" }],
    [[0x02, 0x03, 4, 1, 2], { kind: "mac", id: "0x0102" }],
    [[0x02, 0x02, 99, 0], { kind: "kind 99", id: "0x00" }],
  ])("has a chassis %j", (chassis, id) => {
    expect(read(...chassis, ...PORT, ...TTL)?.chassis).toEqual(id);
  });

  test.each([
    ["begins with another TLV", [...PORT, ...CHASSIS, ...TTL]],
    ["has no time to live", [...CHASSIS, ...PORT, 0, 0]],
    ["has a second chassis", [...CHASSIS, ...PORT, ...TTL, ...CHASSIS]],
    ["has an empty identifier", [0x02, 0x01, 0x07, ...PORT, ...TTL]],
    ["has a TLV that is cut off", [...CHASSIS, ...PORT, ...TTL, 0x0a, 0x05, 0x61]],
    ["ends in a header", [...CHASSIS, ...PORT, ...TTL, 0x0a]],
  ])("is none if it %s", (_, bytes) => {
    expect(read(...bytes)).toBeUndefined();
  });

  test("of any bytes is read or refused, without an error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        decodeLldp(bytes, 0);
        const frame = encodeEthernet(LLDP_MAC, MAC, ETHERTYPE_LLDP, bytes);
        expect(decodePacket(frame, frame.length, "DLT_EN10MB").protocol).toBe("LLDP");
        readDetails(frame, "DLT_EN10MB");
      }),
    );
  });
});

test("one line has the chassis, the port, the time to live and the name", () => {
  expect(decodePacket(ours, ours.length, "DLT_EN10MB")).toMatchObject({
    protocol: "LLDP",
    info: "02:00:00:00:01:00 port Ethernet3 TTL=121 SW1",
  });
  const bad = encodeEthernet(LLDP_MAC, MAC, ETHERTYPE_LLDP, new Uint8Array(46));
  expect(decodePacket(bad, bad.length, "DLT_EN10MB").info).toContain(
    "malformed: chassis, port and time to live",
  );
});

test("the fields are the TLVs, which cover the unit", () => {
  const [, layer] = readDetails(ours, "DLT_EN10MB");
  expect(layer!.fields.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    "Chassis: 02:00:00:00:01:00 (mac)",
    "Port: Ethernet3 (name)",
    "Time to live: 121 s",
    "Port description: Port 3 of SW1",
    "System name: SW1",
    "Capabilities: bridge (on: bridge)",
    "End: 0 bytes",
  ]);
  expect(layer!.at + layer!.length).toBe(layer!.fields.at(-1)!.at + 2);
});

test.skipIf(!hasTshark)("tshark reads the same", () => {
  const fields = [
    "lldp.chassis.id.mac",
    "lldp.port.id",
    "lldp.time_to_live",
    "lldp.tlv.system.name",
    "_ws.malformed",
  ];
  expect(decodeFields([{ atUs: 0, frame: ours } as never], fields)).toEqual([
    {
      "lldp.chassis.id.mac": "02:00:00:00:01:00",
      "lldp.port.id": "Ethernet3",
      "lldp.time_to_live": "121",
      "lldp.tlv.system.name": "SW1",
      "_ws.malformed": "",
    },
  ]);
});
