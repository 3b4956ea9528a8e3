/** Authentication of OSPF packets: digests are computed by another program from RFC 2328, appendix D, and RFC 5709. */

import { describe, expect, it } from "vitest";
import {
  encodeHello,
  encodeOspf,
  OSPF,
  readHello,
  readOspfHeader,
} from "../../../../../packages/engine/wire/ospf.ts";
import {
  type OspfAuthentication,
  type OspfDigest,
  signOspf,
  verifyOspf,
} from "../../../../../packages/engine/wire/ospf-authentication.ts";
import { hexOf } from "../../../../../packages/engine/wire/show.ts";
import { HELLO } from "../../../../helpers/engine/ospf-samples.ts";

const PACKET = encodeOspf(
  OSPF.hello,
  { routerId: 0x0101_0101, areaId: 0 },
  encodeHello({ ...HELLO, neighbours: [0x0202_0202] }),
);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const digest = (of: OspfDigest, key = "secret", id = 5): OspfAuthentication => ({
  type: "digest",
  keys: [{ id, key: bytes(key), digest: of }],
});
const password = (text: string): OspfAuthentication => ({ type: "password", password: bytes(text) });
const NONE: OspfAuthentication = { type: "none" };

describe("a signed packet", () => {
  it.each([
    ["md5", "a27ca6d8e5082c1619d26af6feef6eaa"],
    ["hmac-sha-1", "0b8d1210e5540b1366e77d2fa9fff57aeb902247"],
    ["hmac-sha-256", "7a46e6119722ecba6c1b4b8f5170f67c56d002d22ef7a738f1383e4e617e803d"],
    [
      "hmac-sha-384",
      "156a50b954f75b1a334b257a5dceb2cec5d93369248d8349b9e1f4fb19afae84577a56f20f9e6b0df0b9f68564e9ae16",
    ],
    [
      "hmac-sha-512",
      "c59df18bcc0fdab27d379fe2ede01c8485befaed61b7beb8443daf18d387c75262587a5122e316d4360441ef369c7dd49c6cd081463fd72d74b4efbf7f719791",
    ],
  ] as const)("has the digest of %s behind it", (of, expected) => {
    const signed = signOspf(PACKET, digest(of), 99);
    expect(hexOf(signed.subarray(PACKET.length))).toBe(`0x${expected}`);
    expect(verifyOspf(signed, digest(of))).toEqual({ isAuthentic: true, sequence: 99 });
    expect(readHello(signed, readOspfHeader(signed)!.length)?.neighbours).toEqual([0x0202_0202]);
  });

  it("is signed with the hash of a key that is longer than the digest (RFC 5709, section 3.3)", () => {
    const signed = signOspf(PACKET, digest("hmac-sha-1", "a key that is longer than a digest"), 99);
    expect(hexOf(signed.subarray(PACKET.length))).toBe("0xd449e53ac2cbf31e9c7182893343297ffaff6e6d");
  });

  it("has the password in its header, which its checksum leaves out", () => {
    const signed = signOspf(PACKET, password("secret"), 0);
    expect(Buffer.from(signed.subarray(16, 24)).toString()).toBe("secret\0\0");
    expect(verifyOspf(signed, password("secret"))).toEqual({ isAuthentic: true, sequence: undefined });
  });

  it.each([
    ["authentication type", PACKET, password("secret")],
    ["authentication type", signOspf(PACKET, password("secret"), 0), NONE],
    ["authentication type", signOspf(PACKET, password("secret"), 0), digest("md5")],
    ["password", signOspf(PACKET, password("secret"), 0), password("other")],
    ["checksum", PACKET.with(40, 1), NONE],
    ["key id", signOspf(PACKET, digest("md5"), 1), digest("md5", "secret", 6)],
    ["digest length", signOspf(PACKET, digest("md5"), 1), digest("hmac-sha-256")],
    ["digest length", signOspf(PACKET, digest("md5"), 1).subarray(0, PACKET.length + 15), digest("md5")],
    ["digest", signOspf(PACKET, digest("md5"), 1), digest("md5", "other")],
    ["digest", signOspf(PACKET, digest("md5"), 1).with(40, 1), digest("md5")],
    ["malformed", PACKET.subarray(0, 20), NONE],
  ])("is refused for its %s", (reason, packet, authentication) => {
    expect(verifyOspf(packet, authentication)).toEqual({ isAuthentic: false, reason });
  });

  it("is verified with each key, and signed with the first one", () => {
    const keys = [
      { id: 2, key: bytes("new"), digest: "md5" },
      { id: 1, key: bytes("old"), digest: "hmac-sha-256" },
    ] as const;
    const both: OspfAuthentication = { type: "digest", keys };
    expect(signOspf(PACKET, both, 7)[18]).toBe(2);
    expect(verifyOspf(signOspf(PACKET, digest("hmac-sha-256", "old", 1), 7), both).isAuthentic).toBe(true);
  });
});
