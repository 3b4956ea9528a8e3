import { describe, expect, it } from "vitest";
import type { BgpOpen, Capability } from "../../../../../packages/engine/wire/bgp.ts";
import { decodeOpen, encodeOpen } from "../../../../../packages/engine/wire/bgp-open.ts";
import { fromHex } from "../hex.ts";

const OPEN: BgpOpen = {
  version: 4,
  system: 65_001,
  holdSeconds: 180,
  identifier: 0x0101_0101,
  capabilities: [],
};

const CAPABILITIES: readonly Capability[] = [
  { kind: "multiprotocol", afi: 1, safi: 1 },
  { kind: "route-refresh" },
  { kind: "enhanced-route-refresh" },
  { kind: "extended-message" },
  { kind: "as4", system: 4_200_000_001 },
  { kind: "extended-next-hop", families: [{ afi: 1, safi: 1, nextHopAfi: 2 }] },
  { kind: "graceful-restart", flags: 0xc, seconds: 120, families: [{ afi: 1, safi: 1, flags: 0x80 }] },
  {
    kind: "add-path",
    families: [
      { afi: 1, safi: 1, mode: 1 },
      { afi: 2, safi: 1, mode: 3 },
    ],
  },
  { kind: "unknown", code: 73, value: Uint8Array.of(2, 114, 49, 0) },
];

const body = (...bytes: number[]): Uint8Array => Uint8Array.of(4, 0xfd, 0xe9, 0, 180, 1, 1, 1, 1, ...bytes);

describe("an OPEN message", () => {
  it("is encoded and decoded", () => {
    const golden = fromHex("ffffffffffffffffffffffffffffffff 001d 01 04 fde9 00b4 01010101 00");
    expect(encodeOpen(OPEN)).toEqual(golden);
    expect(decodeOpen(golden.subarray(19))).toEqual({ open: OPEN });
  });

  it("has a parameter for each capability", () => {
    const message = encodeOpen({ ...OPEN, capabilities: CAPABILITIES.slice(0, 2) });
    expect(message.subarray(28)).toEqual(fromHex("0c 02 06 01 04 00010001 02 02 02 00"));
  });

  it("keeps its capabilities, also those that share a parameter", () => {
    const open = { ...OPEN, capabilities: CAPABILITIES };
    expect(decodeOpen(encodeOpen(open).subarray(19))).toEqual({ open });
    expect(decodeOpen(body(6, 2, 4, 2, 0, 70, 0))).toEqual({
      open: { ...OPEN, capabilities: [{ kind: "route-refresh" }, { kind: "enhanced-route-refresh" }] },
    });
  });

  it("takes the long form for more than 255 bytes (RFC 9072)", () => {
    const capabilities = Array.from(
      { length: 40 },
      (): Capability => ({ kind: "multiprotocol", afi: 2, safi: 1 }),
    );
    const message = encodeOpen({ ...OPEN, capabilities });
    expect([...message.subarray(28, 36)]).toEqual([255, 255, (40 * 9) >> 8, (40 * 9) & 255, 2, 0, 6, 1]);
    expect(decodeOpen(message.subarray(19))).toEqual({ open: { ...OPEN, capabilities } });
  });

  it.each([
    [1, 3],
    [2, 1],
    [5, 5],
    [6, 1],
    [64, 1],
    [65, 3],
    [69, 3],
    [70, 1],
  ])("does not have capability %i of %i bytes", (code, length) => {
    const value = new Uint8Array(length).fill(1);
    const bytes = body(4 + length, 2, 2 + length, code, length, ...value);
    expect(decodeOpen(bytes)).toEqual({
      open: { ...OPEN, capabilities: [{ kind: "unknown", code, value }] },
    });
  });

  /** RFC 4271, section 6.2. */
  it.each([
    ["version 3", body(0).with(0, 3), 1, [0, 4], "BGP version 3"],
    ["a hold time of 1 s", body(0).with(4, 1), 6, [], "hold time 1 s"],
    ["a hold time of 2 s", body(0).with(4, 2), 6, [], "hold time 2 s"],
    ["no identifier", Uint8Array.of(4, 0, 1, 0, 180, 0, 0, 0, 0, 0), 3, [], "BGP identifier 0.0.0.0"],
    ["an unknown parameter", body(2, 1, 0), 4, [], "optional parameter 1"],
    ["9 bytes", body(), 0, [], "the OPEN message is too short"],
    ["bytes behind its parameters", body(0, 1), 0, [], "the parameters do not end with the message"],
    ["parameters behind its end", body(2, 2), 0, [], "the parameters do not end with the message"],
    ["a cut parameter", body(1, 2), 0, [], "a parameter is cut"],
    ["a long parameter", body(2, 2, 1), 0, [], "a parameter is longer than the message"],
    ["a long capability", body(4, 2, 2, 1, 4), 0, [], "a capability is longer than its parameter"],
    ["half a capability", body(3, 2, 1, 2), 0, [], "a capability is longer than its parameter"],
  ])("with %s is refused", (_, bytes, subcode, data, text) => {
    expect(decodeOpen(bytes)).toEqual({ error: { code: 2, subcode, data: Uint8Array.from(data) }, text });
  });

  it("may have a hold time of 0 or 3 s", () => {
    expect(decodeOpen(body(0).with(4, 0))).toEqual({ open: { ...OPEN, holdSeconds: 0 } });
    expect(decodeOpen(body(0).with(4, 3))).toEqual({ open: { ...OPEN, holdSeconds: 3 } });
  });
});
