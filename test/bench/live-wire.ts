/**
 * The delays of a live link on the wire: from the kernel's times of the packets as they enter and leave it, which tcpdump records. So the time that
 * the sender and the receiver take is not part of them. Needs tcpdump and root.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCapture } from "@wirelab/engine/pcap/index";
import { NUMBER_OFFSET } from "./live-frame.ts";

export const canWatchWire = process.getuid?.() === 0 && spawnSync("tcpdump", ["--version"]).status === 0;

const IP_AT = 14;
const UDP_HEADER_BYTES = 8;

export interface WireWatch {
  /** Delays in milliseconds, ascending, of the packets whose number is at least `from`. */
  stop(from: number): Promise<Float64Array>;
}

/** @param enter the UDP port at which packets enter the link. @param receiver the port to which they leave. */
export async function watchWire(enter: number, receiver: number): Promise<WireWatch> {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-wire-"));
  const file = join(folder, "wire.pcap");
  const ports = `udp and (dst port ${enter} or dst port ${receiver})`;
  const options = ["-i", "lo", "-n", "-s", "96", "-B", "65536", "--time-stamp-precision=nano", "-w", file];
  const tcpdump: ChildProcess = spawn("tcpdump", [...options, ports], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  await once(tcpdump.stderr!, "data");
  return {
    async stop(from) {
      tcpdump.kill("SIGINT");
      await once(tcpdump, "exit");
      const delays = delaysOf(readFileSync(file), enter, from);
      rmSync(folder, { recursive: true });
      return delays;
    },
  };
}

function delaysOf(file: Uint8Array, enter: number, from: number): Float64Array {
  const read = readCapture(file);
  if (!read.ok) throw new Error(read.error.message);
  const enteredNs = new Map<number, number>();
  const delays: number[] = [];
  for (const { seconds, nanoseconds, data } of read.frames) {
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    const udp = IP_AT + (view.getUint8(IP_AT) & 15) * 4;
    const number = view.getUint32(udp + UDP_HEADER_BYTES + NUMBER_OFFSET, true);
    // Below 2^53 for an hour's capture.
    const atNs = (seconds % 3_600) * 1e9 + nanoseconds;
    if (view.getUint16(udp + 2) === enter) enteredNs.set(number, atNs);
    else if (number >= from) delays.push((atNs - (enteredNs.get(number) ?? Number.NaN)) / 1e6);
  }
  return Float64Array.from(delays.filter(Number.isFinite)).sort();
}
