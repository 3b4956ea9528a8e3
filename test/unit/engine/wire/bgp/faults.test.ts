/** Malformed updates: RFC 7606 for what happens, RFC 4271, section 6.3, for the error. */
import { describe, expect, it } from "vitest";
import { decodeUpdate } from "../../../../../packages/engine/wire/bgp-read-update.ts";
import type { UpdateForm } from "../../../../../packages/engine/wire/bgp-update.ts";
import { fromHex } from "../hex.ts";

const FORM: UpdateForm = { hasAs4: true, session: "external", addPath: [] };
const INTERNAL: UpdateForm = { ...FORM, session: "internal" };
const OLD: UpdateForm = { ...FORM, hasAs4: false };

const ORIGIN = "40010100";
const AS_PATH = "40020602010000fde9";
const OLD_PATH = "4002040201fde9";
const NEXT_HOP = "4003040a000001";
const LOCAL_PREF = "40050400000064";
const NLRI = "180a0100";
const PREFIX = { family: "ipv4", address: 0x0a01_0000, length: 24 };
const REACH6 = "800e 1a 0002 01 10 20010db8000000000000000000000001 00 20 20010db8";
const PREFIX6 = { family: "ipv6", address: 0x2001_0db8n << 96n, length: 32 };

const hex4 = (bytes: Uint8Array): string => bytes.length.toString(16).padStart(4, "0");

function update(attributes: string, nlri = NLRI, withdrawn = ""): Uint8Array {
  const [before, between] = [fromHex(withdrawn), fromHex(attributes)];
  return fromHex(`${hex4(before)} ${withdrawn} ${hex4(between)} ${attributes} ${nlri}`);
}

/** All that are needed, with others behind them. */
const behind = (attribute: string, form: UpdateForm): string =>
  `${ORIGIN} ${form.hasAs4 ? AS_PATH : OLD_PATH} ${NEXT_HOP} ${form.session === "internal" ? LOCAL_PREF : ""} ${attribute}`;

describe("a route is withdrawn for", () => {
  it.each<[string, string, number, string]>([
    ["ORIGIN of 2 bytes", `4001020000 ${AS_PATH} ${NEXT_HOP}`, 5, "4001020000"],
    ["ORIGIN 3", `40010103 ${AS_PATH} ${NEXT_HOP}`, 6, "40010103"],
    ["AS_PATH that is cut", `${ORIGIN} 4002050201000001 ${NEXT_HOP}`, 11, "4002050201000001"],
    [
      "AS_PATH with a segment of a confederation",
      `${ORIGIN} 40020603010000fde9 ${NEXT_HOP}`,
      11,
      "40020603010000fde9",
    ],
    ["AS_PATH with AS 0", `${ORIGIN} 400206020100000000 ${NEXT_HOP}`, 11, "400206020100000000"],
    ["NEXT_HOP of 5 bytes", `${ORIGIN} ${AS_PATH} 4003050a00000100`, 5, "4003050a00000100"],
    ["NEXT_HOP 0.0.0.0", `${ORIGIN} ${AS_PATH} 40030400000000`, 8, "40030400000000"],
    ["NEXT_HOP 224.0.0.1", `${ORIGIN} ${AS_PATH} 400304e0000001`, 8, "400304e0000001"],
    ["MED of 3 bytes", behind("800403000001", FORM), 5, "800403000001"],
    ["COMMUNITIES of 3 bytes", behind("c00803000001", FORM), 9, "c00803000001"],
    ["no COMMUNITIES", behind("c00800", FORM), 9, "c00800"],
    ["EXTENDED_COMMUNITIES of 4 bytes", behind("c0100400000001", FORM), 9, "c0100400000001"],
    ["LARGE_COMMUNITY of 8 bytes", behind("c020080000000100000001", FORM), 9, "c020080000000100000001"],
    ["a wrong flag of ORIGIN", `80010100 ${AS_PATH} ${NEXT_HOP}`, 4, "80010100"],
    ["a wrong flag of MED", behind("c0040400000001", FORM), 4, "c0040400000001"],
    ["a partial MED", behind("a0040400000001", FORM), 4, "a0040400000001"],
    ["a wrong flag of AGGREGATOR", behind("8007080000000100000001", FORM), 4, "8007080000000100000001"],
    ["no ORIGIN", `${AS_PATH} ${NEXT_HOP}`, 3, "01"],
    ["no AS_PATH", `${ORIGIN} ${NEXT_HOP}`, 3, "02"],
    ["no NEXT_HOP", `${ORIGIN} ${AS_PATH}`, 3, "03"],
    ["a long attribute at the end", behind("800405000000", FORM), 5, "800405000000"],
    ["half an attribute", behind("8004", FORM), 5, "8004"],
    ["half a long length", behind("900400", FORM), 5, "900400"],
  ])("%s", (_, attributes, subcode, data) => {
    const result = decodeUpdate(update(attributes, NLRI, "080b"), FORM);
    expect(result).toMatchObject({
      update: {
        withdrawn: [{ family: "ipv4", address: 0x0b00_0000, length: 8 }, PREFIX],
        announced: [],
        attributes: null,
        endOf: null,
      },
      faults: [{ action: "treat-as-withdraw", notification: { code: 3, subcode, data: fromHex(data) } }],
    });
  });

  it.each<[string, string, number]>([
    ["LOCAL_PREF of 3 bytes", `${ORIGIN} ${AS_PATH} ${NEXT_HOP} 400503000001`, 5],
    ["no LOCAL_PREF", `${ORIGIN} ${AS_PATH} ${NEXT_HOP}`, 3],
    ["ORIGINATOR_ID of 5 bytes", behind("8009050000000100", INTERNAL), 5],
    ["CLUSTER_LIST of 5 bytes", behind("800a050000000100", INTERNAL), 9],
  ])("%s from an internal neighbour", (_, attributes, subcode) => {
    expect(decodeUpdate(update(attributes), INTERNAL)).toMatchObject({
      update: { withdrawn: [PREFIX] },
      faults: [{ action: "treat-as-withdraw", notification: { code: 3, subcode } }],
    });
  });

  it("an impossible next hop of MP_REACH_NLRI, and a wrong flag there", () => {
    const multicast = REACH6.replace("20010db80000", "ff020db80000");
    for (const [reach, subcode] of [
      [multicast, 9],
      [REACH6.replace("800e", "c00e"), 4],
    ] as const)
      expect(decodeUpdate(update(`${reach} ${ORIGIN} ${AS_PATH}`, ""), FORM)).toMatchObject({
        update: { withdrawn: [PREFIX6], announced: [] },
        faults: [{ action: "treat-as-withdraw", notification: { subcode } }],
      });
  });
});

