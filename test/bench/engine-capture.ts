/** The capture that the engine's bench reads: a million packets in the size mix called simple IMIX (7 : 4 : 1). */

import type { ReplayFrame } from "@wirelab/engine/link/replay";
import { RECORD_HEADER_BYTES } from "@wirelab/engine/pcap/classic-format";
import { encodeCaptureHeader, LINKTYPE_ETHERNET } from "@wirelab/engine/pcap/index";

const SIZES = [64, 594, 64, 64, 594, 64, 1518, 64, 594, 64, 64, 594];
const ETHERTYPE_IPV4 = 0x0800;
const PROTOCOL_TCP = 6;
const PROTOCOL_UDP = 17;
const FIRST_SECOND = 1_700_000_000;
const PACKETS_PER_SECOND = 100_000;

export interface BenchCapture {
  /** The capture as a classic pcap file. */
  readonly file: Uint8Array;
  /** The capture's frames, as views of the file. */
  readonly frames: readonly ReplayFrame[];
}

/** Makes TCP and UDP over IPv4 between a few hosts and ports, 10 microseconds apart. Equal counts give equal bytes. */
export function makeBenchCapture(count: number): BenchCapture {
  const header = encodeCaptureHeader({ linkType: LINKTYPE_ETHERNET });
  const sizes = Array.from({ length: count }, (_, index) => SIZES[index % SIZES.length]!);
  const total = sizes.reduce((sum, size) => sum + RECORD_HEADER_BYTES + size, header.length);
  const file = new Uint8Array(total);
  file.set(header);
  const view = new DataView(file.buffer);
  const frames: ReplayFrame[] = [];
  let at = header.length;
  for (const [index, size] of sizes.entries()) {
    const seconds = FIRST_SECOND + Math.floor(index / PACKETS_PER_SECOND);
    const microseconds = (index % PACKETS_PER_SECOND) * 10;
    for (const [field, value] of [seconds, microseconds, size, size].entries()) {
      view.setUint32(at + 4 * field, value, true);
    }
    const start = at + RECORD_HEADER_BYTES;
    writePacket(view, start, size, index);
    at = start + size;
    frames.push({
      seconds,
      nanoseconds: microseconds * 1000,
      data: file.subarray(start, at),
      originalLength: size,
    });
  }
  return { file, frames };
}

function writePacket(view: DataView, start: number, size: number, index: number): void {
  const ip = start + 14;
  const transport = ip + 20;
  view.setUint16(start + 12, ETHERTYPE_IPV4);
  view.setUint8(ip, 0x45);
  view.setUint16(ip + 2, size - 14);
  view.setUint8(ip + 8, 64);
  view.setUint8(ip + 9, index % 3 === 0 ? PROTOCOL_UDP : PROTOCOL_TCP);
  view.setUint32(ip + 12, 0x0a000000 + (index % 7));
  view.setUint32(ip + 16, 0x0a000000 + (index % 11));
  view.setUint16(transport, index % 5 === 0 ? 80 : 1024 + (index % 1000));
  view.setUint16(transport + 2, index % 13 === 0 ? 80 : 443);
  view.setUint8(transport + 12, 0x50);
}
