import { decodeVxlan, encodeVxlan } from "@wirelab/engine/wire/vxlan";
import { describe, expect, it } from "vitest";
import { fromHex as hex } from "./hex.ts";

const FRAME = Uint8Array.of(1, 2, 3);

describe("the header of VXLAN", () => {
  it("has the flag of the VNI, and the VNI in its last word", () => {
    const data = encodeVxlan({ vni: 0x12_3456, frame: FRAME });
    expect(data).toEqual(hex("0800 0000 1234 5600 010203"));
    expect(decodeVxlan(data)).toEqual({ vni: 0x12_3456, frame: FRAME });
  });

  it("is read whatever its reserved fields are", () => {
    expect(decodeVxlan(hex("ffff ffff ffff ffff 010203"))).toEqual({ vni: 0xff_ffff, frame: FRAME });
  });

  it.each(["", "0800 0000 1234 56", "f700 0000 1234 5600 010203"])("is rejected if it is %j", (text) => {
    expect(decodeVxlan(hex(text))).toBeNull();
  });
});
