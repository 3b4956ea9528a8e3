/** Walks through the headers of a packet, from its link layer on. */
import type { DataLinkTypeName } from "../pcap/index.ts";
import { type Fault, lacks, type Next, type Place, type Protocol } from "./protocol.ts";
import { LINKS, protocolOf } from "./protocols.ts";

export interface Step {
  readonly protocol: Protocol | undefined;
  /** Its end is narrowed by the length in the header. */
  readonly place: Place;
  /** Whether the header has its least bytes. */
  readonly isNoted: boolean;
  readonly fault: Fault | undefined;
  /** What led here; undefined for the link layer. */
  readonly from: Next | undefined;
  readonly next: Next | undefined;
}

/** @param isCut whether the capture cut the packet. */
export function* walk(bytes: Uint8Array, isCut: boolean, linkType: DataLinkTypeName): Generator<Step> {
  let step = stepAt(LINKS[linkType], { bytes, at: 0, end: bytes.length, isCut }, undefined);
  for (;;) {
    yield step;
    const { next, place } = step;
    if (next === undefined) return;
    const { to, at, ip } = next;
    const isPartial = place.isPartial === true || next.isPartial === true;
    step = stepAt("name" in to ? to : protocolOf(...to), { ...place, at, ip, isPartial }, next);
  }
}

function stepAt(protocol: Protocol | undefined, place: Place, from: Next | undefined): Step {
  const lack = protocol?.least && lacks(place, ...protocol.least);
  const checked = lack ?? protocol?.check?.(place);
  if (typeof checked === "object")
    return { protocol, place, isNoted: lack === undefined, fault: checked, from, next: undefined };
  const narrowed = checked === undefined ? place : { ...place, end: checked };
  const next = protocol?.next?.(narrowed);
  return { protocol, place: narrowed, isNoted: true, fault: undefined, from, next };
}
