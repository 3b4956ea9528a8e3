/**
 * Writes `arp-spoofing.pcap`: three ARP replies, a second apart, in which the PC with the MAC address 00:50:79:66:68:02 claims
 * to be the gateway 10.0.0.254. Run it with `node examples/labs/make-arp-spoofing.ts`.
 */
import { writeFileSync } from "node:fs";

const ATTACKER = "005079666802";
const VICTIM = "005079666800";
const GATEWAY_IP = "0a0000fe";
const VICTIM_IP = "0a000001";

/** RFC 826: hardware and protocol types and lengths, operation 2 (reply), sender, target. */
const arp = `${VICTIM}${ATTACKER}0806${"0001080006040002"}${ATTACKER}${GATEWAY_IP}${VICTIM}${VICTIM_IP}`;
const frame = Buffer.from(arp.padEnd(120, "0"), "hex");

/** The header of a pcap file: microseconds, version 2.4, Ethernet. */
const header = Buffer.from("d4c3b2a1020004000000000000000000ffff000001000000", "hex");
const record = (seconds: number): Buffer => {
  const fields = Buffer.alloc(16);
  fields.writeUInt32LE(seconds, 0);
  fields.writeUInt32LE(frame.length, 8);
  fields.writeUInt32LE(frame.length, 12);
  return Buffer.concat([fields, frame]);
};

export const capture = Buffer.concat([header, record(0), record(1), record(2)]);

if (import.meta.main) writeFileSync(new URL("arp-spoofing.pcap", import.meta.url), capture);
