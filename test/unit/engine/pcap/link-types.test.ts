import { describe, expect, it } from "vitest";
import {
  canonicalLinkType,
  DATA_LINK_TYPES,
  dataLinkTypeName,
  linkTypeOf,
} from "../../../../functions/engine/pcap/index.ts";

describe("data link types", () => {
  it.each([
    ["DLT_ATM_RFC1483", 100],
    ["DLT_EN10MB", 1],
    ["DLT_FRELAY", 107],
    ["DLT_C_HDLC", 104],
    ["DLT_PPP_SERIAL", 50],
  ] as const)("%s is %i in files, and back", (name, linkType) => {
    expect(linkTypeOf(name)).toBe(linkType);
    expect(dataLinkTypeName(linkType)).toBe(name);
  });

  it("are the five of the interface and no more", () => {
    expect(DATA_LINK_TYPES).toHaveLength(5);
    expect(dataLinkTypeName(105)).toBeUndefined();
  });

  it("know ATM by its system's number 11 too", () => {
    expect(canonicalLinkType(11)).toBe(100);
    expect(dataLinkTypeName(11)).toBe("DLT_ATM_RFC1483");
    expect(canonicalLinkType(113)).toBe(113);
  });
});
