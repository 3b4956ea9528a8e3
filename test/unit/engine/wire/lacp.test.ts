/** LACP frames as bytes, in one line and in fields. */

import { readDetails } from "@wirelab/engine/wire/details";
import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { decodePacket } from "@wirelab/engine/wire/summary";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decodeLacp,
  encodeLacp,
  type Lacpdu,
  markerResponse,
  SLOW_PROTOCOLS_MAC,
} from "../../../../packages/engine/wire/lacp.ts";
import { decodeFields, hasTshark } from "../../../helpers/proof/tshark.ts";

const pdu: Lacpdu = {
  actor: {
    systemPriority: 32_768,
    system: 0x0200_0000_0100,
    key: 1,
    portPriority: 32_768,
    port: 4,
    state: 0x3d,
  },
  partner: { systemPriority: 1, system: 0x0200_0000_0200, key: 7, portPriority: 2, port: 9, state: 0xc7 },
};
const frame = encodeLacp(pdu, 0x0200_0000_0103);

test("a frame is read as it was written; a shorter one and version 0 are none", () => {
  expect(decodeLacp(frame, 14)).toEqual(pdu);
  for (let length = 0; length < frame.length; length++)
    expect(decodeLacp(frame.subarray(0, length), 14)).toBeUndefined();
  const old = frame.slice();
  old[15] = 0;
  expect(decodeLacp(old, 14)).toBeUndefined();
});

test("a marker comes back with the address of the port that answers; its answer does not", () => {
  const marker = new Uint8Array(124);
  marker.set(frame.subarray(0, 14));
  marker.set([2, 1, 1, 16, 0, 9, 2, 0, 0, 0, 0, 5, 0, 0, 0, 77], 14);
  const answer = markerResponse(marker, 0x0200_0000_0209)!;
  expect(Array.from(answer.subarray(6, 12))).toEqual([2, 0, 0, 0, 2, 9]);
  expect(Array.from(answer.subarray(14, 30))).toEqual([2, 1, 2, 16, 0, 9, 2, 0, 0, 0, 0, 5, 0, 0, 0, 77]);
  expect(markerResponse(answer, 5)).toBeUndefined();
  expect(markerResponse(frame, 5)).toBeUndefined();
  expect(decodePacket(answer, 124, "DLT_EN10MB").info).toBe("Marker response");
});

test("one line has both ends and the bits of their states", () => {
  expect(decodePacket(frame, frame.length, "DLT_EN10MB")).toMatchObject({
    protocol: "LACP",
    info: "Actor 02:00:00:00:01:00 key=1 port=4 **DCSG*A, partner 02:00:00:00:02:00 key=7 port=9 EF***GSA",
  });
});

test("other slow protocols are named, and cut ones are malformed", () => {
  const slow = (...bytes: number[]) => {
    const sent = encodeEthernet(SLOW_PROTOCOLS_MAC, 5, 0x8809, Uint8Array.from(bytes));
    const { protocol, info } = decodePacket(sent, sent.length, "DLT_EN10MB");
    return `${protocol}: ${info}`;
  };
  expect(slow(3, 0, 0)).toBe("Slow Protocols: 3 bytes");
  expect(slow(1, 1)).toBe("LACP: malformed: LACP takes 110 bytes, 2 are there");
  expect(slow()).toBe("Slow Protocols: 0 bytes");
  expect(slow(1, 0, ...new Uint8Array(108))).toBe("LACP: malformed: the version is 0");
});

test("the fields name the states, and any bytes are read without an error", () => {
  const [, layer] = readDetails(frame, "DLT_EN10MB");
  const shown = Object.fromEntries(layer!.fields.map(({ label, value }) => [label, value]));
  expect(shown).toMatchObject({
    "Actor system": "02:00:00:00:01:00",
    "Actor state": "activity, aggregation, synchronization, collecting, distributing",
    "Partner port": "9",
    "Partner state": "activity, timeout, aggregation, defaulted, expired",
  });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 130 }), (bytes) => {
      const sent = encodeEthernet(SLOW_PROTOCOLS_MAC, 5, 0x8809, bytes);
      decodePacket(sent, sent.length, "DLT_EN10MB");
      readDetails(sent, "DLT_EN10MB");
      markerResponse(sent, 5);
    }),
  );
});

test.skipIf(!hasTshark)("tshark reads the same", () => {
  const fields = [
    "lacp.actor.sysid",
    "lacp.actor.key",
    "lacp.actor.port",
    "lacp.actor.state",
    "lacp.partner.sysid",
    "lacp.partner.state",
    "_ws.malformed",
  ];
  const [row] = decodeFields([{ atUs: 0, frame } as never], fields);
  expect(Object.values(row!).slice(0, 3)).toEqual(["02:00:00:00:01:00", "1", "4"]);
  expect(Number(row!["lacp.actor.state"])).toBe(0x3d);
  expect(row!["lacp.partner.sysid"]).toBe("02:00:00:00:02:00");
  expect(Number(row!["lacp.partner.state"])).toBe(0xc7);
  expect(row!["_ws.malformed"]).toBe("");
});
