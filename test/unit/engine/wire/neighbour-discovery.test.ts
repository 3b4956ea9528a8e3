import type { Ipv6Header } from "@wirelab/engine/wire/ipv6";
import { parseIpv6, solicitedNode } from "@wirelab/engine/wire/ipv6-address";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isValidDiscovery } from "../../../../packages/engine/wire/neighbour-discovery.ts";

const ip6 = (text: string): bigint => parseIpv6(text)!;
const WANTED = ip6("2001:db8::2");
const WANTED_BYTES = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2];
const GROUP_BYTES = [0xff, 0x02, ...new Array<number>(13).fill(0), 1];
const SOURCE_OPTION = [1, 1, 2, 0, 0, 0, 0, 10];

const header = (fields: Partial<Ipv6Header> = {}): Ipv6Header => ({
  trafficClass: 0,
  payloadBytes: 0,
  nextHeader: 58,
  hopLimit: 255,
  source: ip6("fe80::1"),
  target: ip6("fe80::2"),
  ...fields,
});

const message = (type: number, fixed: readonly number[], options: readonly number[] = [], code = 0) =>
  Uint8Array.of(type, code, 0, 0, ...fixed, ...options);
const SOLICITED = [0x40, 0, 0, 0];
const NONE = [0, 0, 0, 0];

/** Each kind of message, with its valid fixed part. */
const KINDS: readonly [string, type: number, fixed: readonly number[]][] = [
  ["a router solicitation", 133, NONE],
  ["a router advertisement", 134, [64, 0, 7, 8, ...new Array<number>(8).fill(0)]],
  ["a neighbour solicitation", 135, [...NONE, ...WANTED_BYTES]],
  ["a neighbour advertisement", 136, [...SOLICITED, ...WANTED_BYTES]],
];

describe.each(KINDS)("%s", (_title, type, fixed) => {
  const isValid = (options: readonly number[], fields: Partial<Ipv6Header> = {}, code = 0): boolean =>
    isValidDiscovery(header(fields), message(type, fixed, options, code));

  it("is valid with no options, one, or several of any kind", () => {
    expect(
      [[], SOURCE_OPTION, [...SOURCE_OPTION, 99, 2, ...new Array<number>(14).fill(7)]].map((each) =>
        isValid(each),
      ),
    ).toEqual([true, true, true]);
  });

  it.each([
    ["with an option of length 0", [1, 0, 2, 0, 0, 0, 0, 10]],
    ["with an option of length 0 behind a good one", [...SOURCE_OPTION, 1, 0, 0, 0, 0, 0, 0, 0]],
    ["with an option that runs past its end", [1, 2, 2, 0, 0, 0, 0, 10]],
    ["with part of an option", [1]],
  ])("is dropped %s", (_what, options) => {
    expect(isValid(options)).toBe(false);
  });

  it("is dropped when it came through a router, has a code, or is truncated", () => {
    expect(isValid([], { hopLimit: 254 })).toBe(false);
    expect(isValid([], {}, 1)).toBe(false);
    expect(isValidDiscovery(header(), message(type, fixed.slice(0, -1)))).toBe(false);
  });
});

describe("a solicitation from the unspecified address", () => {
  const from = { source: 0n };
  const wanted = message(135, [...NONE, ...WANTED_BYTES]);

  it("is dropped when it contains a MAC", () => {
    expect(isValidDiscovery(header(from), message(133, NONE))).toBe(true);
    expect(isValidDiscovery(header(from), message(133, NONE, SOURCE_OPTION))).toBe(false);
    const target = solicitedNode(WANTED);
    expect(isValidDiscovery(header({ ...from, target }), wanted)).toBe(true);
    expect(isValidDiscovery(header({ ...from, target }), Uint8Array.of(...wanted, ...SOURCE_OPTION))).toBe(
      false,
    );
  });

  it("of a neighbour is dropped when its destination is not the address's group", () => {
    expect(isValidDiscovery(header({ ...from, target: WANTED }), wanted)).toBe(false);
  });
});

it("a router advertisement is dropped when it is not from a link-local address", () => {
  const [, type, fixed] = KINDS[1]!;
  expect(isValidDiscovery(header({ source: WANTED }), message(type, fixed))).toBe(false);
});

it("a neighbour advertisement to a group is dropped when it claims to be solicited", () => {
  const toAll = header({ target: ip6("ff02::1") });
  expect(isValidDiscovery(toAll, message(136, [0x20, 0, 0, 0, ...WANTED_BYTES]))).toBe(true);
  expect(isValidDiscovery(toAll, message(136, [...SOLICITED, ...WANTED_BYTES]))).toBe(false);
});

it.each([135, 136])("a message of type %i about a group is dropped", (type) => {
  expect(isValidDiscovery(header(), message(type, [...NONE, ...GROUP_BYTES]))).toBe(false);
});

it("other ICMPv6 messages do not belong to neighbour discovery", () => {
  expect(
    [1, 128, 129, 137].map((type) => isValidDiscovery(header(), message(type, new Array(40).fill(0)))),
  ).toEqual([false, false, false, false]);
});

it("no bytes make the check throw", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(typeof isValidDiscovery(header(), bytes)).toBe("boolean");
    }),
  );
});
