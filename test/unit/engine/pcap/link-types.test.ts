import {
  canonicalLinkType,
  DATA_LINK_TYPES,
  dataLinkTypeName,
  filterLinkTypeOf,
  linkTypeOf,
} from "@wirelab/engine/pcap/index";
import { describe, expect, it } from "vitest";

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

  it("are exactly the five of the HTTP interface", () => {
    expect(DATA_LINK_TYPES).toHaveLength(5);
    expect(dataLinkTypeName(105)).toBeUndefined();
  });

  it.each([
    [0, "DLT_NULL"],
    [9, "DLT_PPP"],
    [12, "DLT_RAW"],
    [101, "DLT_RAW"],
    [113, "DLT_LINUX_SLL"],
    [276, "DLT_LINUX_SLL2"],
    [147, "unknown"],
  ])("%i in a file is %s for a filter", (linkType, name) => {
    expect(filterLinkTypeOf({ linkType, snaplen: 0, littleEndian: true })).toBe(name);
  });

  it("include DLT_NULL in the file's byte order, which in big-endian order is DLT_LOOP", () => {
    expect(filterLinkTypeOf({ linkType: 0, snaplen: 0, littleEndian: false })).toBe("DLT_LOOP");
    expect(filterLinkTypeOf({ linkType: 101, snaplen: 0, littleEndian: false })).toBe("DLT_RAW");
  });

  it("include ATM's alias 11", () => {
    expect(canonicalLinkType(11)).toBe(100);
    expect(dataLinkTypeName(11)).toBe("DLT_ATM_RFC1483");
    expect(canonicalLinkType(113)).toBe(113);
  });
});
