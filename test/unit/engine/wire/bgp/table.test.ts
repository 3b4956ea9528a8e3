import { concatBytes } from "@wirelab/engine/base/bytes";
import { readDetails } from "@wirelab/engine/wire/details";
import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { decodePacket } from "@wirelab/engine/wire/summary";
import { describe, expect, it } from "vitest";
import {
  encodeKeepalive,
  encodeMessage,
  encodeNotification,
  encodeRouteRefresh,
} from "../../../../../packages/engine/wire/bgp.ts";
import { LOCAL_ATTRIBUTES } from "../../../../../packages/engine/wire/bgp-attributes.ts";
import { encodeAnnouncements } from "../../../../../packages/engine/wire/bgp-write-update.ts";
import { encodeTcp4 } from "../../../../../packages/engine/wire/tcp.ts";
import { BGP_SEGMENTS } from "../../../../helpers/engine/bgp-samples.ts";

const frameOf = (data: Uint8Array, ports = [179, 40_000]): Uint8Array => {
  const tcp = { sequence: 1, acknowledgement: 2, flags: 0x18, window: 9, options: new Uint8Array(0) };
  const segment = encodeTcp4(1, 2, { ...tcp, sourcePort: ports[0]!, targetPort: ports[1]!, data });
  return encodeEthernet(1, 2, 0x0800, encodeIpv4({ source: 1, target: 2, protocol: 6 }, segment)[0]!);
};
function lineOf(data: Uint8Array): string {
  const frame = frameOf(data);
  const { protocol, info } = decodePacket(frame, frame.length, "DLT_EN10MB");
  return `${protocol}: ${info}`;
}
const layerOf = (data: Uint8Array) =>
  readDetails(frameOf(data), "DLT_EN10MB")
    .at(-1)!
    .fields.map(({ label, value, length }) => `${label} ${value} +${length}`);

const [open, , ipv4, ipv6, withdraw4, withdraw6, end] = BGP_SEGMENTS as [Uint8Array, ...Uint8Array[]];

