/** Packets of captures: the queries that select them, and the pages of decoded packets. */
import * as z from "zod/mini";
import { bpfExpression } from "./capture.ts";
import { wholeNumber } from "./common.ts";
import { uuid } from "./ids.ts";

/** Largest number of packets in one response. */
const PAGE_MAX_PACKETS = 1000;

export const packetsQuery = z.object({
  filter: z
    .optional(bpfExpression)
    .check(z.describe("A pcap-filter expression; only matching packets are returned")),
  limit: z
    ._default(z.pipe(wholeNumber, z.int().check(z.minimum(1), z.maximum(PAGE_MAX_PACKETS))), 100)
    .check(z.describe(`Maximum number of packets to return, 1 to ${PAGE_MAX_PACKETS}; 100 if absent`)),
  offset: z._default(wholeNumber, 0).check(z.describe("Number of matching packets to skip; 0 if absent")),
});

const port = z.nullable(z.int());

export const capturedPacket = z
  .object({
    number: z.int().check(z.describe("Position in the capture, from 1")),
    time: z.string().check(z.describe("RFC 3339, to the microsecond")),
    relative_s: z.number().check(z.describe("Seconds since the first packet of the capture")),
    length: z.int().check(z.describe("Length on the wire, in bytes")),
    captured_length: z.int(),
    source: z.nullable(z.string()).check(z.describe("Network-layer address if there is one, else the MAC")),
    target: z.nullable(z.string()),
    source_mac: z.nullable(z.string()),
    target_mac: z.nullable(z.string()),
    vlan: z.nullable(z.int()).check(z.describe("The outermost 802.1Q id")),
    protocol: z.string(),
    source_port: port,
    target_port: port,
    info: z.string().check(z.describe("Summary in one line")),
  })
  .check(z.meta({ id: "CapturedPacket" }));
export type CapturedPacket = z.output<typeof capturedPacket>;

export const packetPage = z
  .object({
    packets: z.array(capturedPacket),
    total: z.int().check(z.describe("Packets in the capture")),
    matched: z.int().check(z.describe("Packets that match the filter, among those read")),
    more: z.boolean().check(z.describe("Whether matching packets follow, or packets were not read")),
  })
  .check(z.meta({ id: "PacketPage" }));

const idList = z.pipe(
  z.string(),
  z.pipe(
    z.transform((text: string) => [...new Set(text.split(","))]),
    z.array(uuid),
  ),
);

export const pcapngQuery = z.object({
  links: z
    .optional(idList)
    .check(
      z.describe(
        "Ids of links, separated by commas; selects each link's running capture, else its latest one",
      ),
    ),
  captures: z.optional(idList).check(z.describe("Ids of captures, separated by commas")),
});
