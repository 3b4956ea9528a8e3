/**
 * Returns packets to their sender: the same frame, including padding and IP options, with MACs and addresses swapped and a new
 * TTL. Checksums of UDP and TCP cover the addresses as a sum, so they stay valid after the swap.
 */
import { writeU32 } from "../../../base/bytes.ts";
import { ETHERNET_HEADER_BYTES } from "../../../wire/ethernet.ts";
import { DEFAULT_TTL, decodeIpv4, writeIpv4Checksum } from "../../../wire/ipv4.ts";
import { writeMac } from "../../../wire/mac.ts";
import type { Host, ReceivedIpv4 } from "../host.ts";

const TTL_AT = ETHERNET_HEADER_BYTES + 8;
const SOURCE_AT = ETHERNET_HEADER_BYTES + 12;
const TARGET_AT = ETHERNET_HEADER_BYTES + 16;

/** Returns a new frame without a target MAC; the caller may modify it and sends it once. */
export function turnAround(host: Host, { frame, header }: ReceivedIpv4): Uint8Array {
  const back = host.world.frames.copy(frame);
  writeMac(back, 6, host.mac);
  back[TTL_AT] = DEFAULT_TTL;
  writeU32(back, SOURCE_AT, header.target);
  writeU32(back, TARGET_AT, header.source);
  writeIpv4Checksum(back, ETHERNET_HEADER_BYTES);
  return back;
}

/**
 * Sends a turned frame. A frame over the path MTU is fragmented and loses its IP options and its DF bit: the PC decides
 * whether its answer may be fragmented.
 */
export function sendTurned(host: Host, frame: Uint8Array, targetMac: number): void {
  const header = decodeIpv4(frame, ETHERNET_HEADER_BYTES)!;
  if (header.totalBytes > host.mtuTo(header.target)) {
    const start = ETHERNET_HEADER_BYTES + header.headerBytes;
    host.sendIpv4(targetMac, header, frame.subarray(start, ETHERNET_HEADER_BYTES + header.totalBytes));
    return;
  }
  writeMac(frame, 0, targetMac);
  host.sendFrame(frame);
}
