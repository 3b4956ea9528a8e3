/**
 * Prints frames as `set dump` asks: a blank line, a time stamp and, depending on the flags, MACs, bytes and decoded fields.
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
const HEX_COLUMNS = 43;
const NOT_PRINTABLE = /[^\x20-\x7e]/g;

/** Prints a frame that the PC has sent or received. Prints a frame for another host only if the flag `all` is set. */
export function dumpFrame(host: Host, frame: Uint8Array, direction: "sent" | "received"): void {
  const { dump } = host.state.settings;
  if (dump.length === 0) return;
  const parts = dump.filter((flag) => flag !== "all");
  if (parts.length === 0 || frame.length < ETHERNET_HEADER_BYTES) return;
  if (direction === "received" && targetMac(frame) !== host.mac && !dump.includes("all")) return;
  const title = coloured(stamp(host.world.nowUs), "green") + (dump.includes("mac") ? macsOf(frame) : "");
  const blocks = [
    dump.includes("raw") ? byteLines(frame.subarray(ETHERNET_HEADER_BYTES)) : [],
    dump.includes("detail") ? frameDetails(frame) : [],
  ].filter((lines) => lines.length > 0);
  const body = blocks.map((lines) => `${lines.join("\n")}\n`).join("\n");
  host.world.print(`\n${title}\n${body === "" ? "" : coloured(body, "yellow")}`);
}

const macsOf = (frame: Uint8Array): string =>
  `  ${formatMac(sourceMac(frame))} -> ${formatMac(targetMac(frame))}`;

function stamp(nowUs: number): string {
  const seconds = Math.floor(nowUs / US_PER_SECOND) % SECONDS_SHOWN;
  return `${String(seconds).padStart(4, "0")}.${String(nowUs % US_PER_SECOND).padStart(6, "0")}`;
}

/** Formats sixteen bytes per line, in hexadecimal and as text: `4500 0054 ...    E..T...`. */
function byteLines(bytes: Uint8Array): string[] {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += BYTES_PER_LINE) {
    const row = bytes.subarray(start, start + BYTES_PER_LINE);
    const hex = Array.from(row, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const pairs = hex.replaceAll(/.{4}(?=.)/g, "$& ");
    const text = String.fromCharCode(...row).replaceAll(NOT_PRINTABLE, ".");
    lines.push(`${pairs.padEnd(HEX_COLUMNS)}${text}`);
  }
  return lines;
}
