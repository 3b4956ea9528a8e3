/** Checks a capture with tshark: no malformed frame, no bad checksum. Checks nothing if tshark is not installed. */
import { expect } from "vitest";
import { hasProgram, readWith } from "./pcap.ts";

const HAS_TSHARK = hasProgram("tshark");

/** Keeps tshark from decoding data on a random port as another protocol. */
const AS_DATA = ["-d", "udp.port==1024-65535,data", "-d", "tcp.port==1024-65535,data"];
const VERIFYING = ["ip", "tcp", "udp"].flatMap((layer) => ["-o", `${layer}.check_checksum:TRUE`]);
const WRONG = [
  "_ws.malformed",
  ...["ip", "tcp", "udp", "icmp", "icmpv6"].map((layer) => `${layer}.checksum.status == "Bad"`),
].join(" or ");

export function expectSound(capture: Buffer): void {
  if (HAS_TSHARK) expect(readWith("tshark", capture, ...AS_DATA, ...VERIFYING, "-Y", WRONG)).toEqual([]);
}
