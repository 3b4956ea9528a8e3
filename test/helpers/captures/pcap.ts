/** Packets for tests, and the programs that check captures. */
import { execFileSync, spawnSync } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** 473 frames; see test/fixtures/README.md. */
export const LAB_PCAP = readFileSync(new URL("../../fixtures/veth-lab.pcap", import.meta.url));
export const LAB_PACKETS = 473;

/** A pcap of frames of so many random bytes that a run stores them as an object: functions/shared/store/lab/packets.ts. */
export const makeBulkyPcap = (count: number): Buffer<ArrayBuffer> =>
  makePcap(count, { frameBytes: 4_000, fill: (frame) => randomFillSync(frame) });

/** A pcap of frames, `intervalUs` apart, each beginning with its number. */
export function makePcap(
  count: number,
  {
    linkType = 1,
    intervalUs = 1000,
    startSeconds = 1_700_000_000,
    frameBytes = 60,
    fill = (_frame: Buffer): unknown => undefined,
  } = {},
): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(65_535, 16);
  header.writeUInt32LE(linkType, 20);
  const records = Array.from({ length: count }, (_, index) => {
    const record = Buffer.alloc(16 + frameBytes);
    fill(record.subarray(16));
    const us = index * intervalUs;
    record.writeUInt32LE(startSeconds + Math.floor(us / 1e6), 0);
    record.writeUInt32LE(us % 1e6, 4);
    record.writeUInt32LE(frameBytes, 8);
    record.writeUInt32LE(frameBytes, 12);
    record.writeUInt32BE(index, 16);
    return record;
  });
  return Buffer.concat([header, ...records]);
}

/** A record of a little-endian microsecond pcap. */
export interface PcapRecord {
  readonly timeUs: number;
  readonly data: Buffer;
  readonly originalLength: number;
}

/** Reads what makePcap and the service write, without the service's reader. */
export function parsePcap(file: Buffer): PcapRecord[] {
  const magic = file.readUInt32LE(0);
  if (magic !== 0xa1b2c3d4 && magic !== 0xa1b23c4d)
    throw new Error(`not a pcap: ${file.toString("hex", 0, 4)}`);
  const perUs = magic === 0xa1b2c3d4 ? 1 : 1000;
  const records: PcapRecord[] = [];
  for (let at = 24; at < file.length; ) {
    const length = file.readUInt32LE(at + 8);
    records.push({
      timeUs: file.readUInt32LE(at) * 1e6 + file.readUInt32LE(at + 4) / perUs,
      data: file.subarray(at + 16, at + 16 + length),
      originalLength: file.readUInt32LE(at + 12),
    });
    at += 16 + length;
  }
  return records;
}

export const hasProgram = (name: string): boolean => spawnSync(name, ["--version"]).error === undefined;

/** Runs a program on a capture file. @returns the lines of its output. */
export function readWith(program: "tcpdump" | "tshark", file: Buffer, ...options: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-"));
  try {
    const path = join(folder, "file.pcap");
    writeFileSync(path, file);
    const output = execFileSync(program, ["-r", path, ...options], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    return output.split("\n").filter((line) => line !== "");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
