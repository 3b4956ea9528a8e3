/** Decodes frames with tshark: chosen fields of each frame, and the errors that it finds. */
import type { RecordInput } from "@wirelab/engine/pcap/index";
import { encodeCapture, LINKTYPE_ETHERNET } from "@wirelab/engine/pcap/index";
import { isInstalled, linesOf, withFile } from "../engine/programs.ts";
import type { NotedFrame } from "./real-vpcs.ts";

export const hasTshark = isInstalled("tshark");

/** The fields of one frame; several values are separated by commas, an absent field is empty. */
export type Row = Readonly<Record<string, string>>;

/** Keeps tshark from decoding data on a random port as another protocol. */
const AS_DATA = ["-d", "udp.port==1024-65535,data", "-d", "tcp.port==1024-65535,data"];
const CHECKED_LAYERS = ["ip", "tcp", "udp"];
const VERIFYING = CHECKED_LAYERS.flatMap((layer) => ["-o", `${layer}.check_checksum:TRUE`]);
const WRONG = [
  "_ws.malformed",
  ...["ip", "tcp", "udp", "icmp", "icmpv6"].map((layer) => `${layer}.checksum.status == "Bad"`),
].join(" or ");

const record = ({ atUs, frame }: NotedFrame): RecordInput => ({
  seconds: Math.floor(atUs / 1e6),
  nanoseconds: (atUs % 1e6) * 1000,
  data: frame,
  originalLength: frame.length,
});

const tshark = (frames: readonly NotedFrame[], ...options: string[]): string[] =>
  withFile(encodeCapture(frames.map(record), { linkType: LINKTYPE_ETHERNET }), (path) =>
    linesOf("tshark", ["-r", path, "-n", ...AS_DATA, ...options]),
  );

/** One row per frame, in order. TCP numbers are relative to the connection's first. */
export function decodeFields(frames: readonly NotedFrame[], fields: readonly string[]): Row[] {
  if (frames.length === 0) return [];
  const chosen = fields.flatMap((field) => ["-e", field]);
  // The number is the first column, so that a frame without any of the fields still has a line.
  const lines = tshark(frames, "-T", "fields", "-e", "frame.number", ...chosen);
  return lines.map((line) => {
    const [, ...values] = line.split("\t");
    return Object.fromEntries(fields.map((field, index) => [field, values[index] ?? ""]));
  });
}

/** Returns one line for each frame that tshark calls malformed or whose checksum is wrong. */
export const complaints = (frames: readonly NotedFrame[]): string[] =>
  frames.length === 0 ? [] : tshark(frames, ...VERIFYING, "-Y", WRONG);
