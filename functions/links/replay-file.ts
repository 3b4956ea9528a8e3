/** The capture file of a replay's request, and that of its response. */

import { addNanoseconds, epochTimeFromNs } from "@wirelab/engine/base/time";
import type { LinkType } from "@wirelab/engine/bpf/index";
import type { DeliveredFrame } from "@wirelab/engine/link/replay";
import {
  CaptureError,
  type CaptureFrame,
  type CaptureInterface,
  dataLinkTypeName,
  encodeCaptureHeader,
  encodeRecords,
  filterLinkTypeOf,
  LINKTYPE_ETHERNET,
  linkTypeOf,
  MAX_CAPTURED_BYTES,
  type RecordInput,
  type Resolution,
  readCapture,
} from "@wirelab/engine/pcap/index";
import { resolutionOf } from "@wirelab/engine/pcap/record-sieve";
import { failureOf } from "../shared/edge/errors.ts";
import { REPLAY_ERRORS } from "../shared/edge/own-errors/replay.ts";
import type { DataLinkType } from "../shared/schemas/common.ts";

export interface CaptureContent {
  readonly frames: readonly CaptureFrame[];
  readonly linkType: number;
  /** The link type to compile filters for. */
  readonly filterLinkType: LinkType;
  readonly resolution: Resolution;
  /** Where the file ends in the middle of a packet; that packet is not among the frames. */
  readonly cutOff: string | null;
}

const ETHERNET: CaptureInterface = { linkType: LINKTYPE_ETHERNET, snaplen: 0, littleEndian: true };

/** @throws ApiError `replay.not-a-capture` with the byte at which the file is invalid. */
export function readContent(bytes: Uint8Array): CaptureContent {
  const file = readCapture(bytes);
  if (!file.ok) throw failureOf(REPLAY_ERRORS, "replay.not-a-capture", { detail: file.error.message });
  const linkTypes = new Set(file.frames.map((frame) => frame.linkType));
  if (linkTypes.size > 1) {
    const shown = [...linkTypes].map(linkTypeText).join(" and ");
    throw failureOf(REPLAY_ERRORS, "replay.not-a-capture", {
      detail: `its packets are of several link types: ${shown}`,
    });
  }
  const described = file.interfaces[file.frames[0]?.interfaceId ?? 0] ?? ETHERNET;
  return {
    frames: file.frames,
    linkType: described.linkType,
    filterLinkType: filterLinkTypeOf(described),
    resolution: resolutionOf(bytes) ?? "nanosecond",
    cutOff: file.cutOff?.message ?? null,
  };
}

const linkTypeText = (linkType: number): string => dataLinkTypeName(linkType) ?? `link type ${linkType}`;

/** @throws ApiError `replay.link-type` when the running capture could not hold these packets. */
export function refuseOtherLinkType(content: CaptureContent, recorded: DataLinkType | undefined): void {
  if (recorded === undefined || linkTypeOf(recorded) === content.linkType) return;
  throw failureOf(REPLAY_ERRORS, "replay.link-type", {
    file: linkTypeText(content.linkType),
    capture: recorded,
  });
}

/**
 * Encodes the packets that arrived as a file for the client. It has the resolution of the request's file (nanoseconds for a pcapng,
 * which can have several), or a finer one if the start needs it, and truncates no packet.
 * @throws ApiError `replay.not-a-capture` when a time lies outside the format's range (1970 to 2106).
 */
export function encodeArrivals(
  delivered: readonly DeliveredFrame[],
  startNs: bigint,
  { linkType, resolution }: CaptureContent,
): Uint8Array {
  const start = epochTimeFromNs(startNs);
  const stamped: RecordInput[] = delivered.map(({ deliveryNs, data, originalLength }) => ({
    ...addNanoseconds(start, deliveryNs),
    data,
    originalLength,
  }));
  const format = {
    resolution: startNs % 1000n === 0n ? resolution : "nanosecond",
    snaplen: MAX_CAPTURED_BYTES,
  } as const;
  return refusingTimes(() =>
    Buffer.concat([encodeCaptureHeader({ linkType, ...format }), encodeRecords(stamped, format)]),
  );
}

/** @throws ApiError `replay.not-a-capture` for a time outside the format's range. */
export function refusingTimes<T>(encode: () => T): T {
  try {
    return encode();
  } catch (error) {
    if (error instanceof CaptureError)
      throw failureOf(REPLAY_ERRORS, "replay.not-a-capture", { detail: error.message });
    throw error;
  }
}
