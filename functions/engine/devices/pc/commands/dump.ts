/**
 * What `set dump` shows of frames as they pass: a stamp and, as the flags say, MACs, bytes, and what they mean.
 *
 *     0003.597076  00:50:79:66:68:00 -> 00:50:79:66:68:01
 */
import { ETHERNET_HEADER_BYTES, sourceMac, targetMac } from "../../../wire/ethernet.ts";
import { formatMac } from "../../../wire/mac.ts";
import type { Host } from "../host.ts";
import { frameDetails } from "./dump-details.ts";
import { coloured } from "./terminal-text.ts";

const US_PER_SECOND = 1_000_000;
const SECONDS_SHOWN = 10_000;
const BYTES_PER_LINE = 16;
const NOT_PRINTABLE = /[^\x20-\x7e]/g;

/** Prints a frame that the PC has sent, or that has come to it; of those for others only with the flag `all`. */
export function dumpFrame(host: Host, frame: Uint8Array, direction: "sent" | "received"): void {
  const { dump } = host.state.settings;
  if (dump.length === 0 || frame.length < ETHERNET_HEADER_BYTES) return;
  if (direction === "received" && targetMac(frame) !== host.mac && !dump.includes("all")) return;
  const macs = `  ${formatMac(sourceMac(frame))} -> ${formatMac(targetMac(frame))}`;
  const lines = [
    coloured(stamp(host.world.nowUs), "green") + (dump.includes("mac") ? macs : ""),
    ...(dump.includes("raw") ? byteLines(frame.subarray(ETHERNET_HEADER_BYTES)) : []),
    ...(dump.includes("detail") ? frameDetails(frame) : []),
  ];
  host.world.print(lines.map((line) => `${line}\n`).join(""));
}

function stamp(nowUs: number): string {
  const seconds = Math.floor(nowUs / US_PER_SECOND) % SECONDS_SHOWN;
  return `${String(seconds).padStart(4, "0")}.${String(nowUs % US_PER_SECOND).padStart(6, "0")}`;
}

/** Sixteen bytes a line in hexadecimal, and as text. */
function byteLines(bytes: Uint8Array): string[] {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += BYTES_PER_LINE) {
    const row = bytes.subarray(start, start + BYTES_PER_LINE);
    const hex = Array.from(row, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = String.fromCharCode(...row).replaceAll(NOT_PRINTABLE, ".");
    lines.push(`${hex.padEnd(3 * BYTES_PER_LINE)} ${text}`);
  }
  return lines;
}