describe("a line", () => {
  it.each<[string, Uint8Array]>([
    ["OPEN AS 65001 id=1.1.1.1 hold=180", open],
    ["KEEPALIVE", encodeKeepalive()],
    ["UPDATE 10.1.0.0/16 10.2.3.0/24 via 10.0.0.1, path 65001 4200000001 {64600,64601}", ipv4!],
    ["UPDATE 2001:db8::/32 2001:db8::9/128 via 2001:db8::, path 65001 4200000001 {64600,64601}", ipv6!],
    ["UPDATE without 10.1.0.0/16 10.2.3.0/24", withdraw4!],
    ["UPDATE without 2001:db8::/32 2001:db8::9/128", withdraw6!],
    ["UPDATE end of IPv4 routes", end!],
    [
      "NOTIFICATION Cease/Administrative Shutdown",
      encodeNotification({ code: 6, subcode: 2, data: new Uint8Array(0) }),
    ],
    ["NOTIFICATION Hold Timer Expired", encodeNotification({ code: 4, subcode: 0, data: new Uint8Array(0) })],
    ["NOTIFICATION Error 9/Subcode 7", encodeNotification({ code: 9, subcode: 7, data: new Uint8Array(0) })],
    ["NOTIFICATION malformed", encodeMessage(3)],
    ["ROUTE-REFRESH IPv6 unicast", encodeRouteRefresh({ afi: 2, safi: 1, subtype: 0 })],
    ["ROUTE-REFRESH begin of AFI 9 SAFI 9", encodeRouteRefresh({ afi: 9, safi: 9, subtype: 1 })],
    ["ROUTE-REFRESH malformed", encodeMessage(5)],
    ["OPEN malformed: the OPEN message is too short", encodeMessage(1)],
    ["UPDATE malformed: the lengths of the UPDATE message do not fit it", encodeMessage(2)],
    ["type 77", encodeMessage(77)],
  ])("is %s", (text, data) => {
    expect(lineOf(data)).toBe(`BGP: ${text}`);
  });

  it("has AS numbers of 2 bytes, paths of no AS and the first of many prefixes", () => {
    const prefixes = [1, 2, 3, 4, 5].map((net) => ({
      family: "ipv4" as const,
      address: net << 24,
      length: 8,
    }));
    const old = { hasAs4: false, session: "external", addPath: [] } as const;
    const hop = { family: "ipv4", address: 0x0a00_0001 } as const;
    const path = { ...LOCAL_ATTRIBUTES, asPath: [{ type: 2, systems: [65_001] }] };
    expect(lineOf(encodeAnnouncements(path, hop, prefixes, old)![0]!)).toBe(
      "BGP: UPDATE 1.0.0.0/8 2.0.0.0/8 3.0.0.0/8 and 2 more via 10.0.0.1, path 65001",
    );
    expect(lineOf(encodeAnnouncements(LOCAL_ATTRIBUTES, hop, prefixes.slice(0, 1), old)![0]!)).toBe(
      "BGP: UPDATE 1.0.0.0/8 via 10.0.0.1, path local",
    );
  });

  it("names the fault of an update", () => {
    const body = Uint8Array.of(0, 0, 0, 4, 0x40, 1, 1, 9, 8, 10);
    expect(lineOf(encodeMessage(2, body))).toContain("without 10.0.0.0/8, malformed ORIGIN of 1 bytes");
  });

  it("has the messages of a segment, four at most, and what is cut on both sides", () => {
    const all = concatBytes(
      withdraw4!.subarray(20),
      encodeKeepalive(),
      encodeKeepalive(),
      open.subarray(0, 25),
    );
    expect(lineOf(all)).toBe(
      `BGP: rest of a message, ${withdraw4!.length - 20} bytes; KEEPALIVE; KEEPALIVE; OPEN, 25 bytes of ${open.length}`,
    );
    expect(lineOf(concatBytes(...Array.from({ length: 6 }, encodeKeepalive)))).toBe(
      "BGP: KEEPALIVE; KEEPALIVE; KEEPALIVE; KEEPALIVE; and 2 more",
    );
    expect(lineOf(Uint8Array.of(1, 2, 3))).toBe("BGP: rest of a message, 3 bytes");
    expect(lineOf(encodeKeepalive().subarray(0, 18))).toBe("BGP: part of a message");
  });

  it("of a segment without data, or of another port, is TCP's", () => {
    expect(lineOf(new Uint8Array(0))).toMatch(/^TCP: /);
    const frame = frameOf(encodeKeepalive(), [80, 443]);
    expect(decodePacket(frame, frame.length, "DLT_EN10MB").protocol).toBe("TCP");
  });
});

describe("the fields", () => {
  it("reach the last AS number and community", () => {
    const fields = layerOf(ipv4!);
    expect(fields).toEqual(
      expect.arrayContaining([
        "Message 2 (UPDATE) +1",
        "Segment sequence +10",
        "AS 4200000001 +4",
        "Community 65001:100 +4",
        "Community 65535:65281 (no export) +4",
        "Extended community route target 65001:100 +8",
        "Large community 65001:1:2 +12",
        "Cluster 5.5.5.5 +4",
        "Prefix 10.2.3.0/24 +4",
      ]),
    );
    expect(layerOf(ipv6!)).toContain("Next hop 2001:db8:: fe80::1 +32");
    expect(layerOf(open)).toEqual(
      expect.arrayContaining([
        "Capability graceful restart +8",
        "Restart time 120 s +2",
        "Next hop AFI 2 (IPv6) +2",
      ]),
    );
  });

  it.each(BGP_SEGMENTS.map((segment, index) => [index, segment] as const))(
    "of segment %i that is cut anywhere lie in it",
    (_, segment) => {
      for (let bytes = 1; bytes <= segment.length; bytes++) {
        const frame = frameOf(segment.subarray(0, bytes));
        const [layer] = readDetails(frame, "DLT_EN10MB").slice(-1);
        expect(layer!.name).toBe("BGP");
        for (const { at, length } of layer!.fields) expect(at + length).toBeLessThanOrEqual(frame.length);
        lineOf(segment.subarray(0, bytes));
      }
    },
  );
});
