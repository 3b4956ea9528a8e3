/** How the PC reassembles IPv6 fragments, observed through its answers to echo requests. */

import { ETHERTYPE_IPV6, encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIcmpv6, encodeNeighbour } from "@wirelab/engine/wire/icmpv6";
import { encodeIpv6Checked, IPV6_HEADER_BYTES } from "@wirelab/engine/wire/ipv6";
import { solicitedNode } from "@wirelab/engine/wire/ipv6-address";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fragmentIpv6 } from "../../../../../../packages/engine/wire/ipv6-fragment.ts";
import { ip6, PC_MAC, PEER_MAC } from "../../../../../helpers/engine/ipv6-frames.ts";
import { PcBench } from "../../../../../helpers/engine/script-pc.ts";

const OWN = "2001:db8::1";
const PEER = "2001:db8::2";
const MESSAGE_BYTES = 3_000;

/** A PC that knows the MAC of its peer. */
function makeBench(): PcBench {
  const bench = new PcBench();
  bench.pc.state.ipv6.global = { address: OWN, prefixLength: 64, eui64: false };
  bench.pc.state.ipv6.neighbours = [{ address: PEER, mac: PEER_MAC }];
  return bench;
}

const echo = (dataBytes = MESSAGE_BYTES): Uint8Array =>
  encodeIpv6Checked(
    { source: ip6(PEER), target: ip6(OWN), nextHeader: 58 },
    encodeIcmpv6(128, 0, 7, new Uint8Array(dataBytes).fill(0xab)),
  );

const frameOf = (packet: Uint8Array): Uint8Array => encodeEthernet(PC_MAC, PEER_MAC, ETHERTYPE_IPV6, packet);

/** An echo request of 3,048 bytes in fragments. */
const pieces = (id = 1, mtuBytes = 1280): Uint8Array[] => fragmentIpv6(echo(), id, mtuBytes).map(frameOf);

/** A fragment with another offset, with the M flag, or with other data. */
function changed(frame: Uint8Array, { place, byte }: { place?: number; byte?: number }): Uint8Array {
  const copy = frame.slice();
  const at = 14 + IPV6_HEADER_BYTES;
  if (place !== undefined) copy.set([place >>> 8, place & 0xff], at + 2);
  if (byte !== undefined) copy[at + 8] = byte;
  return copy;
}

/** How many frames the PC sends for a sequence of frames; an answer of 3,048 bytes takes three. */
function answers(bench: PcBench, ...frames: readonly Uint8Array[]): number {
  const before = bench.sent.length;
  for (const frame of frames) bench.toPc(frame);
  bench.run();
  return bench.sent.length - before;
}

describe("reassembling IPv6 fragments", () => {
  test("works in any order, with any fragment duplicated", () => {
    const anyOrder = fc
      .constantFrom(1280, 1400, 1500)
      .map((mtuBytes) => pieces(1, mtuBytes))
      .chain((all) => fc.tuple(fc.shuffledSubarray(all, { minLength: all.length }), fc.subarray(all)));
    fc.assert(
      fc.property(anyOrder, ([shuffled, doubled]) => {
        const heard = [...doubled.filter((piece) => piece !== shuffled.at(-1)), ...shuffled];
        expect(answers(makeBench(), ...heard)).toBe(3);
      }),
    );
  });

  test("keeps packets apart by identification", () => {
    const [a, b] = [pieces(1), pieces(2)];
    expect(answers(makeBench(), a[0]!, b[1]!, a[2]!)).toBe(0);
    expect(answers(makeBench(), ...[0, 1, 2].flatMap((index) => [a[index]!, b[index]!]))).toBe(6);
  });

  test.each([
    ["begins within another", { place: 0x4c8 | 1 }],
    ["has the place of another and other data", { place: 1 }],
    ["ends behind the last one", { place: 0xf000 }],
  ])("drops the packet and its later fragments when a fragment %s", (_, change) => {
    const [first, second, third] = pieces();
    const bench = makeBench();
    expect(answers(bench, first!, third!, changed(second!, { ...change, byte: 1 }))).toBe(0);
    expect(answers(bench, first!, second!, third!)).toBe(0);
    expect(answers(bench, ...pieces(2))).toBe(3);
  });

  test("ignores a fragment that is not the last and not a multiple of 8 bytes long", () => {
    const odd = fragmentIpv6(echo(21), 1, 1280).map(frameOf)[0]!;
    expect(answers(makeBench(), changed(odd, { place: 1 }))).toBe(0);
    expect(answers(makeBench(), odd)).toBe(1);
  });

  test("accepts a packet in a single fragment, whatever fragments came before with its identification", () => {
    const bench = makeBench();
    const [first] = pieces(1);
    const single = fragmentIpv6(echo(100), 1, 1280).map(frameOf);
    expect(single).toHaveLength(1);
    expect(answers(bench, first!, single[0]!)).toBe(1);
    expect(answers(bench, ...pieces(1).slice(1))).toBe(3);
  });

  test("drops a packet that would be longer than IPv6 allows", () => {
    const [first, second, third] = pieces();
    const bench = makeBench();
    expect(answers(bench, first!, changed(second!, { place: 0xfff8 | 1 }), second!, third!)).toBe(0);
  });

  test("waits 60 s for the last fragment", () => {
    for (const [seconds, count] of [
      [59.9, 3],
      [60, 0],
    ] as const) {
      const bench = makeBench();
      const [first, second, third] = pieces();
      answers(bench, first!, second!);
      bench.run(bench.nowUs + seconds * 1e6);
      expect(answers(bench, third!)).toBe(count);
    }
  });

  test("holds 16 packets, and evicts the oldest for one more", () => {
    const bench = makeBench();
    const all = Array.from({ length: 17 }, (_, id) => pieces(id));
    expect(answers(bench, ...all.flatMap(([first, second]) => [first!, second!]))).toBe(0);
    expect(answers(bench, all[16]![2]!)).toBe(3);
    expect(answers(bench, all[1]![2]!)).toBe(3);
    expect(answers(bench, all[0]![2]!)).toBe(0);
  });

  test("drops neighbour discovery that comes in fragments (RFC 6980)", () => {
    const target = ip6(OWN);
    const solicitation = encodeIpv6Checked(
      { source: ip6(PEER), target: solicitedNode(target), nextHeader: 58, hopLimit: 255 },
      encodeNeighbour({ type: 135, flags: 0, target, mac: PEER_MAC }),
    );
    const toGroup = (packet: Uint8Array): Uint8Array =>
      encodeEthernet(0x3333_ff00_0001, PEER_MAC, ETHERTYPE_IPV6, packet);
    expect(answers(makeBench(), toGroup(solicitation))).toBe(1);
    expect(answers(makeBench(), ...fragmentIpv6(solicitation, 1, 64).map(toGroup))).toBe(0);
    expect(answers(makeBench(), ...fragmentIpv6(solicitation, 1, 1280).map(toGroup))).toBe(0);
  });
});
