/** The types of a VLAN tag: switches write four, and everything else in the engine steps over the same four. */
import { concatBytes } from "@wirelab/engine/base/bytes";
import { readDetails } from "@wirelab/engine/wire/details";
import { ETHERNET_HEADER_BYTES, ETHERTYPE_IPV4, encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIpv4, PROTOCOL_UDP } from "@wirelab/engine/wire/ipv4";
import { decodePacket } from "@wirelab/engine/wire/summary";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import { isTagType, packetBytes, packetOffset } from "@wirelab/engine/wire/vlan-tag";
import { describe, expect, test } from "vitest";
import { markCongestion } from "../../../../packages/engine/link/impairments/ecn.ts";
import { hashFlow } from "../../../../packages/engine/link/impairments/queue/flow-hash.ts";
import { payloadIn } from "../../../../packages/lab/play/payload.ts";
import { sendThrough } from "../link/impairments/harness.ts";

const [SOURCE, TARGET] = [0x0a000001, 0x0a000002];
const CAPABLE = 2;
const datagram = (sourcePort: number): Uint8Array =>
  encodeUdp4(SOURCE, TARGET, { sourcePort, targetPort: 9, data: new Uint8Array(1_472) });
const packetFrom = (port: number): Uint8Array =>
  encodeIpv4(
    { source: SOURCE, target: TARGET, protocol: PROTOCOL_UDP, typeOfService: CAPABLE },
    datagram(port),
  )[0]!;
const PACKET = packetFrom(5);
const plain = (packet = PACKET): Uint8Array => encodeEthernet(2, 4, ETHERTYPE_IPV4, packet);
const tagged = (types: readonly number[], packet = PACKET): Uint8Array => {
  const frame = plain(packet);
  const tags = types.flatMap((type, index) => [type >> 8, type & 255, 0, 100 + index]);
  return concatBytes(frame.subarray(0, 12), Uint8Array.from(tags), frame.subarray(12));
};

const STACKS = [[0x8100], [0x88a8], [0x9100], [0x9200], [0x88a8, 0x8100], [0x9200, 0x9100, 0x8100]];

describe.each(
  STACKS.map((types) => [types.map((type) => `0x${type.toString(16)}`).join(" "), types] as const),
)("a frame with the tags %s", (_, types) => {
  const frame = tagged(types);
  const at = ETHERNET_HEADER_BYTES + 4 * types.length;

  test("is marked by ECN behind them", () => {
    expect(packetOffset(frame)).toBe(at);
    expect(markCongestion(frame)?.[at + 1]).toBe(3);
  });

  test("is classified by the flow of its packet", () => {
    expect(hashFlow(frame, 7)).toBe(hashFlow(plain(), 7));
    expect(hashFlow(tagged(types, packetFrom(6)), 7)).not.toBe(hashFlow(frame, 7));
  });

  test("passes an MTU that its packet fits", () => {
    expect(packetBytes(frame)).toBe(1_500);
    const passes = (bytes: number) => sendThrough({ mtu: { bytes } }, [{ atNs: 0, data: frame }]).arrived;
    expect(passes(1_500)).toHaveLength(1);
    expect(passes(1_499)).toHaveLength(0);
  });

  test("has its VLAN and its packet in summary, details and traces", () => {
    expect(decodePacket(frame, frame.length, "DLT_EN10MB")).toMatchObject({ vlan: 100, protocol: "UDP" });
    const names = readDetails(frame, "DLT_EN10MB").map(({ name }) => name);
    expect(names.filter((name) => name.startsWith("802.1"))).toHaveLength(types.length);
    expect(names).toContain("UDP");
    expect(payloadIn(frame)).toEqual({ type: ETHERTYPE_IPV4, packet: PACKET });
  });
});

test("no other type is a tag", () => {
  expect(Array.from({ length: 0x1_0000 }, (_, type) => type).filter(isTagType)).toEqual([
    0x8100, 0x88a8, 0x9100, 0x9200,
  ]);
});
