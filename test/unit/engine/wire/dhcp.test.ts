import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DHCP_OFFER,
  type Dhcp,
  decodeDhcp,
  dhcpNumber,
  dhcpOption,
  encodeDhcp,
  messageType,
  numberOption,
  OPTION_DNS,
  OPTION_LEASE_TIME,
  OPTION_MESSAGE_TYPE,
  OPTION_SERVER,
} from "../../../../packages/engine/wire/dhcp.ts";

const offer: Dhcp = {
  op: 2,
  xid: 0x3903_f326,
  secs: 5,
  flags: 0x8000,
  clientIp: 0,
  yourIp: 0x0a01_0032,
  serverIp: 0x0a01_0001,
  relayIp: 0,
  clientMac: 0x0050_7966_6800,
  options: [
    [OPTION_MESSAGE_TYPE, Uint8Array.of(DHCP_OFFER)],
    [OPTION_SERVER, numberOption(0x0a01_0001)],
    [OPTION_LEASE_TIME, numberOption(120)],
    [OPTION_DNS, numberOption(0x0101_0101, 0x0202_0202)],
  ],
};

describe("DHCP messages", () => {
  test("fields are at the offsets of RFC 2131, options follow the cookie, zeros follow to the end", () => {
    const data = encodeDhcp(offer, 364);
    const hex = Buffer.from(data).toString("hex");
    expect(hex.slice(0, 56)).toBe(
      "020106003903f32600058000" + "00000000" + "0a010032" + "0a010001" + "00000000",
    );
    expect(hex.slice(56, 88)).toBe("005079666800".padEnd(32, "0"));
    expect(hex.slice(88, 472)).toBe("0".repeat(384));
    expect(hex.slice(472, 538)).toBe(
      "63825363" +
        "350102" +
        "36040a010001" +
        "330400000078" +
        "06080101010102020202" +
        "ff" +
        "00000000".slice(0, 6),
    );
    expect(data.length).toBe(364);
    expect(hex.slice(538)).toMatch(/^0*$/);
  });

  test("encoded messages decode to the same values", () => {
    const message = decodeDhcp(encodeDhcp(offer))!;
    expect(message).toEqual(offer);
    expect(messageType(message)).toBe(DHCP_OFFER);
    expect(dhcpNumber(message, OPTION_LEASE_TIME)).toBe(120);
    expect(dhcpOption(message, OPTION_DNS)).toEqual(Uint8Array.of(1, 1, 1, 1, 2, 2, 2, 2));
    expect(dhcpOption(message, 99)).toBeUndefined();
  });

  test("a message grows if its options need more than the requested size", () => {
    const options = [[43, new Uint8Array(200).fill(9)]] as const;
    const data = encodeDhcp({ ...offer, options }, 300);
    expect(data.length).toBe(240 + 202 + 1);
    expect(decodeDhcp(data)?.options).toEqual(options);
  });

  test("padding between options is skipped, an option that runs past the end is omitted", () => {
    const data = encodeDhcp({ ...offer, options: [] }, 250);
    data.set([0, 0, 53, 1, 2, 0, 51, 4, 0, 0], 240);
    expect(decodeDhcp(data)?.options).toEqual([[53, Uint8Array.of(2)]]);
    data.set([51, 2, 0, 9], 246);
    expect(decodeDhcp(data)?.options).toEqual([
      [53, Uint8Array.of(2)],
      [51, Uint8Array.of(0, 9)],
    ]);
  });

  test("an option that is too short is not a number", () => {
    const message = { ...offer, options: [[OPTION_LEASE_TIME, Uint8Array.of(0, 1, 2)]] as const };
    expect(dhcpNumber(message, OPTION_LEASE_TIME)).toBeUndefined();
  });

  test("a message without its cookie, or truncated before it, is not decoded", () => {
    const data = encodeDhcp(offer);
    expect(decodeDhcp(data.subarray(0, 239))).toBeNull();
    data[236] = 0;
    expect(decodeDhcp(data)).toBeNull();
  });

  test("no bytes make the decoder throw, and decoded messages can be encoded again", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (tail) => {
        const data = new Uint8Array(240 + tail.length);
        data.set([99, 130, 83, 99], 236);
        data.set(tail, 240);
        const message = decodeDhcp(data)!;
        expect(decodeDhcp(encodeDhcp(message))).toEqual(message);
      }),
    );
  });
});