describe("an attribute is discarded:", () => {
  it.each<[string, UpdateForm, string, number]>([
    ["ATOMIC_AGGREGATE with a byte", FORM, "40060100", 5],
    ["AGGREGATOR of 6 bytes", FORM, "c00706000000010000", 5],
    ["AGGREGATOR of 8 bytes from an old speaker", OLD, "c007080000000100000001", 5],
    ["AGGREGATOR of AS 0", FORM, "c007080000000000000001", 9],
    ["LOCAL_PREF from an external neighbour", FORM, LOCAL_PREF, 1],
    ["ORIGINATOR_ID from an external neighbour", FORM, "80090400000001", 1],
    ["CLUSTER_LIST from an external neighbour", FORM, "800a03000001", 1],
    ["AS4_PATH from a new speaker", FORM, "c01106020100000001", 1],
    ["a malformed AS4_PATH", OLD, "c011050201000000", 9],
    ["a malformed AS4_AGGREGATOR", OLD, "c012050000000100", 5],
    ["a second MED", FORM, "80040400000001 80040400000002", 1],
  ])("%s", (_, form, attribute, subcode) => {
    const result = decodeUpdate(update(behind(attribute, form)), form);
    expect(result).toMatchObject({
      update: { withdrawn: [], announced: [{ prefixes: [PREFIX] }] },
      faults: [{ action: "attribute-discard", notification: { code: 3, subcode } }],
    });
    const { attributes } = (result as Extract<typeof result, { update: unknown }>).update;
    expect(attributes).toMatchObject({
      isAtomicAggregate: false,
      aggregator: null,
      localPreference: null,
      originatorId: null,
      clusterList: [],
      asPath: [{ type: 2, systems: [65_001] }],
    });
  });

  it("the second of two, not the first", () => {
    expect(decodeUpdate(update(behind("80040400000001 80040400000002", FORM)), FORM)).toMatchObject({
      update: { attributes: { med: 1 } },
    });
  });

  it("unknown ones that are not transitive, without a fault", () => {
    expect(decodeUpdate(update(behind("80630101 c0640102", FORM)), FORM)).toMatchObject({
      update: { attributes: { unknown: [{ flags: 0xc0, type: 100, value: Uint8Array.of(2) }] } },
      faults: [],
    });
  });
});

describe("the session ends for", () => {
  it.each<[string, Uint8Array, number, string]>([
    ["lengths behind the end", fromHex("0005 0000"), 1, ""],
    ["attributes behind the end", fromHex("0000 0001"), 1, ""],
    ["3 bytes", fromHex("000000"), 1, ""],
    ["a withdrawn prefix of 33 bits", update("", "", "210a00000000"), 10, ""],
    ["a withdrawn prefix that is cut", update("", "", "180a00"), 10, ""],
    ["a prefix of 33 bits", update(behind("", FORM), "210a00000000"), 10, ""],
    ["a prefix that is cut", update(behind("", FORM), "180a"), 10, ""],
    ["an unknown well-known attribute", update(behind("40630101", FORM)), 2, "40630101"],
    ["two MP_REACH_NLRI", update(`${REACH6} ${REACH6} ${ORIGIN} ${AS_PATH}`), 1, ""],
    ["MP_REACH_NLRI of 4 bytes", update(`800e0400020110 ${ORIGIN} ${AS_PATH}`), 9, "800e0400020110"],
    ["MP_REACH_NLRI with a next hop behind its end", update("800e0500020110 00"), 9, "800e050002011000"],
    ["an IPv6 next hop of 4 bytes", update("800e09 0002 01 04 0a000001 00"), 9, "800e09000201040a00000100"],
    ["an IPv6 prefix of 129 bits", update("800f0400020181"), 9, "800f0400020181"],
    ["MP_UNREACH_NLRI of 2 bytes", update("800f020002"), 9, "800f020002"],
    ["a malformed attribute of no route", update("40010103", ""), 6, "40010103"],
  ])("%s", (_, body, subcode, data) => {
    expect(decodeUpdate(body, FORM)).toMatchObject({ error: { code: 3, subcode, data: fromHex(data) } });
  });
});

describe("families that are not read", () => {
  it("are ignored and named", () => {
    const vpn = "800f03 0001 80";
    expect(decodeUpdate(update(vpn, ""), FORM)).toMatchObject({
      update: { withdrawn: [], endOf: null },
      ignored: [{ afi: 1, safi: 128 }],
    });
  });
});
