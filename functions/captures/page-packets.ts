/** Returns a page of a capture's packets, in one pass over its file, chunk by chunk. */

import { NS_PER_US } from "@wirelab/engine/base/time";
import type { PacketPredicate } from "@wirelab/engine/bpf/index";
import { type CaptureFrame, type DataLinkTypeName, makeCaptureReader } from "@wirelab/engine/pcap/index";
import { decodePacket } from "@wirelab/engine/wire/summary";
import type * as z from "zod/mini";
import { formatPacketTime } from "../shared/schemas/lab-time.ts";
import type { CapturedPacket, packetPage } from "../shared/schemas/packet.ts";

export interface PageRequest {
  readonly linkType: DataLinkTypeName;
  /** Packets in the capture; undefined if they have to be counted. */
  readonly total: number | undefined;
  readonly limit: number;
  /** Matching packets before the page. */
  readonly offset: number;
  /** When absent, every packet matches. */
  readonly predicate?: PacketPredicate;
  /** How many packets to read, whether they match or not. */
  readonly mostPackets: number;
  /** Checked between chunks. */
  readonly hasTime: () => boolean;
}

type Page = z.output<typeof packetPage>;

export async function pagePackets(file: AsyncIterable<Uint8Array>, request: PageRequest): Promise<Page> {
  const reader = makeCaptureReader();
  const search = new Search(request);
  for await (const chunk of file) {
    const goesOn = reader.push(chunk).every((frame) => search.look(frame));
    if (!goesOn || !request.hasTime()) return search.page(false);
  }
  return search.page(true);
}

class Search {
  readonly #request: PageRequest;
  readonly #packets: CapturedPacket[] = [];
  #first: CaptureFrame | undefined;
  #seen = 0;
  #matched = 0;

  constructor(request: PageRequest) {
    this.#request = request;
  }

  /** Processes the next packet. @returns false when the search ends before it. */
  look(frame: CaptureFrame): boolean {
    const { linkType, total, limit, offset, predicate, mostPackets } = this.#request;
    const isCounted = predicate === undefined && total !== undefined;
    // With a filter, or without a known total, all packets must be counted.
    if (this.#seen === mostPackets || (isCounted && this.#packets.length === limit)) return false;
    this.#seen += 1;
    this.#first ??= frame;
    if (predicate !== undefined && !predicate(frame.data, frame.originalLength)) return true;
    this.#matched += 1;
    if (this.#matched > offset && this.#packets.length < limit) {
      this.#packets.push(describePacket(frame, this.#seen, this.#first, linkType));
    }
    return true;
  }

  /** @param isWhole whether the file has been read to its end. */
  page(isWhole: boolean): Page {
    const { total = this.#seen, offset, predicate } = this.#request;
    const isKnown = this.#request.total !== undefined;
    const packets = this.#packets;
    const matched = predicate === undefined ? total : this.#matched;
    const isPartial = isKnown ? predicate !== undefined && this.#seen < total : !isWhole;
    return { packets, total, matched, more: isPartial || offset + packets.length < matched };
  }
}

function describePacket(
  frame: CaptureFrame,
  number: number,
  first: CaptureFrame,
  linkType: DataLinkTypeName,
): CapturedPacket {
  return {
    number,
    time: formatPacketTime(frame.seconds, frame.nanoseconds),
    relative_s: (toUs(frame) - toUs(first)) / 1e6,
    ...decodePacket(frame.data, frame.originalLength, linkType),
  };
}

/** Microseconds since 1970: exact in a number until the year 2255. */
const toUs = ({ seconds, nanoseconds }: CaptureFrame): number =>
  seconds * 1e6 + Math.floor(nanoseconds / NS_PER_US);
