/** What a link does with packets of guests that are larger than the MTU of the link. */

import {
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  encodeEthernet,
  sourceMac,
  targetMac,
} from "@wirelab/engine/wire/ethernet";
import { encodeIcmp } from "@wirelab/engine/wire/icmp";
import { encodeIcmpv6 } from "@wirelab/engine/wire/icmpv6";
import { decodeIpv4, encodeIpv4, type Ipv4Fields } from "@wirelab/engine/wire/ipv4";
import { parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { decodeIpv6, encodeIpv6Checked } from "@wirelab/engine/wire/ipv6";
import { parseIpv6 } from "@wirelab/engine/wire/ipv6-address";
import { describe, expect, test } from "vitest";
import { checksum, pseudoHeaderSum6 } from "../../../../packages/engine/base/checksum.ts";
import { refit } from "../../../../packages/engine/simulation/refit.ts";

const [GUEST, NEXT] = [0x0200_0000_0001, 0x0200_0000_0002];
const MTU = 1_300;
const ip = (text: string): number => parseIpv4(text)!;
const ip6 = (text: string): bigint => parseIpv6(text)!;
const DATA = new Uint8Array(1_400).fill(7);

function frame4(fields: Partial<Ipv4Fields> = {}, payload: Uint8Array = DATA): Uint8Array {
  const whole = {
    source: ip("10.0.0.1"),
    target: ip("10.0.9.9"),
    protocol: 6,
    dontFragment: true,
    id: 9,
    ...fields,
  };
  return encodeEthernet(NEXT, GUEST, ETHERTYPE_IPV4, encodeIpv4(whole, payload)[0]!);
}

const frame6 = (target = "2001:db8:9::9", nextHeader = 6, payload: Uint8Array = DATA): Uint8Array =>
  encodeEthernet(
    NEXT,
    GUEST,
    ETHERTYPE_IPV6,
    encodeIpv6Checked({ source: ip6("2001:db8::1"), target: ip6(target), nextHeader }, payload),
  );

const withTag = (frame: Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([...frame.subarray(0, 12), 0x81, 0, 0, 20, ...frame.subarray(12)]);

describe("a packet of a guest that is larger than the link's MTU", () => {
  test("is cut without DF", () => {
    const { fragments, report } = refit(frame4({ dontFragment: false }), MTU);
    expect(report).toBeUndefined();
    expect(fragments.map((each) => decodeIpv4(each, 14)!.totalBytes)).toEqual([1_300, 140]);
    expect(fragments.map(targetMac)).toEqual([NEXT, NEXT]);
  });

  test("is reported to its sender with DF, from its target, with the MTU", () => {
    const { fragments, report } = refit(frame4(), MTU);
    expect(fragments).toEqual([]);
    expect([targetMac(report!), sourceMac(report!)]).toEqual([GUEST, NEXT]);
    const header = decodeIpv4(report!, 14)!;
    expect(header).toMatchObject({ source: ip("10.0.9.9"), target: ip("10.0.0.1"), protocol: 1 });
    expect([...report!.subarray(34, 36), ...report!.subarray(40, 42)]).toEqual([3, 4, 5, 20]);
    expect(report!.subarray(42, 62)).toEqual(frame4().subarray(14, 34));
    expect(checksum(report!, 34, 14 + header.totalBytes)).toBe(0);
  });

  test("is reported with IPv6", () => {
    const { fragments, report } = refit(frame6(), MTU);
    expect(fragments).toEqual([]);
    const header = decodeIpv6(report!, 14)!;
    expect(header).toMatchObject({
      source: ip6("2001:db8:9::9"),
      target: ip6("2001:db8::1"),
      nextHeader: 58,
    });
    expect([report![54], ...report!.subarray(58, 62)]).toEqual([2, 0, 0, 5, 20]);
    expect(report!.length - 14).toBeLessThanOrEqual(1_280);
    const sum = pseudoHeaderSum6(report!, 14, 58, header.payloadBytes);
    expect(checksum(report!, 54, 54 + header.payloadBytes, sum)).toBe(0);
  });

  test("keeps its VLAN tag, as does its report", () => {
    const cut = refit(withTag(frame4({ dontFragment: false })), MTU).fragments;
    expect(cut).toEqual(refit(frame4({ dontFragment: false }), MTU).fragments.map((each) => withTag(each)));
    expect(refit(withTag(frame4()), MTU).report).toEqual(withTag(refit(frame4(), MTU).report!));
  });

  test.each([
    ["an ICMP error", frame4({ protocol: 1 }, encodeIcmp(3, 1, 0, DATA))],
    ["a later fragment", frame4({ fragmentOffset: 1_480 })],
    ["to a group", frame4({ target: ip("239.1.1.1") })],
    ["an ICMPv6 error", frame6(undefined, 58, encodeIcmpv6(1, 0, 0, DATA))],
    ["to a group of IPv6", frame6("ff02::1")],
    ["not IP", encodeEthernet(NEXT, GUEST, 0x88cc, DATA)],
  ])("is dropped if it is %s", (_, frame) => {
    expect(refit(frame, MTU)).toEqual({ fragments: [], report: undefined });
  });
});
