import { describe, expect, it } from "vitest";
import type { Nlri } from "../../../../../packages/engine/wire/bgp.ts";
import { LOCAL_ATTRIBUTES, type PathAttributes } from "../../../../../packages/engine/wire/bgp-attributes.ts";
import { decodeUpdate, makeAttributeMemory } from "../../../../../packages/engine/wire/bgp-read-update.ts";
import type { UpdateForm } from "../../../../../packages/engine/wire/bgp-update.ts";
import {
  encodeAnnouncements,
  encodeEndOfRib,
  encodeWithdrawals,
} from "../../../../../packages/engine/wire/bgp-write-update.ts";
import { parseIpv4 } from "../../../../../packages/engine/wire/ipv4-address.ts";
import { parseIpv6 } from "../../../../../packages/engine/wire/ipv6-address.ts";
import { fromHex } from "../hex.ts";

const FORM: UpdateForm = { hasAs4: true, session: "external", addPath: [] };
const INTERNAL: UpdateForm = { ...FORM, session: "internal" };

function nlri(text: string, pathId?: number): Nlri {
  const [address = "", length] = text.split("/");
  const more = pathId === undefined ? {} : { pathId };
  return address.includes(":")
    ? { family: "ipv6", address: parseIpv6(address)!, length: Number(length), ...more }
    : { family: "ipv4", address: parseIpv4(address)!, length: Number(length), ...more };
}
const hop4 = (text: string) => ({ family: "ipv4", address: parseIpv4(text)! }) as const;
const hop6 = (text: string, linkLocal?: string) => ({
  family: "ipv6" as const,
  address: parseIpv6(text)!,
  ...(linkLocal === undefined ? {} : { linkLocal: parseIpv6(linkLocal)! }),
});

const PATH: PathAttributes = { ...LOCAL_ATTRIBUTES, asPath: [{ type: 2, systems: [65_001] }] };
/** Attributes of all kinds. */
const FULL: PathAttributes = {
  origin: 2,
  asPath: [
    { type: 2, systems: [65_001, 4_200_000_000] },
    { type: 1, systems: [7, 8] },
  ],
  med: 50,
  localPreference: 200,
  isAtomicAggregate: true,
  aggregator: { system: 4_200_000_000, address: 0x0101_0101 },
  communities: [0x0001_0002, 0xffff_ff01],
  extendedCommunities: [[0x0002_fde9, 100]],
  largeCommunities: [
    [65_001, 1, 2],
    [4_200_000_000, 0, 9],
  ],
  originatorId: 0x0909_0909,
  clusterList: [0x0808_0808, 0x0707_0707],
  unknown: [{ flags: 0xe0, type: 99, value: Uint8Array.of(1, 2, 3) }],
};

const sent = (message: Uint8Array, form: UpdateForm = FORM) => decodeUpdate(message.subarray(19), form);

describe("an UPDATE message", () => {
  /** RFC 4271, section 4.3, written by hand. */
  const GOLDEN = fromHex(
    `ffffffffffffffffffffffffffffffff 0032 02 0000 0014
     40 01 01 00  40 02 06 02 01 0000fde9  40 03 04 0a000001  10 0a01 18 0a0200`,
  );

  it("is encoded and decoded", () => {
    const prefixes = [nlri("10.1.0.0/16"), nlri("10.2.0.0/24")];
    expect(encodeAnnouncements(PATH, hop4("10.0.0.1"), prefixes, FORM)).toEqual([GOLDEN]);
    expect(sent(GOLDEN)).toEqual({
      update: {
        withdrawn: [],
        announced: [{ family: "ipv4", nextHop: hop4("10.0.0.1"), prefixes }],
        attributes: PATH,
        endOf: null,
      },
      faults: [],
      ignored: [],
    });
  });

  it.each<[string, Nlri, ReturnType<typeof hop4> | ReturnType<typeof hop6>]>([
    ["IPv4 by IPv6 (RFC 8950)", nlri("10.0.0.0/8"), hop6("fe80::1")],
    ["IPv6 with a link-local address too", nlri("2001:db8::/33"), hop6("2001:db8::1", "fe80::1")],
    ["IPv6 by one address", nlri("::/0"), hop6("2001:db8::1")],
    ["IPv4 by IPv4", nlri("0.0.0.0/0"), hop4("192.0.2.1")],
    ["a host", nlri("2001:db8::9/128"), hop6("2001:db8::1")],
  ])("carries %s, with all attributes", (_, prefix, nextHop) => {
    const [message] = encodeAnnouncements(FULL, nextHop, [prefix], INTERNAL)!;
    expect(sent(message!, INTERNAL)).toEqual({
      update: {
        withdrawn: [],
        announced: [{ family: prefix.family, nextHop, prefixes: [prefix] }],
        attributes: FULL,
        endOf: null,
      },
      faults: [],
      ignored: [],
    });
  });

  it("tells an external neighbour no preference and nothing of reflectors", () => {
    const [message] = encodeAnnouncements(FULL, hop4("10.0.0.1"), [nlri("10.0.0.0/8")], FORM)!;
    expect(sent(message!)).toMatchObject({
      update: { attributes: { ...FULL, localPreference: null, originatorId: null, clusterList: [] } },
      faults: [],
    });
  });

  it("keeps AS numbers of 4 bytes between old speakers (RFC 6793)", () => {
    const old: UpdateForm = { ...INTERNAL, hasAs4: false };
    const [message] = encodeAnnouncements(FULL, hop4("10.0.0.1"), [nlri("10.0.0.0/8")], old)!;
    expect(sent(message!, old)).toMatchObject({ update: { attributes: FULL }, faults: [] });
    expect(sent(message!, INTERNAL)).toMatchObject({ update: { announced: [] } });
  });

  it("has path ids in sessions with ADD-PATH", () => {
    const form: UpdateForm = { ...FORM, addPath: ["ipv4", "ipv6"] };
    const four = [nlri("10.0.0.0/8", 1), nlri("10.0.0.0/8", 2)];
    const six = [nlri("2001:db8::/32", 7)];
    expect(sent(encodeAnnouncements(PATH, hop4("10.0.0.1"), four, form)![0]!, form)).toMatchObject({
      update: { announced: [{ prefixes: four }] },
    });
    expect(sent(encodeAnnouncements(PATH, hop6("2001:db8::1"), six, form)![0]!, form)).toMatchObject({
      update: { announced: [{ prefixes: six }] },
    });
    expect(sent(encodeWithdrawals(six)[0]!, form)).toMatchObject({ update: { withdrawn: six } });
  });

  it.each([["10.0.0.0/8"], ["2001:db8::/32"]])("withdraws %s", (text) => {
    expect(sent(encodeWithdrawals([nlri(text)])[0]!)).toEqual({
      update: { withdrawn: [nlri(text)], announced: [], attributes: null, endOf: null },
      faults: [],
      ignored: [],
    });
  });

  it("marks the end of a family (RFC 4724)", () => {
    expect(encodeEndOfRib("ipv4")).toHaveLength(23);
    for (const family of ["ipv4", "ipv6"] as const)
      expect(sent(encodeEndOfRib(family))).toMatchObject({ update: { endOf: family } });
  });

  it("is split at 4,096 bytes", () => {
    const prefixes = Array.from({ length: 2_000 }, (_, index) =>
      nlri(`10.${index >> 8}.${index & 255}.0/24`),
    );
    for (const messages of [
      encodeAnnouncements(PATH, hop4("10.0.0.1"), prefixes, FORM)!,
      encodeAnnouncements(PATH, hop6("fe80::1"), prefixes, FORM)!,
      encodeWithdrawals(prefixes),
    ]) {
      expect(messages.length).toBe(2);
      expect(messages.every(({ length }) => length <= 4_096)).toBe(true);
      const all = messages.flatMap((message) => {
        const result = sent(message);
        if ("error" in result) throw new Error(result.text);
        return [...result.update.withdrawn, ...result.update.announced.flatMap((each) => each.prefixes)];
      });
      expect(all).toEqual(prefixes);
    }
    expect(encodeAnnouncements(PATH, hop4("10.0.0.1"), [], FORM)).toEqual([]);
    expect(encodeWithdrawals([])).toEqual([]);
  });

  it("is refused where the attributes leave no room", () => {
    const communities = Array.from({ length: 1_100 }, (_, index) => index);
    expect(
      encodeAnnouncements({ ...PATH, communities }, hop4("10.0.0.1"), [nlri("10.0.0.0/8")], FORM),
    ).toBeNull();
  });

  it("ignores the bits behind a prefix, and the order and copies of communities", () => {
    const body = fromHex(
      `0000 0023 40010100 40020602010000fde9 4003040a000001
       c0080c 00000009 00000001 00000009  0c0aff`,
    );
    expect(decodeUpdate(body, FORM)).toMatchObject({
      update: { attributes: { communities: [1, 9] }, announced: [{ prefixes: [nlri("10.240.0.0/12")] }] },
      faults: [],
    });
  });
});

describe("a memory of attributes", () => {
  it("gives one object for equal bytes in one form, whatever the prefixes", () => {
    const memory = makeAttributeMemory();
    const attributes = (prefix: string, hop: Parameters<typeof encodeAnnouncements>[1], form = INTERNAL) => {
      const [message] = encodeAnnouncements(FULL, hop, [nlri(prefix)], form)!;
      const result = decodeUpdate(message!.subarray(19), form, memory);
      return "update" in result ? result.update.attributes : undefined;
    };
    const first = attributes("10.0.0.0/8", hop4("10.0.0.1"));
    expect(attributes("10.9.0.0/16", hop4("10.0.0.1"))).toBe(first);
    const six = attributes("2001:db8::/32", hop6("2001:db8::1"));
    expect(attributes("2001:db9::/32", hop6("2001:db8::2"))).toBe(six);
    expect(memory.known.size).toBe(2);
    expect(attributes("10.0.0.0/8", hop4("10.0.0.1"), { ...INTERNAL, hasAs4: false })).not.toBe(first);
  });

  it("does not grow without end", () => {
    const memory = makeAttributeMemory(2);
    for (const med of [1, 2, 3]) {
      const [message] = encodeAnnouncements({ ...PATH, med }, hop4("10.0.0.1"), [nlri("10.0.0.0/8")], FORM)!;
      decodeUpdate(message!.subarray(19), FORM, memory);
    }
    expect(memory.known.size).toBe(1);
  });
});
